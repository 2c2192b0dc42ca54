/** Fills in points, bounds and counts of parcels that an earlier version loaded without them. */
import type { DatabaseSync } from 'node:sqlite'
import type { PlaceFiller, ReadPlace } from '../../places.ts'
import { transaction } from '../connection.ts'
import { renewPageSums, stampWritten } from '../page-sums.ts'
import { openShapes } from './place-writer.ts'
import { writeBounds } from './roll-common.ts'

/** Parcels per transaction, which takes some 100 ms. */
const SLICE = 2000

/** Range of ids from which a slice takes distant ones. */
const WINDOW = 100_000

/**
 * Distance between successive ids, so that neighbours in a roll are inserted far apart. A tree
 * filled in the order of the land splits its nodes into long strips: reading a box then took five
 * times as long. A prime, so that every id of a window is reached.
 */
const STRIDE = 7919

type Row = { id: number; fieldValues: string; geojson: string | null; isPlaced: number }

/** Opens the filler on a connection; it closes the connection. */
export function openPlaceFiller(db: DatabaseSync): PlaceFiller {
  const isDone = () => {
    const { wanted, filled } = readProgress(db)
    return filled >= wanted
  }
  return {
    isDone: async () => isDone(),
    async fillSlice(readPlace) {
      if (isDone()) return false
      const isLast = transaction(db, () => fillNext(db, readPlace))
      if (isLast) renewPageSums(db)
      return !isLast
    },
    async close() {
      db.close()
    },
  }
}

/** Fills the next slice inside the caller's transaction; returns `true` for the last one. */
function fillNext(db: DatabaseSync, readPlace: ReadPlace): boolean {
  const { wanted, filled } = readProgress(db)
  if (filled >= wanted) return true
  const ids = listIds(filled, wanted)
  const rows = db
    .prepare(`SELECT r.id, r.field_values AS fieldValues, g.geojson, p.x IS NOT NULL AS isPlaced
      FROM json_each(?) e CROSS JOIN main.parcels p ON p.id = e.value
      CROSS JOIN main.records r ON r.id = p.id LEFT JOIN main.geometries g ON g.id = p.id`)
    .all(JSON.stringify(ids)) as Row[]
  writeRows(db, rows, readPlace)
  const done = filled + ids.length
  db.prepare("UPDATE main.counters SET value = ? WHERE name = 'places_filled'").run(done)
  if (done >= wanted) writeBounds(db)
  stampWritten(db)
  return done >= wanted
}

/** A parcel that an import has written since has its place already, and perhaps its bounds. */
function writeRows(db: DatabaseSync, rows: Row[], readPlace: ReadPlace): void {
  const update = db.prepare('UPDATE main.parcels SET x = ?, y = ?, cell = ? WHERE id = ?')
  const point = db.prepare('INSERT INTO main.points VALUES (?, ?, ?, ?, ?)')
  const count = db.prepare(`INSERT INTO main.point_counts (cell, parcels) VALUES (?, 1)
    ON CONFLICT (cell) DO UPDATE SET parcels = parcels + 1`)
  const erase = db.prepare('DELETE FROM main.shapes WHERE id = ?')
  const shape = openShapes(db)
  for (const { id, fieldValues, geojson, isPlaced } of rows) {
    if (geojson !== null) {
      erase.run(id)
      shape(id, geojson)
    }
    if (isPlaced === 1) continue
    const { x, y, cell } = readPlace(fieldValues)
    if (x === null || y === null || cell === null) continue
    update.run(x, y, cell, id)
    point.run(id, x, x, y, y)
    count.run(cell)
  }
}

/**
 * Returns the ids of the next slice, taken from a window with a stride, so that a slice is not a
 * strip of land.
 */
function listIds(filled: number, wanted: number): number[] {
  const from = Math.floor(filled / WINDOW) * WINDOW
  const size = Math.min(WINDOW, wanted - from)
  const stride = size % STRIDE === 0 ? 1 : STRIDE
  const steps = Math.min(SLICE, from + size - filled)
  return Array.from({ length: steps }, (_, at) => {
    return from + 1 + (((filled - from + at) * stride) % size)
  })
}

function readProgress(db: DatabaseSync): { wanted: number; filled: number } {
  const read = db.prepare('SELECT value FROM main.counters WHERE name = ?')
  const readCounter = (name: string) => Number(read.get(name)?.value ?? 0)
  return { wanted: readCounter('places_wanted'), filled: readCounter('places_filled') }
}
