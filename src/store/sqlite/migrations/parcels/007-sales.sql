-- Parcels by point and day of their newest transfer, where that has a price: comparable sales.
-- Triggers keep it, so that each statement that writes parcels keeps it in its own transaction.
-- 4096 is the bit of `salePrice` in `filled`.
CREATE VIRTUAL TABLE sales USING rtree_i32(id, west, east, south, north, day, last_day);

CREATE TRIGGER sales_insert AFTER INSERT ON parcels
  WHEN NEW.x IS NOT NULL AND NEW.transfer_day IS NOT NULL AND NEW.filled & 4096 <> 0
BEGIN
  INSERT INTO sales VALUES (NEW.id, NEW.x, NEW.x, NEW.y, NEW.y, NEW.transfer_day, NEW.transfer_day);
END;

CREATE TRIGGER sales_update AFTER UPDATE OF x, y, transfer_day, filled ON parcels
  WHEN OLD.x IS NOT NEW.x OR OLD.y IS NOT NEW.y OR OLD.transfer_day IS NOT NEW.transfer_day
    OR OLD.filled & 4096 <> NEW.filled & 4096
BEGIN
  DELETE FROM sales WHERE id = OLD.id;
  INSERT INTO sales SELECT NEW.id, NEW.x, NEW.x, NEW.y, NEW.y, NEW.transfer_day, NEW.transfer_day
    WHERE NEW.x IS NOT NULL AND NEW.transfer_day IS NOT NULL AND NEW.filled & 4096 <> 0;
END;

CREATE TRIGGER sales_delete AFTER DELETE ON parcels
  WHEN OLD.x IS NOT NULL AND OLD.transfer_day IS NOT NULL AND OLD.filled & 4096 <> 0
BEGIN
  DELETE FROM sales WHERE id = OLD.id;
END;

INSERT INTO sales SELECT id, x, x, y, y, transfer_day, transfer_day FROM parcels
  WHERE x IS NOT NULL AND transfer_day IS NOT NULL AND filled & 4096 <> 0;
