/**
 * Records what an import changes, inside its transaction and before the store's tables are written.
 */
import type { Client } from 'pg'
import { compareGroups } from '../../../record/changes.ts'
import { propertyIdOf } from '../../../record/stored.ts'
import { DAY_S, KEPT_DAYS } from '../../changes.ts'
import { type CopyValue, copyIn } from './copy-in.ts'
import type { Staging } from './roll-staging.ts'

/** Rows of a result read at a time. */
const BATCH = 2000

type Pair = {
  what: string
  id: number
  fips: number
  municipality: string
  before: string | null
  after: string | null
  moved: boolean | null
  /** It has another ID. */
  renamed: boolean | null
}

/** A scope that is loaded for the first time. */
type LoadedScope = { state: string; fips: number; municipality: string; parcels: number }

/** Records a row per scope of a state that is loaded for the first time. */
export async function noteLoaded(
  client: Client,
  state: string,
  scopes: readonly LoadedScope[],
  { loadedAt, id }: { loadedAt: number; id: number },
): Promise<void> {
  const head = await readHead(client, state)
  const rows = scopes.map(({ fips, municipality, parcels }, at) => [
    ...[state, head + at + 1, 'loaded', null, null, fips, municipality, 0, parcels, loadedAt, id],
  ])
  await copyIn(client, 'changes', rows)
  await writeHead(client, state, head + rows.length, loadedAt)
}

/**
 * Records a row per parcel that `change` lists as new, changed or removed, and one per scope loaded
 * for the first time. New parcels already have ids. `restores`: the staged rows are restored
 * unchanged.
 */
export async function noteChanges(
  client: Client,
  staging: Staging,
  { loadedAt, id, restores }: { loadedAt: number; id: number; restores: boolean },
): Promise<void> {
  const { state, staged, change } = staging
  let last = await readHead(client, state)
  const isFresh = restores
    ? 'false'
    : `NOT EXISTS (SELECT FROM scopes z WHERE z.state = $1 AND z.fips = s.fips
        AND z.municipality = s.municipality)`
  const row = (
    what: string,
    one: Partial<Pair>,
    more: { groups?: number; parcels?: number },
  ): CopyValue[] => {
    last += 1
    const fieldValues = one.after ?? one.before ?? null
    return [
      ...[
        state,
        last,
        what,
        one.id ?? null,
        fieldValues === null ? null : propertyIdOf(fieldValues),
      ],
      ...[one.fips ?? 0, one.municipality ?? '', more.groups ?? 0, more.parcels ?? null],
      ...[loadedAt, id],
    ]
  }
  const { rows: scopes } = await client.query<Pair & { parcels: string }>(
    `SELECT s.fips, s.municipality, count(*) AS parcels
    FROM ${change} c JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    WHERE c.state = $1 AND c.what = 'new' AND ${isFresh}
    GROUP BY s.fips, s.municipality ORDER BY s.fips, s.municipality`,
    [state],
  )
  await copyIn(
    client,
    'changes',
    scopes.map(({ fips, municipality, parcels }) =>
      row('loaded', { fips, municipality }, { parcels: Number(parcels) }),
    ),
  )
  const text = `SELECT c.what, c.id, coalesce(s.fips, p.fips) AS fips,
      coalesce(s.municipality, p.municipality) AS municipality,
      r.field_values AS before, s.field_values AS after,
      s.stripped_key <> p.stripped_key AS renamed,
      s.geometry IS DISTINCT FROM g.geojson ${restores ? '' : 'AND s.geometry IS NOT NULL'} AS moved
    FROM ${change} c LEFT JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    LEFT JOIN parcels p ON p.state = $1 AND p.id = c.id
    LEFT JOIN records r ON r.state = $1 AND r.id = c.id
    LEFT JOIN geometries g ON g.state = $1 AND g.id = c.id
    WHERE c.state = $1 AND c.what <> 'same' AND NOT (c.what = 'new' AND ${isFresh})
    ORDER BY c.seq, c.id`
  // A cursor takes no parameters.
  const bound = text.replaceAll('$1', client.escapeLiteral(state))
  await client.query(`DECLARE listed NO SCROLL CURSOR FOR ${bound}`)
  for (;;) {
    const { rows } = await client.query<Pair>(`FETCH ${BATCH} FROM listed`)
    if (rows.length === 0) break
    await copyIn(
      client,
      'changes',
      rows.map((pair) => row(nameChange(pair), pair, { groups: groupsOf(pair) })),
    )
  }
  await client.query('CLOSE listed')
  await writeHead(client, state, last, loadedAt)
}

function nameChange({ what, renamed }: Pair): string {
  return KINDS[what] ?? (renamed === true ? 'renumbered' : 'changed')
}

const KINDS: Record<string, string> = { new: 'added', removed: 'removed' }

function groupsOf({ what, before, after, moved }: Pair): number {
  if (what in KINDS || before === null || after === null) return 0
  return compareGroups(before, after, moved === true)
}

/** Locks the state's head, so that sequence numbers have no gaps. */
async function readHead(client: Client, state: string): Promise<number> {
  await client.query(
    'INSERT INTO change_heads (state, last) VALUES ($1, 0) ON CONFLICT (state) DO NOTHING',
    [state],
  )
  const { rows } = await client.query('SELECT last FROM change_heads WHERE state = $1 FOR UPDATE', [
    state,
  ])
  return Number(rows[0]?.last ?? 0)
}

/** Also deletes what callers no longer ask for. */
async function writeHead(client: Client, state: string, last: number, loadedAt: number) {
  await client.query('UPDATE change_heads SET last = $2 WHERE state = $1', [state, last])
  await client.query('DELETE FROM changes WHERE state = $1 AND loaded_at < $2', [
    state,
    loadedAt - KEPT_DAYS * DAY_S,
  ])
}
