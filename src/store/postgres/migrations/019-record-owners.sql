-- A record knows the canonical owner of its parcel, so that what the owner has in the state is
-- counted without reading the parcel. 0: the parcel tells it, as for records that were loaded
-- before.
ALTER TABLE records ADD COLUMN owner bigint NOT NULL DEFAULT 0;
