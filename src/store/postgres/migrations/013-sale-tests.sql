-- How estimates did against the past sales of a county, as its last import measured it.
CREATE TABLE sale_tests (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  told text NOT NULL,          -- JSON
  PRIMARY KEY (state, fips)
);
