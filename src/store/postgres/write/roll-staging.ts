/**
 * The staging tables of one state's roll: temporary ones of the connection, and on a cluster
 * permanent ones (`staging-tables.ts`), where the next import deletes the rows of a killed one.
 *
 * A state is locked for the connection from its first row until the end. So its ids are committed
 * in order, and two imports of one state cannot overlap.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { columnValues, COLUMNS as STAGED } from '../../columns.ts'
import { boundsInUnits, boxText } from '../../places.ts'
import type { KeptParcel } from '../../rolls/rewrite.ts'
import type { LeavingParcel, StagedParcel } from '../../store.ts'
import {
  clearState,
  listStagedStates,
  nameOnCluster,
  noteStaged,
} from '../cluster/staging-tables.ts'
import { tidyShards } from '../cluster/tidy-shards.ts'
import { packRecord } from '../pack/pack.ts'
import { type CopyValue, copyIn, dropEndlessKeys } from './copy-in.ts'

/** The names of its tables. Each has a state column, which is `$1` of every statement. */
export type Staging = {
  state: string
  /** Whether `seen` may list unchanged parcels of the state (`row-marks.ts`). */
  hasSeen: boolean
  /** The tables are those of a cluster, with rows of other states. */
  isShared: boolean
  /** The parcels that leave, when the staged rows are changes (`RollWriter.leave`). */
  leaving?: readonly LeavingParcel[]
  /** Upper bound of the number of staged rows. If it is large, the planner gets statistics. */
  rows: number
  /** Rows of the roll. */
  staged: string
  /** The change of each parcel, staged or stored. */
  change: string
  /** Records with the parts kept from stored ones. */
  carried: string
  /** Keys that stored parcels lose, a row each. */
  lost: string
  /** Owner words new in the state, in each form with one letter less. */
  deletions: string
}

const SQL_TYPES = { text: 'text COLLATE "C"', integer: 'integer', long: 'bigint', flag: 'boolean' }

const COLUMNS = {
  staged: `seq bigint, row bigint, variant text COLLATE "C",
    ${STAGED.map(({ name, type }) => `${name} ${SQL_TYPES[type]}`).join(', ')},
    field_values bytea, keys text COLLATE "C", packed_keys bytea, geometry text COLLATE "C",
    bounds box, rekeyed boolean DEFAULT false,
    PRIMARY KEY (state, seq)`,
  change: 'state text COLLATE "C", seq bigint, id bigint, what text COLLATE "C"',
  carried: 'state text COLLATE "C", seq bigint, field_values bytea, keys bytea, rekeyed boolean',
  lost: 'state text COLLATE "C", id bigint, fips integer, list text COLLATE "C", value jsonb',
  deletions: 'state text COLLATE "C", deletion text COLLATE "C", word text COLLATE "C"',
}
const TABLES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** Indexes of staged rows: by identity, and by row number. */
const STAGED_INDEXES = ['fips, stripped_key, municipality, variant, row', 'row']

/** The same tables on a cluster, where states share a shard. */
export const ON_CLUSTER = {
  columns: COLUMNS,
  indexes: { staged: STAGED_INDEXES.map((index) => `state, ${index}`), change: ['state, id'] },
}

/** First number of the locks of states, "PBst" as bytes; the second is the state's letters. */
const STATE_LOCKS = 0x50427374

const BATCH = 2000

/** Locks the state and creates its tables. `isSpread`: the rolls are on a cluster. */
export async function makeStaging(
  client: Client,
  state: string,
  where: string,
  isSpread: boolean,
): Promise<Staging> {
  await lockState(client, state, where)
  const staging = nameStaging(state, isSpread)
  if (isSpread) {
    await clearRows(client, staging)
    await noteStaged(client, state)
    return staging
  }
  for (const table of TABLES) {
    await client.query(`CREATE TEMP TABLE ${staging[table]} (${COLUMNS[table]})`)
  }
  return staging
}

/** Drops temporary tables, or deletes the state's rows from those of a cluster. */
export async function dropStaging(client: Client, staging: Staging): Promise<void> {
  if (staging.isShared) return clearRows(client, staging)
  const names = TABLES.map((table) => `pg_temp.${staging[table]}`)
  await client.query(`DROP TABLE IF EXISTS ${names.join(', ')}`)
}

async function clearRows(client: Client, staging: Staging): Promise<void> {
  const names = TABLES.map((table) => staging[table])
  const rows = await clearState(client, names, staging.state)
  if (rows < BATCH) return
  await tidyShards(client, 'VACUUM (ANALYZE, SKIP_LOCKED)', names, staging.state)
}

/** Deletes rows that killed imports staged on a cluster, as far as nodes are reached. */
export async function dropLeftovers(client: Client): Promise<void> {
  for (const state of await listStagedStates(client)) {
    if (!(await tryLock(client, state))) continue
    await clearRows(client, nameStaging(state, true)).catch(() => undefined)
    await client.query('SELECT pg_advisory_unlock($1, $2)', lockOf(state))
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

function nameStaging(state: string, isShared: boolean): Staging {
  const names = TABLES.map((table) => [
    table,
    isShared ? nameOnCluster(table) : `${table}_${state.toLowerCase()}`,
  ])
  return {
    state,
    hasSeen: false,
    isShared,
    rows: 0,
    ...(Object.fromEntries(names) as Record<keyof typeof COLUMNS, string>),
  }
}

/** A parcel with its position in the roll, counted from 1; an earlier record with its id. */
export type PlacedParcel = { seq: number; parcel: StagedParcel }

export async function stageParcels(
  client: Client,
  staging: Staging,
  parcels: PlacedParcel[],
): Promise<void> {
  staging.rows += parcels.length
  const rows = parcels.map(({ seq, parcel }) => [seq, ...stagedColumns(parcel)])
  await copyIn(client, `${staging.staged} (${COPIED})`, rows)
}

/** Copies earlier records, which also say when they have no polygon. */
export function stageKept(client: Client, staging: Staging, parcels: readonly KeptParcel[]) {
  const placed = parcels.map((parcel) => {
    const { id, strippedKey, geometry } = parcel
    const own = { row: id, identity: strippedKey, geometry: geometry ?? '' }
    return { seq: id, parcel: { ...parcel, ...own } }
  })
  return stageParcels(client, staging, placed)
}

/** The columns of `staged` that parcels fill, in order. */
const COPIED = [
  ...['seq', 'row', 'variant', ...STAGED.map(({ name }) => name)],
  ...['field_values', 'keys', 'packed_keys', 'geometry', 'bounds'],
].join(', ')

function stagedColumns(parcel: StagedParcel): CopyValue[] {
  const { row, identity, strippedKey, fieldValues, keys, geometry } = parcel
  const variant = identity === strippedKey ? '' : identity
  const own = dropEndlessKeys(keys)
  const [packed, packedKeys] = packRecord(fieldValues, own)
  const record = [packed, own, packedKeys, geometry, boundsText(geometry)]
  return [row, variant, ...columnValues(parcel), ...record]
}

/** Formats the bounds of a polygon as a PostgreSQL box; `null` without one. */
export function boundsText(geojson: string | null): string | null {
  const bounds = geojson ? boundsInUnits(geojson) : null
  return bounds === null ? null : boxText(bounds)
}

/** Builds the indexes; called when most rows are staged. */
export async function indexStaged(client: Client, staging: Staging): Promise<void> {
  const { staged } = staging
  if (!staging.isShared) {
    for (const index of STAGED_INDEXES) await client.query(`CREATE INDEX ON ${staged} (${index})`)
  }
  await analyzeStaging(client, staging, 'staged')
}

/** Columns of `staged` in conditions. Statistics of the long texts take five times as long. */
const PLANNED = [
  ...['state', 'seq', 'row', 'variant', 'fips', 'stripped_key', 'municipality', 'parcel_key'],
]

/** Updates the planner's statistics of one of the tables. */
export async function analyzeStaging(
  client: Client,
  staging: Staging,
  table: 'staged' | 'change',
): Promise<void> {
  const columns = table === 'staged' ? `(${PLANNED.join(', ')})` : ''
  if (!staging.isShared) await client.query(`ANALYZE ${staging[table]} ${columns}`)
  else if (staging.rows >= BATCH) {
    await tidyShards(client, 'ANALYZE', [staging[table]], staging.state)
  }
}

export async function dropRows(client: Client, { state, staged }: Staging, rows: number[]) {
  const text = `DELETE FROM ${staged} WHERE state = $1 AND row = ANY($2::bigint[])`
  await client.query(text, [state, rows])
}

/** Runs a statement whose first value is the state. */
export type Run = (text: string, ...values: unknown[]) => Promise<unknown>

/** SQL for changes `c` of some kinds with their staged rows `s`. */
export const changed = ({ change, staged }: Staging, kinds: string) =>
  `${change} c JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    WHERE c.state = $1 AND c.what ${kinds}`
