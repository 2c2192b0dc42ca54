/**
 * Writes rolls to PostgreSQL: stages them by COPY, compares them with the stored rows, and applies
 * the differences in one transaction. Readers see the old roll until the commit and the new one
 * after it. A roll of several states is processed state by state, so that on a cluster each
 * statement runs on one node.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../errors.ts'
import { type ImportNote, isChange, NO_NOTE } from '../../history.ts'
import { readChange } from '../../rows.ts'
import type {
  AppliedRoll,
  RollChange,
  RollComparison,
  RollWriter,
  RowMarks,
  ScopeChange,
  StagedParcel,
  StagedRow,
} from '../../store.ts'
import { isSpread } from '../citus.ts'
import { commitRoll } from '../cluster/commit-roll.ts'
import { packRawRecords } from '../pack/records.ts'
import { connect, describeServer, rollConfig } from '../pool/connection.ts'
import { asDriverError, explainOpening, isOutOfOrder } from '../pool/errors.ts'
import { noteChanges } from './change-rows.ts'
import { dropIndexes, hasParcels, restoreIndexes, takeEmptyTables } from './empty-load.ts'
import type { IdSource } from './id-source.ts'
import { addImport, addScopes, keepImages } from './import-rows.ts'
import {
  applyChanges,
  type IdRange,
  MANY,
  NO_IDS,
  prepareChanges,
  writeScopes,
} from './roll-apply.ts'
import { compareStaged, listStaged, readScopes } from './roll-compare.ts'
import {
  dropLeftovers,
  dropRows,
  dropStaging,
  indexStaged,
  makeStaging,
  readRepeats,
  type Staging,
  stageParcels,
} from './roll-staging.ts'
import { writeTokens } from './roll-tokens.ts'
import { StandingParcels } from './row-marks.ts'
import { refreshStatistics } from './tidy-tables.ts'

/** Server memory for sorting and building indexes. */
const IMPORTING = {
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  temp_buffers: '64MB',
}

/**
 * Opens a writer on a separate connection. Throws `CommandError` for an expected failure. `ids`:
 * the source of ids if it is not this database.
 */
export async function openRollWriter(url: string, ids?: IdSource): Promise<RollWriter> {
  const where = describeServer(url)
  let client: Client | undefined
  try {
    client = await connect(rollConfig(url, 0, IMPORTING))
    const spread = await isSpread(client)
    if (spread) await dropLeftovers(client)
    return guard(new Writer(client, where, spread, ids), where)
  } catch (error) {
    // An open connection would keep the process running.
    await client?.end().catch(() => undefined)
    throw explainOpening(asDriverError(error), where)
  }
}

class Writer implements Omit<RollWriter, 'marks'> {
  readonly #client: Client
  readonly #where: string
  readonly #isSpread: boolean
  readonly #ids: IdSource | undefined
  readonly #states = new Map<string, Staging>()
  #seq = 0
  #indexed = false
  #compared = false
  readonly #standing: StandingParcels

  constructor(client: Client, where: string, spread: boolean, ids: IdSource | undefined) {
    this.#client = client
    this.#where = where
    this.#isSpread = spread
    this.#ids = ids
    const open = (state: string) => this.#staging(state)
    this.#standing = new StandingParcels(client, where, open, this.#states)
  }

  async stage(parcels: StagedParcel[]): Promise<void> {
    for (const [state, own] of Map.groupBy(parcels, (parcel) => parcel.state)) {
      await stageParcels(this.#client, await this.#staging(state), own, this.#seq + 1)
      this.#seq += own.length
    }
  }

  async *repeats(): AsyncGenerator<StagedRow[]> {
    await this.#index()
    for (const staging of this.#states.values()) yield* readRepeats(this.#client, staging)
  }

  async drop(rows: number[]): Promise<void> {
    await this.#index()
    await this.#each((staging) => dropRows(this.#client, staging, rows))
  }

  async compare(): Promise<RollComparison> {
    await this.#compare()
    const scopes: ScopeChange[] = []
    await this.#each(async (staging) => scopes.push(...(await readScopes(this.#client, staging))))
    return { ...(await this.#countChanges(true)), scopes }
  }

  async apply(
    removeAbsent: boolean,
    loadedAt: number,
    onProgress: (share: number) => void = () => undefined,
    note: ImportNote = NO_NOTE,
    token: string | null = null,
  ): Promise<AppliedRoll> {
    await this.#compare()
    const ranges = new Map<string, IdRange>()
    await this.#each(async (staging) =>
      ranges.set(
        staging.state,
        await prepareChanges(this.#client, staging, removeAbsent, this.#ids),
      ),
    )
    const changes = await this.#countChanges(removeAbsent)
    const isChanged = isChange(changes)
    // On a cluster a statement that creates an index affects all states.
    const mayTake = !this.#isSpread && changes.loaded >= MANY
    await this.#client.query('BEGIN')
    try {
      const bulk = mayTake && (await takeEmptyTables(this.#client))
      const entry = { kind: 'import' as const, ...note, ...changes, loadedAt, undoes: null }
      const id = await addImport(this.#client, entry, this.#ids)
      const indexes = bulk ? await dropIndexes(this.#client) : []
      let done = 0
      await this.#each(async (staging) => {
        const scopes = await listStaged(this.#client, staging)
        if (isChanged && !bulk) await keepImages(this.#client, staging, scopes)
        await noteChanges(this.#client, staging, { loadedAt, id, restores: false })
        const fresh = bulk || !(await hasParcels(this.#client, staging.state))
        const step = (share: number) =>
          onProgress(((done + share) / this.#states.size) * (bulk ? 0.6 : 1))
        await applyChanges(this.#client, staging, loadedAt, step, { fresh })
        done += 1
      })
      await restoreIndexes(this.#client, indexes, (share) => onProgress(0.6 + share * 0.4))
      await this.#each(async (staging) => {
        const scopes = await listStaged(this.#client, staging)
        await writeScopes(this.#client, staging.state, scopes, loadedAt, isChanged)
        await addScopes(this.#client, id, scopes, ranges.get(staging.state) ?? NO_IDS)
        if (token !== null) await writeTokens(this.#client, staging.state, scopes, token)
      })
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
    await commitRoll(this.#client, this.#where)
    // The roll is loaded: an error here must not report that nothing was.
    const fault = await refreshStatistics(this.#client, changes, [...this.#states.values()]).catch(
      asDriverError,
    )
    return { ...changes, ...(fault !== undefined && { fault }) }
  }

  /** Recognizes unchanged rows; `undefined` on a cluster. */
  get marks(): RowMarks | undefined {
    return this.#isSpread ? undefined : this.#standing.marks()
  }

  /** Staged rows that remain on a cluster are deleted by the next import. */
  async discard(): Promise<void> {
    if (this.#isSpread) {
      const isUp = await this.#client.query("ROLLBACK; SET lock_timeout = '2s'").then(
        () => true,
        () => false,
      )
      const clear = (staging: Staging) => dropStaging(this.#client, staging).catch(() => undefined)
      if (isUp) await this.#each(clear)
    }
    await this.#client.end().catch(() => undefined)
  }

  async #staging(state: string): Promise<Staging> {
    const known = this.#states.get(state)
    if (known !== undefined) return known
    const made = await makeStaging(this.#client, state, this.#where, this.#isSpread)
    made.hasSeen = this.#standing.isListed
    await packRawRecords(this.#client, state)
    this.#states.set(state, made)
    if (this.#indexed) await indexStaged(this.#client, made)
    return made
  }

  /** In the order in which the roll names the states. */
  async #each(work: (staging: Staging) => Promise<unknown>): Promise<void> {
    for (const staging of this.#states.values()) await work(staging)
  }

  async #index(): Promise<void> {
    if (this.#indexed) return
    this.#indexed = true
    await this.#each((staging) => indexStaged(this.#client, staging))
  }

  async #compare(): Promise<void> {
    if (this.#compared) return
    this.#compared = true
    await this.#index()
    await this.#standing.count()
    await this.#each((staging) => compareStaged(this.#client, staging))
  }

  async #countChanges(withRemoved: boolean): Promise<RollChange> {
    const counts = new Map<string, number>()
    await this.#each(async ({ state, change }) => {
      const { rows } = await this.#client.query(
        `SELECT what, count(*) AS n FROM ${change} WHERE state = $1 GROUP BY what`,
        [state],
      )
      for (const { what, n } of rows) counts.set(what, Number(n) + (counts.get(what) ?? 0))
    })
    counts.set('same', (await this.#standing.sum()) + (counts.get('same') ?? 0))
    return readChange(counts, withRemoved)
  }
}

/** Turns server errors during the writing of a roll into sentences. */
function guard(writer: Writer, where: string): RollWriter {
  const explain = (caught: unknown) => {
    const error = caught instanceof CommandError ? caught : asDriverError(caught)
    if (!isOutOfOrder(error)) return error
    const { message } = error as Error
    return new CommandError(
      `${where}: ${message}; nothing was loaded, and the roll that was there still answers`,
      1,
      error,
    )
  }
  const guarded = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error)
    })
  const { marks } = writer
  return {
    stage: (parcels) => guarded(writer.stage(parcels)),
    repeats: () => writer.repeats(),
    drop: (rows) => guarded(writer.drop(rows)),
    compare: () => guarded(writer.compare()),
    apply: (removeAbsent, loadedAt, onProgress, note, token) =>
      guarded(writer.apply(removeAbsent, loadedAt, onProgress, note, token)),
    discard: () => writer.discard(),
    ...(marks && {
      marks: {
        ...marks,
        tokens: () => guarded(Promise.resolve(marks.tokens())),
        claim: (scopes) => guarded(Promise.resolve(marks.claim(scopes))),
        see: (parcels) => guarded(Promise.resolve(marks.see(parcels))),
        unsee: () => guarded(Promise.resolve(marks.unsee())),
      },
    }),
  }
}
