-- The token of the last import that wrote a roll scope, while nothing has changed it since: by it
-- an import knows that rows which it remembers still stand behind the kept parcels.
CREATE TABLE roll_tokens (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (state, fips, municipality)
) STRICT, WITHOUT ROWID;
