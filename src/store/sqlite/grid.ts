/**
 * The grid of points in `parcels.db`. A row has all parcels of a state in a cell in the order of
 * ids, each in twelve bytes. They are the id in five, the place within the cell in four, of which a
 * bit says that the parcel has a street number and name, and the day of the newest transfer, where
 * that has a price, in three.
 */
import { coverageBit } from '../../base/model/coverage.ts'
import type { UnitBox } from '../../base/model/geometry.ts'
import type { PointHit } from '../places.ts'
import type { Prepare } from './read/prepare.ts'

/** A cell is 2 ** 15 units wide and high: 0.0033 degrees, a few streets. */
const SIZE_BITS = 15
const SIZE = 2 ** SIZE_BITS
/** Added to the second half of the place of a parcel that has a street number and name. */
const ASSIGNED = SIZE
const COLUMN_BITS = 17
const COLUMNS = 2 ** COLUMN_BITS
const [WEST, SOUTH] = [-1_800_000_000, -900_000_000]
const [LAST_COLUMN, LAST_ROW] = [Math.floor((-2 * WEST) / SIZE), Math.floor((-2 * SOUTH) / SIZE)]

/** The last part of a cell's number is the state: its two letters. */
const [LETTERS, LETTER_A] = [26, 65]
const STATES = 2 ** 10
const rowOf = (cell: number) => Math.floor(cell / STATES / COLUMNS)

/** Bytes of an entry. */
export const WIDTH = 12
/** Added to days, so that they are above 0, which says that there is no sale. */
const DAY_0 = 2 ** 23

/** SQL for the day of a parcel's newest transfer, where that has a price. `p`: its table's name. */
export function saleDay(p: string): string {
  const day = `CASE WHEN ${p}.filled & ${coverageBit('salePrice')} <> 0 THEN ${p}.transfer_day END`
  return `coalesce(${day} + ${DAY_0}, 0)`
}

const [X, Y] = [`(p.x - (${WEST}))`, `(p.y - (${SOUTH}))`]
/** The cell of a parcel `p`. */
export const CELL = `((${Y} >> ${SIZE_BITS} << ${COLUMN_BITS}) + (${X} >> ${SIZE_BITS})) * ${STATES}
  + (unicode(p.state) - ${LETTER_A}) * ${LETTERS} + unicode(substr(p.state, 2)) - ${LETTER_A}`
/** Its entry, in hexadecimal. */
export const ENTRY = `printf('%010x%04x%04x%06x', p.id, ${Y} % ${SIZE},
  ${X} % ${SIZE} + p.assigned * ${ASSIGNED}, ${saleDay('p')})`
/** The cells of all parcels. */
export const CELLS_OF_PARCELS = `SELECT ${CELL} AS cell,
    unhex(group_concat(${ENTRY}, '' ORDER BY p.id)) AS data
  FROM main.parcels p WHERE p.x IS NOT NULL GROUP BY 1`

type CellRow = [cell: number, data: Uint8Array]
type Asked = {
  box: UnitBox
  state?: string | undefined
  /** Only parcels with a street number and name. */
  assignedOnly?: boolean | undefined
  /** Only parcels sold since. */
  sinceDay?: number
  limit?: number
}

/** Reads the points in a box some cells at a time. */
export function* readPoints(
  prepare: Prepare,
  { limit = Number.POSITIVE_INFINITY, sinceDay = -DAY_0, ...asked }: Asked,
): Generator<PointHit[]> {
  let missing = limit
  for (const cells of readCells(prepare, asked.box)) {
    const points: PointHit[] = []
    for (const cell of cells) takePoints(points, cell, { ...asked, limit: missing, sinceDay })
    missing -= points.length
    if (points.length > 0) yield points
    if (missing === 0) return
  }
}

function takePoints(
  points: PointHit[],
  [cell, data]: CellRow,
  { box, limit, sinceDay, ...only }: Asked & { limit: number; sinceDay: number },
): void {
  const code = cell % STATES
  const state = String.fromCharCode(
    LETTER_A + Math.floor(code / LETTERS),
    LETTER_A + (code % LETTERS),
  )
  if (state !== (only.state ?? state)) return
  const column = Math.floor(cell / STATES) % COLUMNS
  const [left, low] = [column * SIZE + WEST, rowOf(cell) * SIZE + SOUTH]
  const [west, east] = [box.west - left, box.east - left]
  const [south, north] = [box.south - low, box.north - low]
  const since = sinceDay + DAY_0
  const least = only.assignedOnly ? ASSIGNED : 0
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 0; at < view.byteLength && points.length < limit; at += WIDTH) {
    const y = view.getInt16(at + 5)
    const half = view.getUint16(at + 7)
    const x = half % ASSIGNED
    if (half < least || x < west || x > east || y < south || y > north) continue
    if (since > 0 && (view.getUint32(at + 8) & 0xff_ffff) < since) continue
    const id = view.getUint8(at) * 2 ** 32 + view.getUint32(at + 1)
    points.push({ id, state, x: x + left, y: y + low })
  }
}

/** Rows of the grid that a statement reads, and the most cells. */
const [ROWS, CELLS] = [8, 32]

/** SQL for the cells of a number of ranges, in order. Values: the first and last cell of each. */
export const CELL_SQL = Array.from(
  { length: ROWS },
  (_, at) => `SELECT g.cell, g.data FROM (VALUES ${Array(at + 1)
    .fill('(?, ?)')
    .join(', ')}) c
    CROSS JOIN grid g ON g.cell BETWEEN c.column1 AND c.column2 LIMIT ${CELLS}`,
)
export const NEXT_CELL = 'SELECT cell FROM grid WHERE cell >= ? LIMIT 1'

/** Reads the cells that meet a box, from south to north. */
function* readCells(prepare: Prepare, { west, south, east, north }: UnitBox): Generator<CellRow[]> {
  const first = Math.max(0, Math.floor((west - WEST) / SIZE))
  const last = Math.min(LAST_COLUMN, Math.floor((east - WEST) / SIZE))
  const end = Math.min(LAST_ROW, Math.floor((north - SOUTH) / SIZE))
  const cellAt = (row: number, column: number) => (row * COLUMNS + column) * STATES
  let row = Math.max(0, Math.floor((south - SOUTH) / SIZE))
  let from = cellAt(row, first)
  while (row <= end) {
    const rows = Math.min(ROWS, end - row + 1)
    const ranges = [from, cellAt(row, last + 1) - 1]
    for (let at = row + 1; at < row + rows; at += 1) {
      ranges.push(cellAt(at, first), cellAt(at, last + 1) - 1)
    }
    const cells = prepare(CELL_SQL[rows - 1] as string).all<CellRow>(...ranges)
    yield cells
    if (cells.length === CELLS) {
      from = (cells.at(-1)?.[0] as number) + 1
      row = rowOf(from)
      continue
    }
    row += rows
    if (cells.length === 0 && row <= end) {
      const [next] = prepare(NEXT_CELL).get<[number]>(cellAt(row, first)) ?? []
      if (next === undefined) return
      row = rowOf(next)
    }
    from = cellAt(row, first)
  }
}
