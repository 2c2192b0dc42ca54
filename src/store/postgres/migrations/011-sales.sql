-- Points of parcels whose newest transfer has a price: comparable sales. 4096 is the bit of
-- `salePrice` in `filled`.
CREATE INDEX parcels_by_sale ON parcels USING gist (point(x, y))
  WHERE x IS NOT NULL AND transfer_day IS NOT NULL AND filled & 4096 <> 0;
