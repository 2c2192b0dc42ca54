-- The rolls: what a parcel is found by stands apart from its record, so that walks read narrow rows
-- only.

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
  use_code TEXT NOT NULL,
  residential INTEGER,             -- 0, 1 or null: unknown
  transfer_day INTEGER,            -- days since 1970-01-01
  assigned INTEGER NOT NULL,       -- 1: has a street number and name
  roll_year INTEGER,
  filled INTEGER NOT NULL          -- coverage fields it has, a bit each, see model/coverage.ts
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
  leaves TEXT NOT NULL,            -- see layout/leaves.ts
  keys TEXT NOT NULL               -- JSON, see parcel-keys.ts
) STRICT;

CREATE TABLE geometries (id INTEGER PRIMARY KEY, geojson TEXT NOT NULL) STRICT;

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
