/**
 * Maintains the place indexes: the grid of points, an R-tree of polygon bounds, and counts by tile.
 * The points are columns of `parcels`, so that one statement writes all changes.
 */
import type { DatabaseSync } from 'node:sqlite'
import { boundsInUnits } from '../../places.ts'
import { CELL, CELLS_OF_PARCELS, ENTRY, saleDay, WIDTH } from '../grid.ts'

/** Removes what `staging.change` removes, before `parcels` and `records` are written. */
export function removePlaces(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE moved AS SELECT c.id, p.x, p.cell, ${CELL} AS grid_cell
      FROM staging.change c JOIN main.parcels p ON p.id = c.id
      LEFT JOIN staging.staged s ON s.seq = c.seq
      WHERE c.what <> 'same' AND (p.x IS NOT s.x OR p.y IS NOT s.y
        OR p.assigned <> s.assigned OR ${saleDay('p')} IS NOT ${saleDay('s')});
    INSERT INTO main.point_counts (cell, parcels)
      SELECT cell, -count(*) FROM temp.moved WHERE x IS NOT NULL GROUP BY cell
      ON CONFLICT (cell) DO UPDATE SET parcels = parcels + excluded.parcels;
    DELETE FROM main.shapes WHERE id IN (SELECT id FROM staging.change WHERE what = 'removed')`)
}

/** Adds the entries that `staging.change` adds, after `parcels` and `records` were written. */
export function addPlaces(db: DatabaseSync): void {
  const added = `FROM staging.change c JOIN main.parcels p ON p.id = c.id
    WHERE p.x IS NOT NULL AND (c.what = 'new' OR c.id IN (SELECT id FROM temp.moved))`
  changeGrid(db, added)
  db.exec(`
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
    if (geometry !== '') insert(id, geometry)
  }
}

/** Writes the tile texts of polygons that have none and meet a condition. */
export function addTileTexts(db: DatabaseSync, condition: string): void {
  db.exec(`UPDATE main.records SET tile_text = tile_text_of(field_values, geojson)
    WHERE geojson IS NOT NULL AND tile_text IS NULL AND ${condition}`)
}

/** Adds the index entries of all parcels, where there are none yet. */
export function fillPlaces(db: DatabaseSync): void {
  db.exec(`INSERT INTO main.grid ${CELLS_OF_PARCELS};
    INSERT INTO main.point_counts (cell, parcels)
      SELECT cell, count(*) FROM main.parcels WHERE x IS NOT NULL GROUP BY cell`)
  const insert = openShapes(db)
  const shapes = db.prepare('SELECT id, geojson FROM main.records WHERE geojson IS NOT NULL')
  for (const { id, geojson } of shapes.iterate() as Iterable<{ id: number; geojson: string }>) {
    insert(id, geojson)
  }
}

/** Changes the cells that parcels leave or come to. `added`: SQL from which those come. */
function changeGrid(db: DatabaseSync, added: string): void {
  const read = db.prepare('SELECT data FROM main.grid WHERE cell = ?')
  const write = db.prepare('INSERT OR REPLACE INTO main.grid VALUES (?, ?)')
  const erase = db.prepare('DELETE FROM main.grid WHERE cell = ?')
  const changes = db.prepare(`SELECT cell, unhex(group_concat(entry, '' ORDER BY comes)) AS data
    FROM (SELECT grid_cell AS cell, printf('%010xffffffffffffff', id) AS entry, 0 AS comes
        FROM temp.moved WHERE x IS NOT NULL
      UNION ALL SELECT ${CELL}, ${ENTRY}, 1 ${added})
    GROUP BY cell`)
  type Change = { cell: number; data: Uint8Array }
  for (const { cell, data } of changes.iterate() as Iterable<Change>) {
    const entries = new Map<number, Buffer>()
    const kept = (read.get(cell)?.data ?? new Uint8Array()) as Uint8Array
    const all = Buffer.concat([kept, data])
    for (let at = 0; at < all.length; at += WIDTH) {
      const entry = all.subarray(at, at + WIDTH)
      const id = entry.readUIntBE(0, 5)
      if (entry.readInt16BE(5) < 0) entries.delete(id)
      else entries.set(id, entry)
    }
    const sorted = [...entries].sort(([a], [b]) => a - b).map(([, entry]) => entry)
    if (sorted.length === 0) erase.run(cell)
    else write.run(cell, Buffer.concat(sorted))
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
