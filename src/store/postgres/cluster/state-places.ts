/**
 * Records where each state's parcels are, in cells of one degree, and how often they changed. On a
 * cluster both tables are on the coordinator. So a search by place asks only the shards of the
 * states that are there. The version of the rolls is read from one node.
 */
import type { Client } from 'pg'
import { UNITS_PER_DEGREE } from '../../../base/model/geometry.ts'
import { SCHEMA } from '../pool/connection.ts'
import { changed, type Staging } from '../write/roll-staging.ts'

/** Longitude and latitude of the cell of a polygon that is wider than a cell. */
export const EVERYWHERE = 999

/** `points`: SQL for rows of `x` and `y`; `shapes`: for rows of `bounds`. None of them is null. */
type Placed = { points: string; shapes: string }

/** Returns the degree below a coordinate; adjacent cells share no unit. */
const cellOf = (units: string) => `floor(${units}::float8 / ${UNITS_PER_DEGREE})::smallint`

/** Adds the cells of a state's parcels in the caller's transaction. `$1` of `placed`: the state. */
export async function noteCells(
  client: Client,
  state: string,
  placed: Placed,
  ...values: unknown[]
): Promise<void> {
  // Two statements, because a statement on a cluster cannot have tables of both kinds.
  const cells = await readCells(client, state, placed, values)
  await client.query(
    `INSERT INTO ${SCHEMA}.place_cells (state, x, y)
      SELECT $1, v.x, v.y FROM unnest($2::smallint[], $3::smallint[]) v (x, y)
      ON CONFLICT DO NOTHING`,
    [state, cells.map(({ x }) => x), cells.map(({ y }) => y)],
  )
}

async function readCells(
  client: Client,
  state: string,
  { points, shapes }: Placed,
  values: unknown[],
): Promise<{ x: number; y: number }[]> {
  const corners = `SELECT ${cellOf('(s.bounds[1])[0]')} AS west, ${cellOf('(s.bounds[1])[1]')}
      AS south, ${cellOf('(s.bounds[0])[0]')} AS east, ${cellOf('(s.bounds[0])[1]')} AS north
    FROM (${shapes}) s`
  const { rows } = await client.query<{ x: number; y: number }>(
    `SELECT DISTINCT ${cellOf('p.x')} AS x, ${cellOf('p.y')} AS y FROM (${points}) p
    UNION SELECT CASE WHEN wide THEN ${EVERYWHERE} WHEN k.east THEN b.east ELSE b.west END,
      CASE WHEN wide THEN ${EVERYWHERE} WHEN k.north THEN b.north ELSE b.south END
    FROM (SELECT c.*, c.east - c.west > 1 OR c.north - c.south > 1 AS wide
      FROM (SELECT DISTINCT * FROM (${corners}) d) c) b
    CROSS JOIN (VALUES (false, false), (false, true), (true, false), (true, true)) k (east, north)`,
    [state, ...values],
  )
  return rows
}

export const ALL_PLACED: Placed = {
  points: 'SELECT x, y FROM parcels WHERE state = $1 AND x IS NOT NULL',
  shapes: 'SELECT bounds FROM shapes WHERE state = $1',
}

/** Counts the cells with parcels of a state that are not listed. */
export async function countMissingCells(client: Client, state: string): Promise<number> {
  const cells = await readCells(client, state, ALL_PLACED, [])
  const { rows } = await client.query(`SELECT x, y FROM ${SCHEMA}.place_cells WHERE state = $1`, [
    state,
  ])
  const listed = new Set(rows.map(({ x, y }) => `${x} ${y}`))
  return cells.filter(({ x, y }) => !listed.has(`${x} ${y}`)).length
}

/** Adds the cells of the parcels that an import changes. */
export function noteStagedCells(client: Client, staging: Staging): Promise<void> {
  const from = `FROM ${changed(staging, "<> 'same'")}`
  return noteCells(client, staging.state, {
    points: `SELECT s.x, s.y ${from} AND s.x IS NOT NULL`,
    shapes: `SELECT s.bounds ${from} AND s.bounds IS NOT NULL`,
  })
}

/** Removes the cells of a state without parcels. */
export async function dropCells(client: Client, state: string): Promise<void> {
  await client.query(`DELETE FROM ${SCHEMA}.place_cells WHERE state = $1`, [state])
}

/** Records a change of a state's parcels, inside the caller's transaction. */
export async function countChange(client: Client, state: string): Promise<void> {
  await client.query(
    `INSERT INTO ${SCHEMA}.state_versions AS v (state, version) VALUES ($1, 1)
      ON CONFLICT (state) DO UPDATE SET version = v.version + 1`,
    [state],
  )
}
