/**
 * Maintains the place indexes: R-trees of points and polygon bounds, and counts by tile. The points
 * are columns of `parcels`, so that one statement writes all changes.
 */
import type { DatabaseSync } from 'node:sqlite'
import { boundsInUnits } from '../../places.ts'
import { POINTS, packTree, SALES } from './pack-tree.ts'

/** Removes what `staging.change` removes, before `parcels` and `records` are written. */
export function removePlaces(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE moved AS SELECT c.id, p.x, p.cell
      FROM staging.change c JOIN main.parcels p ON p.id = c.id
      LEFT JOIN staging.staged s ON s.seq = c.seq
      WHERE c.what <> 'same' AND (p.x IS NOT s.x OR p.y IS NOT s.y);
    DELETE FROM main.points WHERE id IN (SELECT id FROM temp.moved WHERE x IS NOT NULL);
    INSERT INTO main.point_counts (cell, parcels)
      SELECT cell, -count(*) FROM temp.moved WHERE x IS NOT NULL GROUP BY cell
      ON CONFLICT (cell) DO UPDATE SET parcels = parcels + excluded.parcels;
    DELETE FROM main.shapes WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed')`)
}

/** Adds the entries that `staging.change` adds, after `parcels` and `records` were written. */
export function addPlaces(db: DatabaseSync): void {
  const added = `FROM staging.change c JOIN main.parcels p ON p.id = c.id
    WHERE p.x IS NOT NULL AND (c.what = 'new' OR c.id IN (SELECT id FROM temp.moved))`
  db.exec(`
    INSERT INTO main.points SELECT p.id, p.x, p.x, p.y, p.y ${added};
    INSERT INTO main.point_counts (cell, parcels) SELECT p.cell, count(*) ${added} GROUP BY p.cell
      ON CONFLICT (cell) DO UPDATE SET parcels = parcels + excluded.parcels;
    DELETE FROM main.point_counts WHERE parcels = 0;
    DROP TABLE temp.moved`)
  const changed = db.prepare(`SELECT c.id, s.geometry FROM staging.change c
    JOIN staging.staged s ON s.seq = c.seq WHERE c.what <> 'same' AND s.geometry IS NOT NULL`)
  const erase = db.prepare('DELETE FROM main.shapes WHERE id = ?')
  const insert = openShapes(db)
  for (const { id, geometry } of changed.iterate() as Iterable<{ id: number; geometry: string }>) {
    erase.run(id)
    insert(id, geometry)
  }
}

/** Writes the tile texts of polygons that have none and meet a condition. */
export function addTileTexts(db: DatabaseSync, condition: string): void {
  db.exec(`UPDATE main.records SET tile_text = tile_text_of(field_values, geojson)
    WHERE geojson IS NOT NULL AND tile_text IS NULL AND ${condition}`)
}

/** Adds the index entries of parcels in a range of ids; there are no others in the store. */
export function fillPlaces(db: DatabaseSync, afterId: number, lastId: number): void {
  packTree(db, POINTS, { afterId, lastId })
  packTree(db, SALES, { afterId, lastId })
  db.prepare(`INSERT INTO main.point_counts (cell, parcels) SELECT cell, count(*) FROM main.parcels
      WHERE id > ? AND id <= ? AND x IS NOT NULL GROUP BY cell
    ON CONFLICT (cell) DO UPDATE SET parcels = parcels + excluded.parcels`).run(afterId, lastId)
  const insert = openShapes(db)
  const shapes = db.prepare(
    'SELECT id, geojson FROM main.records WHERE id > ? AND id <= ? AND geojson IS NOT NULL',
  )
  type Row = { id: number; geojson: string }
  for (const { id, geojson } of shapes.iterate(afterId, lastId) as Iterable<Row>) {
    insert(id, geojson)
  }
}

/** Returns the function that inserts the bounds of a polygon that has points. */
function openShapes(db: DatabaseSync): (id: number, geojson: string) => void {
  const insert = db.prepare('INSERT INTO main.shapes VALUES (?, ?, ?, ?, ?)')
  return (id, geojson) => {
    const bounds = boundsInUnits(geojson)
    if (bounds === null) return
    insert.run(id, bounds.west, bounds.east, bounds.south, bounds.north)
  }
}
