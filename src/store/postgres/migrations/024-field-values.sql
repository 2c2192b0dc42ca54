-- The text of a record: the values of its fields (see record/stored.ts).
ALTER TABLE records RENAME COLUMN leaves TO field_values;
ALTER TABLE import_images RENAME COLUMN leaves TO field_values;

-- Older programs would not find the column.
UPDATE accounts_state SET oldest = 24;
