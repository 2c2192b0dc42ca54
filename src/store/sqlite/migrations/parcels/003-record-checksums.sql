-- A checksum of each record, its id, its time and its polygon: see record-checksum.ts.
ALTER TABLE records ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
UPDATE records SET sum = record_sum(id, loaded_at, leaves,
  (SELECT geojson FROM geometries g WHERE g.id = records.id));
