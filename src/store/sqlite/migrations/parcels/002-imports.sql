-- The history of imports, and the data that undoes the last one of a roll scope.

-- One row per import, undo or unload. Its id is never used again.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,              -- import, undo or unload
  loaded_at INTEGER NOT NULL,      -- epoch seconds
  mapping TEXT NOT NULL,           -- empty where there is none
  files TEXT NOT NULL,             -- JSON list of the paths as they were given
  rows INTEGER NOT NULL,           -- rows read; rejected, skipped, duplicates count rows too
  rejected INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  -- Parcels that were new; updated, unchanged, removed count parcels
  loaded INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  rejects_file TEXT,
  undoes INTEGER                   -- the import that an undo takes back
) STRICT;

-- The roll scopes that each import touched. Parcels that it added have the ids first_id to last_id.
CREATE TABLE import_scopes (
  import INTEGER NOT NULL,
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  first_id INTEGER NOT NULL,       -- greater than last_id: none was added
  last_id INTEGER NOT NULL,
  images INTEGER NOT NULL,         -- rows of import_images that undo it
  PRIMARY KEY (import, fips, municipality)
) STRICT, WITHOUT ROWID;

-- Parcels as they were before the last import that changed their scope: those that it changed or
-- removed. A later migration that rewrites records empties this table: undoing is refused then.
CREATE TABLE import_images (
  id INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  stripped_key TEXT NOT NULL,
  parcel_key TEXT NOT NULL,
  city TEXT NOT NULL,
  zip TEXT NOT NULL,
  unit TEXT NOT NULL,
  use_code TEXT NOT NULL,
  residential INTEGER,
  transfer_day INTEGER,
  assigned INTEGER NOT NULL,
  roll_year INTEGER,
  filled INTEGER NOT NULL,
  leaves TEXT NOT NULL,
  keys TEXT NOT NULL,
  geometry TEXT
) STRICT;
CREATE INDEX import_images_by_scope ON import_images (fips, municipality);
