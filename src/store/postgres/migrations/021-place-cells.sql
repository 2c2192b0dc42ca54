-- Where each state's parcels are: the south-western corners of cells of one degree, and 999 for a
-- polygon wider than a cell. A superset: cells are removed with the last parcel of a state. On a
-- cluster it is a table of the coordinator, which tells the states to which a search by place is
-- sent.
CREATE TABLE place_cells (
  state text COLLATE "C" NOT NULL,
  x smallint NOT NULL,
  y smallint NOT NULL,
  PRIMARY KEY (x, y, state)
);
INSERT INTO place_cells SELECT DISTINCT state, floor(x::float8 / 10000000)::smallint,
    floor(y::float8 / 10000000)::smallint
  FROM parcels WHERE x IS NOT NULL;
INSERT INTO place_cells SELECT DISTINCT state,
    unnest(CASE WHEN is_wide THEN ARRAY[999] ELSE ARRAY[west, east, west, east] END)::smallint,
    unnest(CASE WHEN is_wide THEN ARRAY[999] ELSE ARRAY[south, south, north, north] END)::smallint
  FROM (SELECT state, west, south, east, north, east - west > 1 OR north - south > 1 AS is_wide
    FROM (SELECT state, floor((bounds[1])[0] / 10000000)::integer AS west,
        floor((bounds[1])[1] / 10000000)::integer AS south,
        floor((bounds[0])[0] / 10000000)::integer AS east,
        floor((bounds[0])[1] / 10000000)::integer AS north
      FROM shapes) b) c
  ON CONFLICT DO NOTHING;

-- Number of changes of each state's parcels, part of the ETag of tiles and coverage. Also a table
-- of the coordinator.
CREATE TABLE state_versions (
  state text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
);
INSERT INTO state_versions SELECT DISTINCT state, 1 FROM scopes;
