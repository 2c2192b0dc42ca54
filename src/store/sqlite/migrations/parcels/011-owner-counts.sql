-- Number of parcels in a state with the same canonical owner. Parcels loaded before have none until
-- their roll is loaded again. `owner`: see parcel-keys.ts; 0: nobody is named.
ALTER TABLE parcels ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE import_images ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;

CREATE TABLE owner_counts (
  owner INTEGER PRIMARY KEY,       -- tells the state too
  parcels INTEGER NOT NULL,
  residential INTEGER NOT NULL,
  other INTEGER NOT NULL           -- those that are known not to be residential
) STRICT;

-- Those of more than one parcel, which reads look at: a tenth of the owners, so that the table
-- stays in memory.
CREATE TABLE shared_owners (
  owner INTEGER PRIMARY KEY,
  parcels INTEGER NOT NULL,
  residential INTEGER NOT NULL,
  other INTEGER NOT NULL
) STRICT;
