-- How estimates did against the past sales of a county, as its last import measured it.
CREATE TABLE sale_tests (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  told TEXT NOT NULL,          -- JSON
  PRIMARY KEY (state, fips)
) STRICT, WITHOUT ROWID;
