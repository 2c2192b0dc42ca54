/** Records what an import changes, in its transaction and before the tables are written. */
import { compareGroups } from '../../record/changes.ts'
import { propertyIdOf } from '../../record/stored.ts'
import { DAY_S, KEPT_DAYS } from '../changes.ts'
import type { RollScope } from '../history.ts'
import type { RollSql, SqlValue, StagedState } from './roll-sql.ts'

/** A change of a parcel. `renamed`: it has another ID. */
type Pair = {
  what: string
  id: number
  fips: number
  municipality: string
  before: string | null
  after: string | null
  moved: boolean | number | null
  renamed: boolean | number | null
}

/** The import, and when it was loaded, epoch seconds. */
type Noted = { id: number; loadedAt: number }

const COLUMNS =
  'state, sequence, what, id, property_id, fips, municipality, groups, parcels, loaded_at, import'

/** Records a row per scope of a state that is loaded for the first time. */
export async function noteLoaded(
  sql: RollSql,
  state: string,
  scopes: readonly (RollScope & { parcels: number })[],
  noted: Noted,
): Promise<void> {
  const last = await readHead(sql, state)
  const rows = scopes.map((scope, at) => loadedRow(state, last + at + 1, scope, noted))
  await sql.insert('changes', COLUMNS, rows)
  await writeHead(sql, state, last + rows.length, noted.loadedAt)
}

/**
 * Records a row per new (with its id), changed or removed parcel of `change`, and one per scope
 * loaded for the first time. `restores`: the staged rows are restored unchanged.
 */
export async function noteChanges(
  sql: RollSql,
  { state, staged, change }: StagedState,
  { restores, ...noted }: Noted & { restores: boolean },
): Promise<void> {
  const { of, carried, order } = sql.dialect
  let last = await readHead(sql, state)
  const isFresh = restores
    ? 'false'
    : `NOT EXISTS (SELECT 1 FROM scopes z WHERE ${of('z')} z.fips = s.fips
        AND z.municipality = s.municipality)`
  const scopes = await sql.ask<RollScope & { parcels: number }>(
    `SELECT s.fips, s.municipality, count(*) AS parcels
    FROM ${change} c JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    WHERE ${of('c')} c.what = 'new' AND ${isFresh}
    GROUP BY s.fips, s.municipality ORDER BY s.fips, s.municipality`,
    [state],
  )
  const loaded = scopes.map((scope, at) => loadedRow(state, last + at + 1, scope, noted))
  await sql.insert('changes', COLUMNS, loaded)
  last += loaded.length
  const text = `SELECT c.what, c.id, coalesce(s.fips, p.fips) AS fips,
      coalesce(s.municipality, p.municipality) AS municipality,
      r.field_values AS before, ${restores ? 's.field_values' : carried} AS after,
      s.stripped_key <> p.stripped_key AS renamed,
      s.geometry <> coalesce(g.geojson, '') AS moved
    FROM ${change} c LEFT JOIN ${staged} s ON ${of('s')} s.seq = c.seq
    LEFT JOIN parcels p ON ${of('p')} p.id = c.id
    LEFT JOIN records r ON ${of('r')} r.id = c.id
    LEFT JOIN geometries g ON ${of('g')} g.id = c.id
    WHERE ${of('c')} c.what <> 'same' AND coalesce(s.state, p.state) = $1
      AND NOT (c.what = 'new' AND ${isFresh}) ${order.ofRoll}`
  for await (const pairs of sql.walk<Pair>(text, [state])) {
    const rows = pairs.map((pair, at) => changeRow(state, last + at + 1, pair, noted))
    await sql.insert('changes', COLUMNS, rows)
    last += rows.length
  }
  await writeHead(sql, state, last, noted.loadedAt)
}

function loadedRow(
  state: string,
  sequence: number,
  { fips, municipality, parcels }: RollScope & { parcels: number },
  { id, loadedAt }: Noted,
): SqlValue[] {
  return [state, sequence, 'loaded', null, null, fips, municipality, 0, parcels, loadedAt, id]
}

function changeRow(state: string, sequence: number, pair: Pair, noted: Noted): SqlValue[] {
  const { what, renamed, id, fips, municipality, before, after } = pair
  const kind = KINDS[what] ?? (renamed ? 'renumbered' : 'changed')
  const fieldValues = after ?? before
  const propertyId = fieldValues === null ? null : propertyIdOf(fieldValues)
  return [
    ...[state, sequence, kind, id, propertyId, fips, municipality, groupsOf(pair)],
    ...[null, noted.loadedAt, noted.id],
  ]
}

const KINDS: Record<string, string> = { new: 'added', removed: 'removed' }

function groupsOf({ what, before, after, moved }: Pair): number {
  if (what in KINDS || before === null || after === null) return 0
  return compareGroups(before, after, Boolean(moved))
}

/** Locks the state's head, so that sequence numbers have no gaps. */
async function readHead(sql: RollSql, state: string): Promise<number> {
  await sql.run(
    'INSERT INTO change_heads (state, last) VALUES ($1, 0) ON CONFLICT (state) DO NOTHING',
    [state],
  )
  const [head] = await sql.ask<{ last: number }>(
    `SELECT last FROM change_heads WHERE state = $1${sql.dialect.forUpdate}`,
    [state],
  )
  return head?.last ?? 0
}

/** Also deletes what callers no longer ask for. */
async function writeHead(sql: RollSql, state: string, last: number, loadedAt: number) {
  await sql.run('UPDATE change_heads SET last = $2 WHERE state = $1', [state, last])
  await sql.run('DELETE FROM changes WHERE state = $1 AND loaded_at < $2', [
    ...[state, loadedAt - KEPT_DAYS * DAY_S],
  ])
}
