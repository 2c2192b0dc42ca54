-- How many parcels of a state have the same canonical owner. Parcels that were loaded before have none until their
-- roll is loaded again.
ALTER TABLE parcels ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE import_images ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE owner_counts (
  state text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  parcels integer NOT NULL,
  residential integer NOT NULL,
  other integer NOT NULL,
  PRIMARY KEY (state, owner)
);
