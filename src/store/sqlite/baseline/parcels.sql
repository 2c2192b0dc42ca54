-- The schema of parcels.db, the rolls. What a parcel is found by is apart from its record, so that
-- walks read narrow rows only. A change of this file raises the number in base/schema-number.ts.

-- One row a parcel: identity and what property search filters by. Empty text: unknown.
CREATE TABLE parcels (
  id INTEGER PRIMARY KEY,          -- from counters; grows with first insertion, never used again
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,           -- five-digit county FIPS code
  -- Part of the roll scope where municipalities number their own parcels
  municipality TEXT NOT NULL,
  stripped_key TEXT NOT NULL,      -- parcel ID, A-Z and 0-9 only
  parcel_key TEXT NOT NULL,        -- recorded ID, upper-cased and trimmed
  city TEXT NOT NULL,
  zip TEXT NOT NULL,
  unit TEXT NOT NULL,              -- unit key of its situs address
  use_code TEXT NOT NULL,          -- code of tables/use-codes.tsv; '': unknown
  residential INTEGER,             -- 0, 1 or null: unknown
  transfer_day INTEGER,            -- days since 1970-01-01
  assigned INTEGER NOT NULL,       -- 1: has a street number and name
  roll_year INTEGER,
  filled INTEGER NOT NULL,         -- coverage fields it has, a bit each, see model/coverage.ts
  local_use TEXT NOT NULL DEFAULT '', -- the roll's own use code, folded; '': unknown
  -- Its point in ten-millionths of a degree and the point's tile of zoom 14 (x * 16384 + y); null:
  -- unknown
  x INTEGER,
  y INTEGER,
  cell INTEGER,
  owner INTEGER NOT NULL DEFAULT 0 -- canonical owner, see parcel-keys.ts; 0: nobody is named
) STRICT;

CREATE UNIQUE INDEX parcels_identity ON parcels (fips, stripped_key, municipality, parcel_key);
-- Filters that are often used alone. Columns after the id spare reading the row.
CREATE INDEX parcels_by_state ON parcels (state, id, assigned, residential);
CREATE INDEX parcels_by_county ON parcels (fips, id, assigned, residential);
CREATE INDEX parcels_by_city ON parcels (state, city, id, assigned);
CREATE INDEX parcels_by_zip ON parcels (state, zip, id, assigned);
CREATE INDEX parcels_by_use ON parcels (state, use_code, id, assigned);
CREATE INDEX parcels_by_transfer ON parcels (state, transfer_day, id);

-- The record itself, and the keys under which the other tables hold it, so that a refresh can take
-- them back.
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  loaded_at INTEGER NOT NULL,      -- epoch seconds of the last change
  field_values TEXT NOT NULL,      -- the values of its fields, see record/stored.ts
  keys TEXT NOT NULL,              -- see packed-keys.ts
  -- Checksum of the record, its id, its time and its polygon, see record-checksum.ts
  sum INTEGER NOT NULL DEFAULT 0,
  -- Its canonical owner and whether it is residential, in one number (see owned.ts), so that a
  -- record is read without its row of `parcels`
  owned INTEGER NOT NULL DEFAULT 0,
  -- Its polygon. A table of its own would cost each record another descent
  geojson TEXT,
  -- With a polygon: the properties of the parcel on a map tile
  tile_text TEXT
) STRICT;

-- Polygons as statements of both stores read them.
CREATE VIEW geometries AS SELECT id, geojson FROM records WHERE geojson IS NOT NULL;

-- One row a further parcel ID.
CREATE TABLE alternate_ids (
  fips INTEGER NOT NULL,
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (fips, key, id)
) STRICT, WITHOUT ROWID;

-- Situs addresses by strict key; kind 0: its own, 1: a range's member, 2: a bare highway.
CREATE TABLE situs (
  state TEXT NOT NULL,
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  unit TEXT NOT NULL,
  kind INTEGER NOT NULL,
  own_key TEXT NOT NULL,           -- its strict key where kind is not 0, else ''
  PRIMARY KEY (state, key, id, unit, kind, own_key)
) STRICT, WITHOUT ROWID;

-- Loose keys, by which a forgiving lookup finds strict keys.
CREATE TABLE loose_situs (
  state TEXT NOT NULL,
  loose_key TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (state, loose_key, key)
) STRICT, WITHOUT ROWID;

-- Owners by surname or by an organization's first word; see model/owner.ts. kind 0: person, 1:
-- organization.
CREATE TABLE owner_heads (
  state TEXT NOT NULL,
  head TEXT NOT NULL,
  id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  fips INTEGER NOT NULL,
  rest TEXT NOT NULL,
  PRIMARY KEY (state, head, id, slot, kind)
) STRICT, WITHOUT ROWID;

-- One row a word of an owner name.
CREATE TABLE owner_words (
  state TEXT NOT NULL,
  word TEXT NOT NULL,
  id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  fips INTEGER NOT NULL,
  PRIMARY KEY (state, word, id, slot)
) STRICT, WITHOUT ROWID;

-- Words of owners by each form with one letter left out: the candidates of a fuzzy search.
CREATE TABLE owner_deletions (
  state TEXT NOT NULL,
  deletion TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (state, deletion, word)
) STRICT, WITHOUT ROWID;

-- Numbers of parcels in a state with the same canonical owner.
CREATE TABLE owner_counts (
  owner INTEGER PRIMARY KEY,       -- shows the state too
  parcels INTEGER NOT NULL,
  residential INTEGER NOT NULL,
  other INTEGER NOT NULL           -- those that are known not to be residential
) STRICT;

-- Facts of parcels by column, which questions scan: a row per block of 16,384 record IDs and fact.
-- Fact 0 are the ids. All rows of a block have the same random version. See store/facts/.
CREATE TABLE facts (
  state TEXT NOT NULL,
  fact INTEGER NOT NULL,
  block INTEGER NOT NULL,
  version INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (state, fact, block)
) STRICT;

-- Owners of more than one parcel, which requests read: a tenth of the owners, so that the table
-- stays in memory.
CREATE TABLE shared_owners (
  owner INTEGER PRIMARY KEY,
  parcels INTEGER NOT NULL,
  residential INTEGER NOT NULL,
  other INTEGER NOT NULL
) STRICT;

-- Parcels by cell of their point, with the days of sales, and which have an address, see grid.ts.
CREATE TABLE grid (cell INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- Bounds of the polygon of a parcel, where one is loaded, in ten-millionths of a degree.
CREATE VIRTUAL TABLE shapes USING rtree_i32(id, west, east, south, north);

-- Points by tile of zoom 14, for maps of a whole state.
CREATE TABLE point_counts (cell INTEGER PRIMARY KEY, parcels INTEGER NOT NULL) STRICT;

-- The newest record id, and later an identifier of the file's state for its page checksums.
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('parcel', 0);

-- The loaded rolls: one row per roll scope.
CREATE TABLE scopes (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  parcels INTEGER NOT NULL,
  roll_year INTEGER,
  loaded_at INTEGER NOT NULL,
  filled TEXT NOT NULL,            -- JSON: coverage field to number of parcels that have it
  PRIMARY KEY (fips, municipality)
) STRICT, WITHOUT ROWID;

-- Errors of estimates of past sales in a county, measured by its last import.
CREATE TABLE sale_tests (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  result TEXT NOT NULL,            -- JSON
  PRIMARY KEY (state, fips)
) STRICT, WITHOUT ROWID;

-- The quality of a county, measured by each import (seconds).
CREATE TABLE qualities (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  loaded_at INTEGER NOT NULL,
  result TEXT NOT NULL,            -- JSON
  PRIMARY KEY (state, fips, loaded_at)
) STRICT, WITHOUT ROWID;

-- Where parcels come from: the lines of their rows, by block of 16,384 record IDs and import.
-- Numbers ascend among the imports of a state. See store/origins/.
CREATE TABLE origins (
  state TEXT NOT NULL,
  block INTEGER NOT NULL,
  number INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (state, block, number)
) STRICT, WITHOUT ROWID;

-- Files, columns and mapping of an import whose rows some parcels come from.
CREATE TABLE origin_imports (
  state TEXT NOT NULL,
  number INTEGER NOT NULL,
  import INTEGER NOT NULL,
  scopes TEXT NOT NULL,            -- JSON of [fips, municipality]
  document BLOB NOT NULL,
  PRIMARY KEY (state, number)
) STRICT, WITHOUT ROWID;

-- Rows as recorded, where the import kept its source: chunks by file and first line.
CREATE TABLE kept_rows (
  state TEXT NOT NULL,
  number INTEGER NOT NULL,
  part INTEGER NOT NULL,
  line INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (state, number, part, line)
) STRICT;

-- The token of the last import that wrote a roll scope, while nothing has changed it since: by it
-- an import knows that the kept parcels still come from the rows that it remembers.
CREATE TABLE roll_tokens (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (state, fips, municipality)
) STRICT, WITHOUT ROWID;

-- The history of imports, and the data that undoes the last one of a roll scope.

-- One row per import, undo or unload. Its id is never used again.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,              -- import, past, undo or unload
  loaded_at INTEGER NOT NULL,      -- epoch seconds
  mapping TEXT NOT NULL,           -- empty where there is none
  files TEXT NOT NULL,             -- JSON list of the paths as they were given
  rows INTEGER NOT NULL,           -- rows read; rejected, skipped, duplicates count rows too
  rejected INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  unplaced INTEGER NOT NULL,       -- rows that had a shape and got no place
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
-- removed.
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
  use_code TEXT NOT NULL,          -- code of tables/use-codes.tsv; '': unknown
  residential INTEGER,
  transfer_day INTEGER,
  assigned INTEGER NOT NULL,
  roll_year INTEGER,
  filled INTEGER NOT NULL,
  field_values TEXT NOT NULL,
  keys TEXT NOT NULL,
  geometry TEXT,
  local_use TEXT NOT NULL DEFAULT '',
  x INTEGER,
  y INTEGER,
  cell INTEGER,
  owner INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX import_images_by_scope ON import_images (fips, municipality);

-- Changes by imports, a row per changed parcel; a first load of a roll scope is one row.
CREATE TABLE changes (
  state TEXT NOT NULL,
  sequence INTEGER NOT NULL,       -- grows by one per state, and is never used again
  what TEXT NOT NULL,              -- added, changed, removed or loaded
  id INTEGER,                      -- null: loaded
  property_id TEXT,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  groups INTEGER NOT NULL,         -- bits of the groups of fields that changed
  parcels INTEGER,                 -- of a loaded scope
  loaded_at INTEGER NOT NULL,      -- epoch seconds
  import INTEGER NOT NULL,
  PRIMARY KEY (state, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX changes_by_time ON changes (state, loaded_at, sequence);
CREATE INDEX changes_by_county ON changes (state, fips, sequence);

-- The newest sequence number that was assigned.
CREATE TABLE change_heads (
  state TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Earlier versions of parcels, see store/versions/: a row per change, whose difference makes what
-- was before of what is after.
CREATE TABLE versions (
  state TEXT NOT NULL,
  id INTEGER NOT NULL,
  day INTEGER NOT NULL,            -- of the vintage that made the change, days since 1970-01-01
  import INTEGER NOT NULL,
  what INTEGER NOT NULL,           -- 0 added, 1 changed, 2 removed
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  loaded_at INTEGER NOT NULL,      -- of the version before, epoch seconds
  difference TEXT NOT NULL,
  PRIMARY KEY (state, id, day, import)
) STRICT, WITHOUT ROWID;

-- What finds a version that is found otherwise now: see listKeys of store/versions/. A superset.
CREATE TABLE past_keys (
  state TEXT NOT NULL,
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (state, key, id)
) STRICT, WITHOUT ROWID;

-- The rolls of which versions are kept, and the present one of each roll scope.
CREATE TABLE vintages (
  state TEXT NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  day INTEGER NOT NULL,
  import INTEGER NOT NULL,
  roll_year INTEGER,
  source TEXT NOT NULL,            -- name of its mapping
  loaded_at INTEGER NOT NULL,
  PRIMARY KEY (state, fips, municipality, day, import)
) STRICT, WITHOUT ROWID;

-- What parcels came from: a link between a parcel before a roll and one after it, see
-- store/lineage/.
CREATE TABLE lineage (
  state TEXT NOT NULL,
  parent INTEGER NOT NULL,
  child INTEGER NOT NULL,
  day INTEGER NOT NULL,            -- of the roll, days since 1970-01-01
  import INTEGER NOT NULL,
  fips INTEGER NOT NULL,
  municipality TEXT NOT NULL,
  kind INTEGER NOT NULL,           -- 0 split, 1 merge, 2 adjustment, 3 renumbered
  parent_share INTEGER,            -- ten-thousandths of the parent's area; null: no polygons
  child_share INTEGER,
  evidence INTEGER NOT NULL,       -- bits of EVIDENCE in store/lineage/link.ts
  PRIMARY KEY (state, parent, child, day, import)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_by_child ON lineage (state, child);
