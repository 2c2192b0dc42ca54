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
