-- The properties of a parcel on a map tile, stored beside its polygon, because reading whole
-- records took most of a tile's time. Null: it is made of the record; the next import of the
-- parcel's roll fills it.
ALTER TABLE geometries ADD COLUMN tile_text TEXT;

CREATE TRIGGER tile_text_update AFTER UPDATE OF leaves ON records WHEN OLD.leaves <> NEW.leaves
BEGIN
  UPDATE geometries SET tile_text = NULL WHERE id = NEW.id;
END;
