/**
 * Where the roll of one state is staged: tables of its own, on one server those of the connection,
 * which go with it. On a cluster they are ordinary unlogged ones that lie beside the state's
 * parcels, since Citus knows no other way to join them there (docs/decisions/citus.md): the last
 * thing that an import does is to drop them, and those of one that was killed go with the next.
 *
 * A state that is being loaded is locked from its first row until the end, for the connection: ids
 * of a state commit in their order, two imports of one state do not meet, and a connection that is
 * lost keeps nothing locked.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../errors.ts'
import { columnValues, COLUMNS as STAGED } from '../../columns.ts'
import { boundsInUnits, boxText } from '../../places.ts'
import type { StagedParcel, StagedRow } from '../../store.ts'
import { spreadBesideParcels } from '../citus.ts'
import { SCHEMA } from '../pool/connection.ts'
import { type CopyValue, copyIn } from './copy-in.ts'
import { dropEndlessKeys } from './key-columns.ts'

/**
 * The names of its tables. Each has the state in a column, and `$1` of every statement on them is
 * the state.
 */
export type Staging = {
  state: string
  /** Parcels of the state may be listed in `seen` as ones that stand (`row-marks.ts`). */
  hasSeen: boolean
  /** The roll's rows. */
  staged: string
  /** What happens to each parcel, staged or kept. */
  change: string
  /** Records with what only the kept ones know. */
  carried: string
  /** Words of owners that are new to the state, in each form with a letter less. */
  deletions: string
}

const SQL_TYPES = { text: 'text COLLATE "C"', integer: 'integer', long: 'bigint', flag: 'boolean' }

const COLUMNS = {
  staged: `seq bigint, row bigint, variant text COLLATE "C",
    ${STAGED.map(({ name, type }) => `${name} ${SQL_TYPES[type]}`).join(', ')},
    leaves text COLLATE "C", keys text COLLATE "C", geometry text COLLATE "C", bounds box,
    PRIMARY KEY (state, seq)`,
  change: 'state text COLLATE "C", seq bigint, id bigint, what text COLLATE "C"',
  carried: 'state text COLLATE "C", seq bigint, leaves text COLLATE "C"',
  deletions: 'state text COLLATE "C", deletion text COLLATE "C", word text COLLATE "C"',
}
const TABLES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/**
 * First number of the advisory locks of states, "PBst" as bytes; the second is the state's two
 * letters.
 */
const STATE_LOCKS = 0x50427374

/** Rows of a result that are read at a time. */
const BATCH = 2000

/** Locks the state and makes its tables. `isSpread`: the rolls lie on a cluster. */
export async function makeStaging(
  client: Client,
  state: string,
  where: string,
  isSpread: boolean,
): Promise<Staging> {
  await lockState(client, state, where)
  const staging = nameStaging(state)
  if (isSpread) await dropStaging(client, staging)
  for (const table of TABLES) {
    const name = staging[table]
    await client.query(
      isSpread
        ? `CREATE UNLOGGED TABLE ${SCHEMA}.${name} (${COLUMNS[table]})`
        : `CREATE TEMP TABLE ${name} (${COLUMNS[table]})`,
    )
    if (isSpread) await spreadBesideParcels(client, name)
  }
  return staging
}

/** `temporary`: they are the connection's own. */
export async function dropStaging(
  client: Client,
  staging: Staging,
  temporary = false,
): Promise<void> {
  const schema = temporary ? 'pg_temp' : SCHEMA
  const names = TABLES.map((table) => `${schema}.${staging[table]}`)
  await client.query(`DROP TABLE IF EXISTS ${names.join(', ')}`)
}

/** Drops the staging tables of killed imports on a cluster: those of states without a lock. */
export async function dropLeftovers(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT upper(right(relname, 2)) AS state FROM pg_class
    WHERE relnamespace = '${SCHEMA}'::regnamespace AND relname ~ '^staged_[a-z]{2}$'`)
  for (const { state } of rows) {
    if (!(await tryLock(client, String(state)))) continue
    await dropStaging(client, nameStaging(String(state)))
    await client.query('SELECT pg_advisory_unlock($1, $2)', lockOf(String(state)))
  }
}

/** Held until the connection ends; a second import is refused at once. */
export async function lockState(client: Client, state: string, where: string): Promise<void> {
  if (await tryLock(client, state)) return
  throw new CommandError(
    `another import is loading parcels of ${state} into ${where}; try again when it has ended`,
  )
}

async function tryLock(client: Client, state: string): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1, $2) AS held', lockOf(state))
  return rows[0]?.held === true
}

function lockOf(state: string): number[] {
  return [STATE_LOCKS, state.charCodeAt(0) * 256 + state.charCodeAt(1)]
}

function nameStaging(state: string): Staging {
  const names = TABLES.map((table) => [table, `${table}_${state.toLowerCase()}`])
  return {
    state,
    hasSeen: false,
    ...(Object.fromEntries(names) as Record<keyof typeof COLUMNS, string>),
  }
}

/** `firstSeq`: the place of the first of them in the roll. */
export async function stageParcels(
  client: Client,
  { staged }: Staging,
  parcels: StagedParcel[],
  firstSeq: number,
): Promise<void> {
  const rows = parcels.map((parcel, at) => [firstSeq + at, ...stagedColumns(parcel)])
  await copyIn(client, staged, rows)
}

function stagedColumns(parcel: StagedParcel): CopyValue[] {
  const { row, identity, strippedKey, leaves, keys, geometry } = parcel
  const variant = identity === strippedKey ? '' : identity
  const record = [leaves, dropEndlessKeys(keys), geometry, boundsText(geometry)]
  return [row, variant, ...columnValues(parcel), ...record]
}

/** The bounds of a polygon as PostgreSQL writes a box; `null` without one. */
export function boundsText(geojson: string | null): string | null {
  const bounds = geojson === null ? null : boundsInUnits(geojson)
  return bounds === null ? null : boxText(bounds)
}

/** When most of the rows are there. */
export async function indexStaged(client: Client, { staged }: Staging): Promise<void> {
  const identity = 'fips, stripped_key, municipality, variant, row'
  await client.query(`CREATE INDEX ${staged}_identity ON ${staged} (${identity})`)
  await client.query(`CREATE INDEX ${staged}_row ON ${staged} (row)`)
  await client.query(`ANALYZE ${staged}`)
}

export async function dropRows(client: Client, { state, staged }: Staging, rows: number[]) {
  const text = `DELETE FROM ${staged} WHERE state = $1 AND row = ANY($2::bigint[])`
  await client.query(text, [state, rows])
}

type RepeatRow = StagedRow & {
  fips: number
  stripped_key: string
  municipality: string
  variant: string
}

/** Walks the shared identities by key, so that the importer may settle a group in between. */
export async function* readRepeats(
  client: Client,
  { state, staged }: Staging,
): AsyncGenerator<StagedRow[]> {
  const identity = 'fips, stripped_key, municipality, variant'
  let after: unknown[] = [0, '', '', '']
  for (;;) {
    const { rows } = await client.query<RepeatRow>(
      `SELECT s.row, s.parcel_key AS "parcelKey", s.leaves, ${identity}
      FROM ${staged} s JOIN (SELECT ${identity} FROM ${staged}
        WHERE state = $1 AND (${identity}) > ($2::integer, $3::text, $4::text, $5::text)
        GROUP BY ${identity} HAVING count(*) > 1 ORDER BY ${identity} LIMIT ${BATCH}) shared
      USING (${identity}) WHERE s.state = $1 ORDER BY ${identity}, s.row`,
      [state, ...after],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    const groups = Map.groupBy(rows, (row) => JSON.stringify(identityOf(row)))
    for (const group of groups.values()) {
      yield group.map(({ row, parcelKey, leaves }) => ({ row, parcelKey, leaves }))
    }
    after = identityOf(last)
  }
}

function identityOf({ fips, stripped_key, municipality, variant }: RepeatRow) {
  return [fips, stripped_key, municipality, variant]
}
