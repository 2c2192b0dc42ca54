-- Records are packed (store/postgres/pack); one that begins with a hex digit is the text itself.
-- Citus takes one change of a table at a time.
ALTER TABLE records ALTER COLUMN leaves TYPE bytea USING convert_to(leaves, 'UTF8');
ALTER TABLE import_images ALTER COLUMN leaves TYPE bytea USING convert_to(leaves, 'UTF8');

-- States with records that are not packed yet, and the id up to which they are. An import packs
-- those of its states.
CREATE TABLE raw_records (
  state text COLLATE "C" PRIMARY KEY,
  packed_to bigint NOT NULL
);
INSERT INTO raw_records SELECT DISTINCT state, 0 FROM scopes;
