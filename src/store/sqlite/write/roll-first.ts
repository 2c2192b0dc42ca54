/**
 * The first load of a store: rows go directly into its tables, in one transaction from the first
 * row to the last index. There is nothing to compare with, so only the keys are staged, to be
 * sorted. docs/decisions/imports.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { coverageBit } from '../../../base/model/coverage.ts'
import { tileTextOf } from '../../../record/tile-text.ts'
import { FactLoader } from '../../facts/block.ts'
import { finishFacts, writeBlocks } from '../../facts/write.ts'
import { type ImportNote, KEEP_ALL, type LoadedScope, NO_NOTE } from '../../history.ts'
import type { EncodedKeys } from '../../parcel-keys.ts'
import { noteLoaded } from '../../rolls/change-rows.ts'
import { addImport, addScopes, readTokens, writeTokens } from '../../rolls/import-rows.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import { RowNumbers } from '../../rolls/row-numbers.ts'
import { findRepeats, writeScopes } from '../../rolls/staged-rolls.ts'
import type {
  RepeatedRows,
  RollChange,
  RollComparison,
  ScopeChange,
  StagedParcel,
  StagedRow,
} from '../../store.ts'
import { keepLoaded } from '../../versions/keep.ts'
import { SQLITE, sqliteCode } from '../connection.ts'
import { packOwned } from '../owned.ts'
import { packKeys } from '../packed-keys.ts'
import { stampWritten } from '../page-sums.ts'
import { checksumRecord } from '../record-checksum.ts'
import { openRollSql } from '../roll-sql.ts'
import { openKeyWriter } from './key-writer.ts'
import { countOwners } from './owner-counts.ts'
import { fillPlaces } from './place-writer.ts'
import { readLastId } from './roll-apply.ts'
import {
  finishCommit,
  PARCEL_COLUMNS,
  parcelValues,
  type StagingWriter,
  variantOf,
} from './roll-common.ts'

/** Groups of shared identities read at a time. */
const GROUPS = 1000

/** Rows that are written before their facts: the caches of a processor do not hold both codes. */
const AT_ONCE = 32

/** Tables from which a dropped row is deleted by id. */
const BY_ID = ['main.parcels', 'main.records', 'staging.variants']

/** Reports whether nothing was ever loaded, or everything was removed. */
export function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM main.parcels LIMIT 1').get() === undefined
}

/**
 * Opens the writer of a first load. `loadedAt`: the value that `apply` will get; a different one
 * costs a pass over all rows.
 */
export function openFirstLoad(db: DatabaseSync, loadedAt = 0): StagingWriter {
  const load = new FirstLoad(db, loadedAt)
  return {
    stage: (parcels) => load.stage(parcels),
    drop: (rows) => load.drop(rows),
    leave: () => undefined,
    compare: () => load.compare(),
    apply: (_removeAbsent, at, onProgress, note, token) => load.apply(at, onProgress, note, token),
    marks: {
      tokens: () => readTokens(openRollSql(db)),
      claim: () => undefined,
      see() {
        throw new Error('nothing was loaded before, so no row can be unchanged')
      },
      unsee: () => [],
    },
    ids: () => load.ids(),
  }
}

class FirstLoad {
  readonly #db: DatabaseSync
  readonly #sql: RollSql
  readonly #loadedAt: number
  readonly #ids = new RowNumbers()
  readonly #indexes: { name: string; sql: string }[]
  /** The trigger that adds a parcel to the tree of sales, which is packed at the end. */
  readonly #trigger: string
  readonly #keys
  readonly #facts = new FactLoader()
  readonly #insert
  readonly #dropped = new Set<number>()
  readonly #firstId: number
  #lastId: number
  /** Whether rows that share an identity were looked for. */
  #isSettled = false
  #comparison: RollComparison | undefined
  #identity: 'none' | 'shared' | 'unique' = 'none'

  constructor(db: DatabaseSync, loadedAt: number) {
    this.#db = db
    this.#sql = openRollSql(db)
    this.#loadedAt = loadedAt
    db.exec('CREATE TABLE staging.variants (id INTEGER PRIMARY KEY, variant TEXT)')
    this.#keys = openKeyWriter(db)
    db.exec('BEGIN IMMEDIATE')
    // Indexes are built once, after the rows.
    this.#indexes = db
      .prepare(`SELECT name, sql FROM main.sqlite_schema
        WHERE type = 'index' AND tbl_name = 'parcels' AND sql IS NOT NULL`)
      .all() as { name: string; sql: string }[]
    for (const { name } of this.#indexes) db.exec(`DROP INDEX main.${name}`)
    this.#trigger = String(
      db.prepare("SELECT sql FROM main.sqlite_schema WHERE name = 'sales_insert'").get()?.sql,
    )
    db.exec('DROP TRIGGER main.sales_insert')
    this.#lastId = readLastId(db)
    this.#firstId = this.#lastId + 1
    const marks = PARCEL_COLUMNS.replace(/\w+/g, '?')
    this.#insert = {
      parcel: db.prepare(`INSERT INTO main.parcels (id, ${PARCEL_COLUMNS}) VALUES (?, ${marks})`),
      record: db.prepare(
        `INSERT INTO main.records
          (id, loaded_at, field_values, keys, sum, owned, geojson, tile_text)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      variant: db.prepare('INSERT INTO staging.variants VALUES (?, ?)'),
    }
  }

  async stage(parcels: StagedParcel[]): Promise<void> {
    this.#comparison = undefined
    for (let from = 0; from < parcels.length; from += AT_ONCE) {
      const some = parcels.slice(from, from + AT_ONCE)
      const first = this.#lastId + 1
      for (const parcel of some) this.#add(parcel)
      for (const [at, parcel] of some.entries()) this.#facts.add(first + at, parcel)
    }
    await writeBlocks(this.#sql, this.#facts.take())
  }

  #add(parcel: StagedParcel): void {
    this.#lastId += 1
    const id = this.#lastId
    this.#ids.add(parcel.row, id)
    this.#insert.parcel.run(id, ...parcelValues(parcel))
    const { fieldValues, keys, geometry } = parcel
    const sum = checksumRecord({ id, loadedAt: this.#loadedAt, fieldValues, geometry })
    const owned = packOwned(parcel)
    const tileText = geometry === null ? null : tileTextOf(fieldValues)
    const parsed: EncodedKeys = JSON.parse(keys)
    const values = [fieldValues, packKeys(keys, parsed), sum, owned, geometry, tileText]
    this.#insert.record.run(id, this.#loadedAt, ...values)
    const variant = variantOf(parcel)
    if (variant !== '') this.#insert.variant.run(id, variant)
    this.#keys.add(id, parcel.state, parcel.fips, parsed)
  }

  /**
   * Iterates over shared identities by key. No statement stays open while the importer settles a
   * group.
   */
  async *#repeats(): AsyncGenerator<StagedRow[]> {
    this.#index()
    const next =
      this.#db.prepare(`SELECT fips, stripped_key AS stripped, municipality FROM main.parcels
      WHERE (fips, stripped_key, municipality) > (?, ?, ?)
      GROUP BY fips, stripped_key, municipality HAVING count(*) > 1
      ORDER BY fips, stripped_key, municipality LIMIT ${GROUPS}`)
    const rows = this.#db.prepare(`SELECT p.id, p.parcel_key AS parcelKey,
        r.field_values AS fieldValues, v.variant
      FROM main.parcels p JOIN main.records r ON r.id = p.id LEFT JOIN staging.variants v
      ON v.id = p.id
      WHERE p.fips = ? AND p.stripped_key = ? AND p.municipality = ?`)
    let after: [number, string, string] = [0, '', '']
    for (;;) {
      const identities = next.all(...after) as {
        fips: number
        stripped: string
        municipality: string
      }[]
      for (const { fips, stripped, municipality } of identities) {
        after = [fips, stripped, municipality]
        const group = rows.all(...after) as (Omit<StagedRow, 'row'> & {
          id: number
          variant: string | null
        })[]
        for (const same of Map.groupBy(group, ({ variant }) => variant).values()) {
          if (same.length < 2) continue
          yield same
            .map(({ id, parcelKey, fieldValues }) => ({
              row: this.#ids.rowOf(id),
              parcelKey,
              fieldValues,
            }))
            .sort((a, b) => a.row - b.row)
        }
      }
      if (identities.length < GROUPS) return
    }
  }

  drop(rows: number[]): void {
    this.#comparison = undefined
    const deletes = BY_ID.map((table) => this.#db.prepare(`DELETE FROM ${table} WHERE id = ?`))
    for (const row of rows) {
      const id = this.#ids.positionOf(row)
      if (id === undefined) continue
      for (const statement of deletes) statement.run(id)
      this.#dropped.add(id)
      this.#keys.drop(id)
      this.#facts.drop(id)
    }
  }

  async compare(): Promise<RollComparison | RepeatedRows> {
    const repeated = this.#isSettled ? undefined : await findRepeats(this.#repeats())
    this.#isSettled = true
    return repeated ?? this.#compared()
  }

  #compared(): RollComparison {
    this.#comparison ??= this.#count()
    return this.#comparison
  }

  #count(): RollComparison {
    this.#indexUnique()
    const [owner, address] = [coverageBit('owner'), coverageBit('address')]
    const scopes = this.#db
      .prepare(`SELECT fips, municipality, 0 AS before, 0 AS removed, 0 AS ownerBefore, 0 AS
        addressBefore, NULL AS newest, 0 AS renumbered,
        count(*) AS after, sum((filled & ${owner}) > 0) AS ownerAfter,
        sum((filled & ${address}) > 0) AS addressAfter
        FROM main.parcels GROUP BY fips, municipality`)
      .all() as ScopeChange[]
    const loaded = scopes.reduce((sum, { after }) => sum + after, 0)
    return { loaded, updated: 0, unchanged: 0, removed: 0, scopes }
  }

  async apply(
    loadedAt: number,
    onProgress: (share: number) => void = () => undefined,
    note: ImportNote = NO_NOTE,
    token: string | null = null,
  ) {
    const { scopes, ...change } = this.#compared()
    const others = this.#indexes.filter(({ name }) => name !== 'parcels_identity')
    const steps: (() => unknown)[] = [
      ...this.#keys.steps(),
      ...others.map(
        ({ sql }) =>
          () =>
            this.#db.exec(sql),
      ),
      () => finishFacts(this.#sql, this.#facts),
      () => fillPlaces(this.#db, this.#firstId - 1, this.#lastId),
      () => this.#db.exec(this.#trigger),
      () => countOwners(this.#db, this.#firstId - 1),
      () => this.#finish(loadedAt, change.loaded > 0 ? scopes : []),
      () => this.#note(loadedAt, change, note, token),
    ]
    for (const [done, step] of steps.entries()) {
      await step()
      onProgress((done + 1) / steps.length)
    }
    this.#db.exec('COMMIT')
    return { ...change, ...finishCommit(this.#db) }
  }

  async #finish(loadedAt: number, scopes: readonly ScopeChange[]): Promise<void> {
    if (loadedAt !== this.#loadedAt) {
      this.#db
        .prepare(`UPDATE main.records
          SET loaded_at = ?1, sum = record_sum(id, ?1, field_values, geojson)`)
        .run(loadedAt)
    }
    this.#db.prepare("UPDATE main.counters SET value = ? WHERE name = 'parcel'").run(this.#lastId)
    const own = scopes.map(({ fips, municipality }) => ({ state: '', fips, municipality }))
    await writeScopes(this.#sql, own, loadedAt, true)
  }

  async #note(loadedAt: number, change: RollChange, note: ImportNote, token: string | null) {
    const sql = this.#sql
    stampWritten(this.#db)
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
    await addScopes(sql, id, scopes, { firstId: this.#firstId, lastId: this.#lastId })
    await writeTokens(sql, scopes, token)
  }

  /** The rows of all parcels, by id. */
  *ids(): Generator<{ row: number; id: number }> {
    for (let id = this.#firstId; id <= this.#lastId; id += 1) {
      if (!this.#dropped.has(id)) yield { row: this.#ids.rowOf(id), id }
    }
  }

  /**
   * Builds an index by identity: the schema's own if no identity is shared, else a temporary one.
   */
  #index(): void {
    if (this.#identity !== 'none') return
    try {
      this.#createUnique()
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.CONSTRAINT) throw error
      this.#db.exec('CREATE INDEX main.roll_identity ON parcels (fips, stripped_key, municipality)')
      this.#identity = 'shared'
    }
  }

  #indexUnique(): void {
    if (this.#identity === 'unique') return
    if (this.#identity === 'shared') this.#db.exec('DROP INDEX main.roll_identity')
    this.#createUnique()
  }

  #createUnique(): void {
    this.#db.exec(this.#indexes.find(({ name }) => name === 'parcels_identity')?.sql ?? '')
    this.#identity = 'unique'
  }
}
