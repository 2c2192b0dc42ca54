-- The history of imports, and the data that undoes the last one of a roll scope.

-- One row per import, undo or unload. Its id is never used again.
CREATE TABLE imports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,               -- import, undo or unload
  loaded_at bigint NOT NULL,        -- epoch seconds
  mapping text NOT NULL,            -- empty where there is none
  files text NOT NULL,              -- JSON list of the paths as they were given
  rows bigint NOT NULL,             -- rows read; rejected, skipped, duplicates count rows too
  rejected bigint NOT NULL,
  skipped bigint NOT NULL,
  duplicates bigint NOT NULL,
  -- Parcels that were new; updated, unchanged, removed count parcels
  loaded bigint NOT NULL,
  updated bigint NOT NULL,
  unchanged bigint NOT NULL,
  removed bigint NOT NULL,
  rejects_file text,
  undoes bigint                     -- the import that an undo takes back
);

-- The roll scopes that each import touched. Parcels that it added have the ids first_id to last_id.
CREATE TABLE import_scopes (
  import bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  first_id bigint NOT NULL,         -- greater than last_id: none was added
  last_id bigint NOT NULL,
  images bigint NOT NULL,           -- rows of import_images that undo it
  PRIMARY KEY (import, state, fips, municipality)
);

-- Parcels as they were before the last import that changed their scope: those that it changed or
-- removed. A later migration that rewrites records empties this table: undoing is refused then.
CREATE TABLE import_images (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  stripped_key text COLLATE "C" NOT NULL,
  parcel_key text COLLATE "C" NOT NULL,
  city text COLLATE "C" NOT NULL,
  zip text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,
  use_code text COLLATE "C" NOT NULL,
  residential boolean,
  transfer_day integer,
  assigned boolean NOT NULL,
  roll_year integer,
  filled integer NOT NULL,
  leaves text COLLATE "C" NOT NULL,
  keys text COLLATE "C" NOT NULL,
  geometry text COLLATE "C",
  PRIMARY KEY (state, id)
);
CREATE INDEX import_images_by_scope ON import_images (state, fips, municipality);
