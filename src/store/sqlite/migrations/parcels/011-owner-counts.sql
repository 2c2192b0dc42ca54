-- How many parcels of a state have the same canonical owner. Parcels that were loaded before have none until their
-- roll is loaded again.
ALTER TABLE parcels ADD COLUMN owner TEXT NOT NULL DEFAULT '';        -- see parcel-keys.ts; empty: nobody is named
ALTER TABLE import_images ADD COLUMN owner TEXT NOT NULL DEFAULT '';

CREATE TABLE owner_counts (
  state TEXT NOT NULL,
  owner TEXT NOT NULL,
  parcels INTEGER NOT NULL,
  residential INTEGER NOT NULL,
  other INTEGER NOT NULL,          -- those that are known not to be residential
  PRIMARY KEY (state, owner)
) STRICT, WITHOUT ROWID;
