-- Tiles are read without a state, but the primary key begins with one: before PostgreSQL 18 the
-- whole index was read.
CREATE INDEX point_counts_by_cell ON point_counts (cell) INCLUDE (parcels);
