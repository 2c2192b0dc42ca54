/**
 * The first load of a store: rows go directly into its tables, in one transaction from the first
 * row to the last index. Only keys are staged, to be sorted. docs/decisions/imports.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { tileTextOf } from '../../../record/tile-text.ts'
import { COLUMN_NAMES } from '../../columns.ts'
import { FactLoader } from '../../facts/block.ts'
import { finishFacts, writeBlocks } from '../../facts/write.ts'
import { KEEP_ALL, type LoadedScope, NO_NOTE } from '../../history.ts'
import type { EncodedKeys } from '../../parcel-keys.ts'
import { noteLoaded } from '../../rolls/change-rows.ts'
import { addImport, addScopes, readTokens, writeTokens } from '../../rolls/import-rows.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import { RowNumbers } from '../../rolls/row-numbers.ts'
import {
  countsText,
  groupRepeats,
  type NewScope,
  newScope,
  writeScopes,
} from '../../rolls/staged-rolls.ts'
import type {
  AppliedRoll,
  Applying,
  RollChange,
  RollComparison,
  StagedParcel,
  StagedRow,
} from '../../store.ts'
import { keepLoaded } from '../../versions/keep.ts'
import { SQLITE, sqliteCode } from '../connection.ts'
import { packOwned } from '../owned.ts'
import { packKeys } from '../packed-keys.ts'
import { stampWritten } from '../page-sums.ts'
import { checksumRecord } from '../record-checksum.ts'
import { openKeyWriter } from './key-writer.ts'
import { countOwners } from './owner-counts.ts'
import { fillPlaces } from './place-writer.ts'
import { readLastId } from './roll-apply.ts'
import {
  finishCommit,
  openInserter,
  PARCEL_COLUMNS,
  parcelValues,
  type StagingWriter,
  variantOf,
} from './roll-common.ts'

/** Reports whether nothing was ever loaded, or everything was removed. */
export function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM main.parcels LIMIT 1').get() === undefined
}

export function openFirstLoad(db: DatabaseSync, sql: RollSql, loadedAt: number): StagingWriter {
  const load = beginLoad(db, sql, loadedAt)
  return {
    stage: (parcels) => stage(load, parcels),
    drop: (rows) => drop(load, rows),
    repeats: () => readShared(load),
    compare: async () => countScopes(load),
    apply: (applying = {}) => apply(load, applying),
    marks: {
      tokens: () => readTokens(sql),
      claim: () => undefined,
      see() {
        throw new Error('nothing was loaded before, so no row can be unchanged')
      },
      unsee: () => [],
    },
  }
}

/** The state of a first load, whose transaction is open. */
type FirstLoad = ReturnType<typeof beginLoad>

function beginLoad(db: DatabaseSync, sql: RollSql, loadedAt: number) {
  db.exec('CREATE TABLE staging.variants (id INTEGER PRIMARY KEY, variant TEXT)')
  const keys = openKeyWriter(db)
  db.exec('BEGIN IMMEDIATE')
  // Indexes are built once, after the rows.
  const indexes = db
    .prepare(`SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'index' AND tbl_name = 'parcels' AND sql IS NOT NULL`)
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`DROP INDEX main.${name}`)
  const lastId = readLastId(db)
  return {
    ...{ db, sql, loadedAt, keys, indexes },
    facts: new FactLoader(),
    ids: new RowNumbers(),
    firstId: lastId + 1,
    lastId,
    comparison: undefined as RollComparison | undefined,
    /** The index by identity: the schema's own if none is shared, else a temporary one. */
    identity: 'none' as 'none' | 'shared' | 'unique',
    parcels: openInserter(db, `main.parcels (id, ${PARCEL_COLUMNS})`, 1 + COLUMN_NAMES.length),
    records: openInserter(
      db,
      'main.records (id, loaded_at, field_values, keys, sum, owned, geojson, tile_text)',
      8,
    ),
    variant: db.prepare('INSERT INTO staging.variants VALUES (?, ?)'),
  }
}

/** Rows that are written before their facts: the caches of a processor do not hold both codes. */
const AT_ONCE = 32

/** Tables from which a dropped row is deleted by id. */
const BY_ID = ['main.parcels', 'main.records', 'staging.variants']

/** Writes the rows and their facts, and adds their keys to those to be sorted. */
async function stage(load: FirstLoad, parcels: StagedParcel[]): Promise<void> {
  load.comparison = undefined
  for (let from = 0; from < parcels.length; from += AT_ONCE) {
    const some = parcels.slice(from, from + AT_ONCE)
    const first = load.lastId + 1
    for (const parcel of some) add(load, parcel)
    for (const [at, parcel] of some.entries()) load.facts.add(first + at, parcel)
  }
  load.parcels.flush()
  load.records.flush()
  await writeBlocks(load.sql, load.facts.take())
}

function add(load: FirstLoad, parcel: StagedParcel): void {
  load.lastId += 1
  const { lastId: id, loadedAt } = load
  load.ids.add(parcel.row, id)
  load.parcels.add(id, ...parcelValues(parcel))
  const { fieldValues, keys } = parcel
  const geometry = parcel.geometry || null
  const sum = checksumRecord({ id, loadedAt, fieldValues, geometry })
  const owned = packOwned(parcel)
  const tileText = geometry === null ? null : tileTextOf(fieldValues)
  const parsed: EncodedKeys = JSON.parse(keys)
  const values = [fieldValues, packKeys(keys, parsed), sum, owned, geometry, tileText]
  load.records.add(id, loadedAt, ...values)
  const variant = variantOf(parcel)
  if (variant !== '') load.variant.run(id, variant)
  load.keys.add(id, parcel.state, parcel.fips, parsed)
}

function drop(load: FirstLoad, rows: number[]): void {
  load.comparison = undefined
  const deletes = BY_ID.map((table) => load.db.prepare(`DELETE FROM ${table} WHERE id = ?`))
  for (const row of rows) {
    const id = load.ids.drop(row)
    if (id === undefined) continue
    for (const statement of deletes) statement.run(id)
    load.keys.drop(id)
    load.facts.drop(id)
  }
}

/** Groups of shared identities read at a time. */
const GROUPS = 1000

/** Iterates over shared identities by key; no statement stays open meanwhile. */
async function* readShared(load: FirstLoad): AsyncGenerator<StagedRow[]> {
  index(load)
  const next = load.db.prepare(`SELECT fips, stripped_key AS stripped, municipality
    FROM main.parcels WHERE (fips, stripped_key, municipality) > (?, ?, ?)
    GROUP BY fips, stripped_key, municipality HAVING count(*) > 1
    ORDER BY fips, stripped_key, municipality LIMIT ${GROUPS}`)
  const rows = load.db.prepare(`SELECT p.id, p.parcel_key AS parcelKey,
      r.field_values AS fieldValues, v.variant
    FROM main.parcels p JOIN main.records r ON r.id = p.id LEFT JOIN staging.variants v
    ON v.id = p.id
    WHERE p.fips = ? AND p.stripped_key = ? AND p.municipality = ?`)
  type Identity = { fips: number; stripped: string; municipality: string }
  type Row = Omit<StagedRow, 'row'> & { id: number; variant: string | null }
  let after: [number, string, string] = [0, '', '']
  for (;;) {
    const identities = next.all(...after) as Identity[]
    for (const { fips, stripped, municipality } of identities) {
      after = [fips, stripped, municipality]
      const group = rows.all(...after) as Row[]
      yield* groupRepeats(group, load.ids)
    }
    if (identities.length < GROUPS) return
  }
}

/** Builds an index by identity: the schema's own, or a temporary one where one is shared. */
function index(load: FirstLoad): void {
  if (load.identity !== 'none') return
  try {
    indexUnique(load)
  } catch (error) {
    if (sqliteCode(error) !== SQLITE.CONSTRAINT) throw error
    load.db.exec('CREATE INDEX main.roll_identity ON parcels (fips, stripped_key, municipality)')
    load.identity = 'shared'
  }
}

function indexUnique(load: FirstLoad): void {
  if (load.identity === 'unique') return
  if (load.identity === 'shared') load.db.exec('DROP INDEX main.roll_identity')
  load.db.exec(load.indexes.find(({ name }) => name === 'parcels_identity')?.sql ?? '')
  load.identity = 'unique'
}

/** Counts the rows of each scope, once no two of them share an identity. */
function countScopes(load: FirstLoad): RollComparison {
  if (load.comparison !== undefined) return load.comparison
  indexUnique(load)
  const counted = load.db.prepare(`SELECT fips, municipality, ${countsText('filled')}
    FROM main.parcels GROUP BY fips, municipality`)
  const scopes = (counted.all() as NewScope[]).map(newScope)
  const loaded = scopes.reduce((sum, { after }) => sum + after, 0)
  load.comparison = { loaded, updated: 0, unchanged: 0, removed: 0, scopes }
  return load.comparison
}

/** Finishes the load: keys, indexes, facts, places, counts and history, then the commit. */
async function apply(load: FirstLoad, applying: Applying): Promise<AppliedRoll> {
  const { db, sql, firstId } = load
  const { scopes, ...change } = countScopes(load)
  const steps: (() => unknown)[] = [
    ...load.keys.steps(),
    ...load.indexes
      .filter(({ name }) => name !== 'parcels_identity')
      .map((index) => () => db.exec(index.sql)),
    () => finishFacts(sql, load.facts),
    () => fillPlaces(db),
    () => countOwners(db, firstId - 1),
    () => writeLoaded(load, change.loaded > 0 ? scopes : []),
    () => noteFirst(load, change, applying),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    applying.onProgress?.((done + 1) / steps.length)
  }
  const tokens = await readTokens(sql)
  db.exec('COMMIT')
  return { change, tokens, ids: load.ids, ...finishCommit(db) }
}

async function writeLoaded(
  { db, sql, lastId, loadedAt }: FirstLoad,
  scopes: readonly { fips: number; municipality: string }[],
): Promise<void> {
  db.prepare("UPDATE main.counters SET value = ? WHERE name = 'parcel'").run(lastId)
  const own = scopes.map(({ fips, municipality }) => ({ state: '', fips, municipality }))
  await writeScopes(sql, own, loadedAt, true)
}

async function noteFirst(
  { db, sql, loadedAt, firstId, lastId }: FirstLoad,
  change: RollChange,
  { note = NO_NOTE, token = null }: Applying,
): Promise<void> {
  stampWritten(db)
  const scopes = await sql.ask<LoadedScope>(
    'SELECT state, fips, municipality, parcels FROM scopes ORDER BY fips, municipality',
  )
  const entry = { kind: 'import' as const, ...note, ...change, loadedAt, undoes: null }
  const id = await addImport(sql, entry)
  for (const [state, own] of Map.groupBy(scopes, (scope) => scope.state)) {
    await noteLoaded(sql, state, own, { loadedAt, id })
  }
  const keeping = { ...(note.versions ?? KEEP_ALL), source: note.mapping, loadedAt, id }
  await keepLoaded(sql, scopes, keeping)
  await addScopes(sql, id, scopes, { firstId, lastId })
  await writeTokens(sql, scopes, token)
}
