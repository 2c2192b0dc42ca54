-- The canonical owner of the record's parcel, so that the owner's parcels in the state are counted
-- without reading the parcel. 0: read it from the parcel, as for records loaded before.
ALTER TABLE records ADD COLUMN owner bigint NOT NULL DEFAULT 0;
