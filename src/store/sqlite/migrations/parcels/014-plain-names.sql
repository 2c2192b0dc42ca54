-- The text of a record: the values of its fields (see record/stored.ts). SQLite also renames the
-- column in the trigger on it.
ALTER TABLE records RENAME COLUMN leaves TO field_values;
ALTER TABLE import_images RENAME COLUMN leaves TO field_values;

-- A county's test of sale estimates, as JSON.
ALTER TABLE sale_tests RENAME COLUMN told TO result;
