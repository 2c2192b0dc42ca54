-- Where parcels are, in ten millionths of a degree: searches by place, and tiles.

-- A parcel's point and its tile of zoom 14 (x * 16384 + y); null: unknown.
ALTER TABLE parcels ADD COLUMN x integer, ADD COLUMN y integer, ADD COLUMN cell integer;
ALTER TABLE import_images ADD COLUMN x integer, ADD COLUMN y integer, ADD COLUMN cell integer;
CREATE INDEX parcels_by_point ON parcels USING gist (point(x, y)) WHERE x IS NOT NULL;

-- The bounds of polygons, where they are loaded.
CREATE TABLE shapes (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  bounds box NOT NULL,
  PRIMARY KEY (state, id)
);
CREATE INDEX shapes_by_bounds ON shapes USING gist (bounds);

-- Points by tile of zoom 14, for maps of a whole state.
CREATE TABLE point_counts (
  state text COLLATE "C" NOT NULL,
  cell integer NOT NULL,
  parcels bigint NOT NULL,
  PRIMARY KEY (state, cell)
);

-- Records of an earlier version have no places yet. They are added in slices while the service
-- runs, up to the newest id of each state at that time.
CREATE TABLE places_wanted (
  state text COLLATE "C" PRIMARY KEY,
  filled_to bigint NOT NULL,
  last_id bigint NOT NULL
);
INSERT INTO places_wanted SELECT state, 0, max(id) FROM records GROUP BY state;
DELETE FROM import_images;
