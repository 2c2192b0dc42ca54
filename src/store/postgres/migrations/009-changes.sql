-- Changes by imports, a row per changed parcel; a first load of a roll scope is one row.
CREATE TABLE changes (
  state text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,         -- grows by one per state, and is never used again
  what text NOT NULL,               -- added, changed, removed or loaded
  id bigint,                        -- null: loaded
  property_id text COLLATE "C",
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  groups integer NOT NULL,          -- bits of the groups of fields that changed
  parcels bigint,                   -- of a loaded scope
  loaded_at bigint NOT NULL,        -- epoch seconds
  import bigint NOT NULL,
  PRIMARY KEY (state, sequence)
);
CREATE INDEX changes_by_time ON changes (state, loaded_at, sequence);
CREATE INDEX changes_by_county ON changes (state, fips, sequence);

-- The newest sequence number that was assigned.
CREATE TABLE change_heads (
  state text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL
);
