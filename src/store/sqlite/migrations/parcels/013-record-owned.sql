-- Of the record's parcel: its canonical owner, whether it has a street number and name, and whether
-- it is residential, in one number (see owned.ts), so that a record is read without its row of
-- `parcels`. Null: read them there, as for records loaded before.
ALTER TABLE records ADD COLUMN owned INTEGER;
