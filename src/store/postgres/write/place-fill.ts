/** Fills in points, bounds and counts of parcels that an earlier version loaded without them. */
import type { Client } from 'pg'
import type { PlaceFiller, ReadPlace } from '../../places.ts'
import { countChange, noteCells } from '../cluster/state-places.ts'
import { connect, describeServer, rollConfig } from '../pool/connection.ts'
import { asDriverError, asRefusal, explainOpening } from '../pool/errors.ts'
import { boundsText } from './roll-staging.ts'

/** Parcels per transaction. */
const SLICE = 2000

type Progress = { state: string; filled_to: number; last_id: number }
type Row = { id: number; fieldValues: string; geojson: string | null }

/** Opens the filler of the database at an address. */
export async function openPlaceFiller(url: string): Promise<PlaceFiller> {
  const client = await connect(rollConfig(url, 0, {})).catch((error: unknown) => {
    throw explainOpening(asDriverError(error), describeServer(url))
  })
  return {
    async isDone() {
      const { rows } = await client.query('SELECT 1 FROM places_wanted WHERE filled_to < last_id')
      return rows.length === 0
    },
    async fillSlice(readPlace) {
      try {
        return await fillNext(client, readPlace)
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined)
        throw asRefusal(asDriverError(error))
      }
    },
    close: () => client.end(),
  }
}

async function fillNext(client: Client, readPlace: ReadPlace): Promise<boolean> {
  const { rows: wanted } = await client.query<{ state: string }>(
    'SELECT state FROM places_wanted WHERE filled_to < last_id ORDER BY state LIMIT 1',
  )
  const [next] = wanted
  if (next === undefined) return false
  await client.query('BEGIN')
  // Another node may have filled the slice meanwhile.
  const { rows } = await client.query<Progress>(
    `SELECT state, filled_to, last_id FROM places_wanted
      WHERE state = $1 AND filled_to < last_id FOR UPDATE`,
    [next.state],
  )
  const [progress] = rows
  if (progress !== undefined) await fillState(client, progress, readPlace)
  await client.query('COMMIT')
  return true
}

async function fillState(client: Client, progress: Progress, readPlace: ReadPlace): Promise<void> {
  const { state, filled_to, last_id } = progress
  // Locks the parcels, so that none is removed before its point is written.
  const { rows } = await client.query<Row>(
    `SELECT p.id, r.field_values AS "fieldValues", (SELECT g.geojson FROM geometries g
        WHERE g.state = $1 AND g.id = p.id) AS geojson
      FROM parcels p JOIN records r ON r.state = $1 AND r.id = p.id
      WHERE p.state = $1 AND p.id > $2 AND p.id <= $3 ORDER BY p.id LIMIT ${SLICE}
      FOR UPDATE OF p`,
    [state, filled_to, last_id],
  )
  await writePoints(client, state, rows, readPlace)
  await writeBounds(client, state, rows)
  const own = 'WHERE state = $1 AND id = ANY($2::bigint[])'
  const places = {
    points: `SELECT x, y FROM parcels ${own} AND x IS NOT NULL`,
    shapes: `SELECT bounds FROM shapes ${own}`,
  }
  await noteCells(
    client,
    state,
    places,
    rows.map(({ id }) => id),
  )
  await countChange(client, state)
  const last = rows.length < SLICE ? last_id : (rows.at(-1)?.id ?? last_id)
  const text = 'UPDATE places_wanted SET filled_to = $2 WHERE state = $1'
  await client.query(text, [state, last])
  if (last >= last_id) await writeScopeBounds(client, state)
}

/**
 * Writes the bounds of each scope's points as an import does. Citus cannot update a row from
 * another row's JSON.
 */
async function writeScopeBounds(client: Client, state: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT fips, municipality, min(x) AS west, min(y) AS south, max(x) AS east, max(y) AS north
      FROM parcels WHERE state = $1 GROUP BY fips, municipality`,
    [state],
  )
  for (const { fips, municipality, west, south, east, north } of rows) {
    const bounds = JSON.stringify({ bounds: [west, south, east, north] })
    await client.query(
      `UPDATE scopes SET filled = (filled::jsonb || $4::jsonb)::text
        WHERE state = $1 AND fips = $2 AND municipality = $3`,
      [state, fips, municipality, bounds],
    )
  }
}

/** A parcel that an import has written since has its place already. */
async function writePoints(client: Client, state: string, rows: Row[], readPlace: ReadPlace) {
  const found = rows.map(({ id, fieldValues }) => ({ id, ...readPlace(fieldValues) }))
  const placed = found.filter(({ x }) => x !== null)
  const { rows: written } = await client.query<{ cell: number }>(
    `UPDATE parcels p SET x = v.x, y = v.y, cell = v.cell
      FROM unnest($2::bigint[], $3::integer[], $4::integer[], $5::integer[]) v(id, x, y, cell)
      WHERE p.state = $1 AND p.id = v.id AND p.x IS NULL RETURNING p.cell`,
    [
      state,
      placed.map(({ id }) => id),
      placed.map(({ x }) => x),
      placed.map(({ y }) => y),
      placed.map(({ cell }) => cell),
    ],
  )
  const counts = Map.groupBy(written, ({ cell }) => cell)
  await client.query(
    `INSERT INTO point_counts AS k (state, cell, parcels)
      SELECT $1, v.cell, v.n FROM unnest($2::integer[], $3::bigint[]) v(cell, n)
      ON CONFLICT (state, cell) DO UPDATE SET parcels = k.parcels + excluded.parcels`,
    [state, [...counts.keys()], [...counts.values()].map(({ length }) => length)],
  )
}

async function writeBounds(client: Client, state: string, rows: Row[]): Promise<void> {
  const shapes = rows.flatMap(({ id, geojson }) => {
    const bounds = boundsText(geojson)
    return bounds === null ? [] : [{ id, bounds }]
  })
  await client.query(
    `INSERT INTO shapes (state, id, bounds)
      SELECT $1, v.id, v.bounds::box FROM unnest($2::bigint[], $3::text[]) v(id, bounds)
      ON CONFLICT (state, id) DO NOTHING`,
    [state, shapes.map(({ id }) => id), shapes.map(({ bounds }) => bounds)],
  )
}
