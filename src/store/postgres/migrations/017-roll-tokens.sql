-- The token of the last import that wrote a roll scope, while nothing has changed it since: by it
-- an import knows that rows which it remembers still stand behind the kept parcels.
CREATE TABLE roll_tokens (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  token text NOT NULL,
  PRIMARY KEY (state, fips, municipality)
);

-- Owners without parcels, which an import deletes. Without this index it read every owner of the
-- state.
CREATE INDEX owner_counts_empty ON owner_counts (state) WHERE parcels = 0;
