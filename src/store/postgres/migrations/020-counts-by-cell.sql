-- A map's tile names no state, and the primary key begins with one: before PostgreSQL 18 the whole
-- of it was read.
CREATE INDEX point_counts_by_cell ON point_counts (cell) INCLUDE (parcels);
