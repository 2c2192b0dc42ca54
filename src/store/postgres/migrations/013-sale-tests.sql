-- Errors of estimates of past sales in a county, measured by its last import.
CREATE TABLE sale_tests (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  told text NOT NULL,          -- JSON
  PRIMARY KEY (state, fips)
);
