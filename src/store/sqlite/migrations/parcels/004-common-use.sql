-- Use in common codes, for property search; empty: unknown, also for parcels that were loaded
-- before.
ALTER TABLE parcels ADD COLUMN common_use TEXT NOT NULL DEFAULT '';
ALTER TABLE import_images ADD COLUMN common_use TEXT NOT NULL DEFAULT '';
