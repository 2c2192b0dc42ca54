-- Number of parcels in a state with the same canonical owner. Parcels loaded before have none until
-- their roll is loaded again.
ALTER TABLE parcels ADD COLUMN owner bigint NOT NULL DEFAULT 0;
ALTER TABLE import_images ADD COLUMN owner bigint NOT NULL DEFAULT 0;

CREATE TABLE owner_counts (
  state text COLLATE "C" NOT NULL,
  owner bigint NOT NULL,
  parcels integer NOT NULL,
  residential integer NOT NULL,
  other integer NOT NULL,
  PRIMARY KEY (state, owner)
);
