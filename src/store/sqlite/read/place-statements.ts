/** Statements about places with constant text. */
export const PLACES = {
  // Values: the box, the first day, the limit.
  sales: `SELECT c.id, p.state, p.x, p.y FROM (SELECT id FROM sales
      WHERE west >= ? AND west <= ? AND south >= ? AND south <= ? AND day >= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  shapes: `SELECT c.id, p.state FROM (SELECT id FROM shapes
      WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?) c
    CROSS JOIN parcels p ON p.id = c.id LIMIT +?`,
  counts: `SELECT (cell >> 14) >> ? AS x, (cell & 16383) >> ? AS y, sum(parcels) FROM point_counts
    WHERE cell >= ? AND cell <= ? AND (cell & 16383) BETWEEN ? AND ? GROUP BY x, y`,
  ready: `SELECT (SELECT value FROM counters WHERE name = 'places_filled')
    >= (SELECT value FROM counters WHERE name = 'places_wanted')`,
} as const
