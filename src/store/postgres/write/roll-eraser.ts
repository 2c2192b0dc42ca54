/**
 * Reverts loads: undoes the last import of a scope from the earlier records, or unloads whole
 * scopes.
 */
import type { Client } from 'pg'
import {
  checkImages,
  type ImportEntry,
  NO_COUNTS,
  NO_NOTE,
  type RollEraser,
  type RollScope,
  type UndoCounts,
} from '../../history.ts'
import { forgetOrigins } from '../../origins/origin-rows.ts'
import { noteChanges } from '../../rolls/change-rows.ts'
import { addImport, addScopes, dropImages, NO_IDS } from '../../rolls/import-rows.ts'
import { readKept } from '../../rolls/rewrite.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import { forgetVersions, pruneToDay } from '../../versions/forget.ts'
import { dropPast } from '../../versions/past.ts'
import { isSpread } from '../citus.ts'
import { countChange, dropCells } from '../cluster/state-places.ts'
import { KEYS, unpackKeys } from '../pack/records.ts'
import { connectKept, describeServer, rollConfig } from '../pool/connection.ts'
import { asDriverError, explainOpening } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges, prepareChanges, writeScopes } from './roll-apply.ts'
import { hasParcels } from './roll-compare.ts'
import {
  dropStaging,
  indexStaged,
  makeStaging,
  type Staging,
  stageParcels,
} from './roll-staging.ts'

/** Earlier records read at a time. */
const SLICE = 2000

type HistoryCounts = Pick<ImportEntry, 'kind' | 'undoes' | 'updated' | 'loaded' | 'removed'>

/** Opens the database at an address. The states concerned are locked as by an import. */
export async function openRollEraser(url: string): Promise<RollEraser> {
  const where = describeServer(url)
  try {
    const client = await connectKept(rollConfig(url, 0, { work_mem: '64MB' }))
    return new Eraser(client, where, await isSpread(client))
  } catch (error) {
    throw explainOpening(asDriverError(error), where)
  }
}

class Eraser implements RollEraser {
  readonly #client: Client
  readonly #sql: RollSql
  readonly #where: string
  readonly #isSpread: boolean
  readonly #states = new Map<string, Staging>()

  constructor(client: Client, where: string, spread: boolean) {
    this.#client = client
    this.#sql = openRollSql(client)
    this.#where = where
    this.#isSpread = spread
  }

  async planUndo(entry: ImportEntry): Promise<UndoCounts> {
    if (entry.kind === 'past') return NO_COUNTS
    let [kept, removed, returned] = [0, 0, 0]
    for (const [staging, scopes] of await this.#open(entry.scopes)) {
      for (const scope of scopes) {
        kept += await this.#stageImages(staging, scope)
        removed += await this.#removeAdded(staging, scope)
      }
      await indexStaged(this.#client, staging)
      returned += await this.#compare(staging)
    }
    checkImages(entry, kept)
    return { removed, restored: kept - returned, returned }
  }

  async undo(entry: ImportEntry, loadedAt: number): Promise<UndoCounts> {
    if (entry.kind === 'past') return this.#undoPast(entry, loadedAt)
    const counts = await this.planUndo(entry)
    await this.#erase(entry.scopes, loadedAt, {
      kind: 'undo',
      undoes: entry.id,
      loaded: counts.returned,
      updated: counts.restored,
      removed: counts.removed,
    })
    return counts
  }

  /** Takes an earlier roll out of the history; no parcel changes. */
  async #undoPast(entry: ImportEntry, loadedAt: number): Promise<UndoCounts> {
    const client = this.#client
    const opened = await this.#open(entry.scopes)
    await client.query('BEGIN')
    try {
      const none = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
      const own = { kind: 'undo' as const, undoes: entry.id, loadedAt }
      const id = await addImport(this.#sql, { ...NO_NOTE, ...none, ...own })
      for (const [staging, scopes] of opened) {
        await dropPast(this.#sql, scopes, entry.id)
        await addScopes(this.#sql, id, scopes, { ...NO_IDS, images: 0 })
        await countChange(client, staging.state)
      }
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw asDriverError(error)
    }
    return NO_COUNTS
  }

  async unload(scopes: RollScope[], loadedAt: number): Promise<number> {
    let removed = 0
    for (const [staging, own] of await this.#open(scopes)) {
      for (const scope of own) removed += await this.#removeAdded(staging, scope)
    }
    const counts = { kind: 'unload' as const, undoes: null, loaded: 0, updated: 0, removed }
    await this.#erase(scopes, loadedAt, counts)
    return removed
  }

  async prune(scopes: RollScope[], day: number): Promise<number> {
    let pruned = 0
    await this.#client.query('BEGIN')
    try {
      for (const scope of scopes) pruned += await pruneToDay(this.#sql, scope, day)
      const states = new Set(scopes.map(({ state }) => state))
      for (const state of states) await countChange(this.#client, state)
      await this.#client.query('COMMIT')
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined)
      throw asDriverError(error)
    }
    return pruned
  }

  async close(): Promise<void> {
    if (this.#isSpread) {
      for (const staging of this.#states.values()) {
        await dropStaging(this.#client, staging).catch(() => undefined)
      }
    }
    await this.#client.end().catch(() => undefined)
  }

  /** Locks each state and creates its staging tables. */
  async #open<Scope extends RollScope>(scopes: Scope[]): Promise<[Staging, Scope[]][]> {
    const opened: [Staging, Scope[]][] = []
    for (const [state, own] of Map.groupBy(scopes, (scope) => scope.state)) {
      const known = this.#states.get(state)
      if (known !== undefined) await dropStaging(this.#client, known)
      const staging = await makeStaging(this.#client, state, this.#where, this.#isSpread)
      // The earlier records may be a whole roll.
      staging.rows = Number.POSITIVE_INFINITY
      this.#states.set(state, staging)
      opened.push([staging, own])
    }
    return opened
  }

  async #erase(scopes: RollScope[], loadedAt: number, counts: HistoryCounts): Promise<void> {
    const client = this.#client
    for (const staging of this.#states.values()) {
      await prepareChanges(client, staging, true)
    }
    await client.query('BEGIN')
    try {
      const entry = { ...NO_NOTE, unchanged: 0, ...counts, loadedAt }
      const id = await addImport(this.#sql, entry)
      for (const staging of this.#states.values()) {
        const own = scopes.filter(({ state }) => state === staging.state)
        await noteChanges(this.#sql, staging, { loadedAt, id, restores: true })
        await applyChanges(client, staging, loadedAt, () => undefined, { restores: true })
        await dropImages(this.#sql, own)
        await this.#forgetState(staging.state)
        await writeScopes(client, staging.state, own, loadedAt, true)
        await addScopes(this.#sql, id, own, NO_IDS)
        await forgetVersions(this.#sql, own, counts.undoes)
        await forgetOrigins(this.#sql, staging.state, counts.undoes)
      }
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw asDriverError(error)
    }
  }

  /** Stages the earlier records of a scope, each under its id, and returns their number. */
  async #stageImages(staging: Staging, { state, fips, municipality }: RollScope): Promise<number> {
    let staged = 0
    for (let after = 0; ; ) {
      const { rows } = await this.#client.query(
        `SELECT r.*, ${KEYS} FROM import_images r
          WHERE r.state = $1 AND r.fips = $2 AND r.municipality = $3 AND r.id > $4
          ORDER BY r.id LIMIT ${SLICE}`,
        [state, fips, municipality, after],
      )
      const images = rows.map((row) => {
        const kept = readKept({ ...row, keys: unpackKeys(row.keys, row.field_values) })
        return { seq: kept.id, parcel: { ...kept, row: kept.id, identity: kept.strippedKey } }
      })
      await stageParcels(this.#client, staging, images)
      staged += images.length
      if (rows.length < SLICE) return staged
      after = Number(rows.at(-1)?.id)
    }
  }

  /** Marks parcels of a scope as removed; for an undo, those that the import added. */
  async #removeAdded(
    { change }: Staging,
    scope: RollScope & { firstId?: number; lastId?: number },
  ): Promise<number> {
    const { state, fips, municipality, firstId = 0, lastId = Number.MAX_SAFE_INTEGER } = scope
    const { rowCount } = await this.#client.query(
      `INSERT INTO ${change} (state, seq, id, what)
        SELECT p.state, NULL::bigint, p.id, 'removed' FROM parcels p
        WHERE p.state = $1 AND p.fips = $2 AND p.municipality = $3 AND p.id BETWEEN $4 AND $5`,
      [state, fips, municipality, firstId, lastId],
    )
    return rowCount ?? 0
  }

  /** Determines the change of each staged record and returns how many are restored. */
  async #compare({ state, staged, change }: Staging): Promise<number> {
    await this.#client.query(
      `INSERT INTO ${change} (state, seq, id, what)
        SELECT s.state, s.seq, s.seq, CASE WHEN p.id IS NULL THEN 'new' ELSE 'keys' END
        FROM ${staged} s LEFT JOIN parcels p ON p.state = $1 AND p.id = s.seq
        WHERE s.state = $1 ORDER BY s.seq`,
      [state],
    )
    const { rows } = await this.#client.query(
      `SELECT count(*) AS n FROM ${change} WHERE state = $1 AND what = 'new'`,
      [state],
    )
    return Number(rows[0]?.n)
  }

  /** Words of owners and streets are stored per state and removed with its last parcel. */
  async #forgetState(state: string): Promise<void> {
    for (const table of ['loose_situs', 'owner_deletions']) {
      await this.#client.query(
        `DELETE FROM ${table} t WHERE t.state = $1
          AND NOT EXISTS (SELECT FROM parcels p WHERE p.state = $1)`,
        [state],
      )
    }
    if (!(await hasParcels(this.#client, state))) await dropCells(this.#client, state)
  }
}
