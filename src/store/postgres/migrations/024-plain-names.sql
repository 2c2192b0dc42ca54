-- The text of a record: the values of its fields (see record/stored.ts).
ALTER TABLE records RENAME COLUMN leaves TO field_values;
ALTER TABLE import_images RENAME COLUMN leaves TO field_values;

-- A county's test of sale estimates, as JSON.
ALTER TABLE sale_tests RENAME COLUMN told TO result;

-- Older programs would not find the columns.
UPDATE accounts_state SET oldest = 24;
