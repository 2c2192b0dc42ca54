-- Where parcels are, in ten millionths of a degree: searches by place, and tiles.

-- A parcel's point and its tile of zoom 14 (x * 16384 + y); null: unknown.
ALTER TABLE parcels ADD COLUMN x INTEGER;
ALTER TABLE parcels ADD COLUMN y INTEGER;
ALTER TABLE parcels ADD COLUMN cell INTEGER;
ALTER TABLE import_images ADD COLUMN x INTEGER;
ALTER TABLE import_images ADD COLUMN y INTEGER;
ALTER TABLE import_images ADD COLUMN cell INTEGER;

-- The points, and the bounds of polygons where they are loaded.
CREATE VIRTUAL TABLE points USING rtree_i32(id, west, east, south, north);
CREATE VIRTUAL TABLE shapes USING rtree_i32(id, west, east, south, north);

-- Points by tile of zoom 14, for maps of a whole state.
CREATE TABLE point_counts (cell INTEGER PRIMARY KEY, parcels INTEGER NOT NULL) STRICT;

-- Records of an earlier version have no places yet. They are added in slices while the service
-- runs, up to the newest id of that time.
INSERT INTO counters SELECT 'places_wanted', coalesce(max(id), 0) FROM records;
INSERT INTO counters VALUES ('places_filled', 0);
DELETE FROM import_images;
