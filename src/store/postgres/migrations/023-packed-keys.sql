-- The keys of a parcel are packed beside its record (store/postgres/pack), and have no table.
ALTER TABLE records ADD COLUMN keys bytea;
-- Citus refuses `convert_to` with a column here, because that function is not immutable.
UPDATE records r SET keys = decode(replace(k.keys, '\', '\\'), 'escape') FROM record_keys k
  WHERE k.state = r.state AND k.id = r.id;
ALTER TABLE records ALTER COLUMN keys SET NOT NULL;
ALTER TABLE import_images ALTER COLUMN keys TYPE bytea USING convert_to(keys, 'UTF8');
DROP TABLE record_keys;
INSERT INTO raw_records SELECT DISTINCT state, 0 FROM scopes
  ON CONFLICT (state) DO UPDATE SET packed_to = 0;

-- Older programs would not find the keys.
UPDATE accounts_state SET oldest = 23;
