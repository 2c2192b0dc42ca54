-- The rolls. Every table has the state in its key, so that a cluster may keep each state in one
-- place of its own (docs/decisions/citus.md). Texts that are compared or ordered are so by their
-- bytes: COLLATE "C".

-- Ids grow with first insertion within a state. Whoever draws ids holds the state's lock until the
-- commit.
CREATE SEQUENCE parcel_ids;

-- One row a parcel: identity and what property search filters by. Empty text: unknown.
CREATE TABLE parcels (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  fips integer NOT NULL,            -- five-digit county FIPS code
  municipality text COLLATE "C" NOT NULL,
  stripped_key text COLLATE "C" NOT NULL,  -- parcel ID, A-Z and 0-9 only
  parcel_key text COLLATE "C" NOT NULL,    -- recorded ID, upper-cased and trimmed
  city text COLLATE "C" NOT NULL,
  zip text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,          -- unit key of its situs address
  use_code text COLLATE "C" NOT NULL,
  residential boolean,
  transfer_day integer,             -- days since 1970-01-01
  assigned boolean NOT NULL,        -- has a street number and name
  roll_year integer,
  filled integer NOT NULL,          -- coverage fields it has, a bit each, see model/coverage.ts
  PRIMARY KEY (state, id) INCLUDE (assigned, residential)
);
CREATE UNIQUE INDEX parcels_identity
  ON parcels (state, fips, stripped_key, municipality, parcel_key) INCLUDE (id);
-- Filters that are often used alone. Columns after the id spare reading the row.
CREATE INDEX parcels_by_county ON parcels (state, fips, id) INCLUDE (assigned, residential);
CREATE INDEX parcels_by_city ON parcels (state, city, id) INCLUDE (assigned);
CREATE INDEX parcels_by_zip ON parcels (state, zip, id) INCLUDE (assigned);
CREATE INDEX parcels_by_use ON parcels (state, use_code, id) INCLUDE (assigned);
CREATE INDEX parcels_by_transfer ON parcels (state, transfer_day, id);

-- The stored form of the record; see record/stored.ts.
CREATE TABLE records (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  loaded_at bigint NOT NULL,        -- epoch seconds of the last change
  leaves text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, id)
);

-- The keys of a parcel in the tables below, so that a refresh can remove them; see
-- store/parcel-keys.ts.
CREATE TABLE record_keys (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  keys text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, id)
);

CREATE TABLE geometries (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  geojson text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, id)
);

CREATE TABLE alternate_ids (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (state, fips, key, id)
);

-- Situs addresses by strict key; kind 0: its own, 1: a range's member, 2: a bare highway.
CREATE TABLE situs (
  state text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  unit text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  own_key text COLLATE "C" NOT NULL, -- its strict key where kind is not 0, else ''
  PRIMARY KEY (state, key, id, unit, kind, own_key)
);

-- Loose keys, by which a forgiving lookup finds strict keys.
CREATE TABLE loose_situs (
  state text COLLATE "C" NOT NULL,
  loose_key text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, loose_key, key)
);

-- Owners by surname or by an organization's first word; see model/owner.ts. kind 0: person, 1:
-- organization.
CREATE TABLE owner_heads (
  state text COLLATE "C" NOT NULL,
  head text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  slot smallint NOT NULL,
  kind smallint NOT NULL,
  fips integer NOT NULL,
  rest text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, head, id, slot, kind) INCLUDE (fips)
);

CREATE TABLE owner_words (
  state text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  slot smallint NOT NULL,
  fips integer NOT NULL,
  PRIMARY KEY (state, word, id, slot) INCLUDE (fips)
);

-- Words of owners by each form with one letter left out: the candidates of a fuzzy search.
CREATE TABLE owner_deletions (
  state text COLLATE "C" NOT NULL,
  deletion text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, deletion, word)
);

-- The loaded rolls: one row per roll scope.
CREATE TABLE scopes (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  parcels bigint NOT NULL,
  roll_year integer,
  loaded_at bigint NOT NULL,
  filled text NOT NULL,             -- JSON: coverage field to number of parcels that have it
  PRIMARY KEY (state, fips, municipality)
);
