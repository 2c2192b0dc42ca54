-- Errors of estimates of past sales in a county, measured by its last import.
CREATE TABLE sale_tests (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  told TEXT NOT NULL,          -- JSON
  PRIMARY KEY (state, fips)
) STRICT, WITHOUT ROWID;
