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

-- Programs of version 21 or less cannot read packed records, and may be running while this is
-- applied. They read `accounts_version` four times a second and answer 503 where that fails with a
-- code of the class 57. A program reads `oldest`, the version below which none may go on serving: a
-- migration that changes what stored rows mean raises it.
ALTER TABLE accounts_version RENAME TO accounts_state;
ALTER TABLE accounts_state ADD COLUMN oldest integer NOT NULL DEFAULT 22;
CREATE FUNCTION refuse_older_programs() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this database was migrated by a newer Platbook' USING ERRCODE = '57P03';
END $$;
CREATE VIEW accounts_version AS SELECT refuse_older_programs() AS version;
