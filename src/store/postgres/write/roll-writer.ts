/**
 * Writes rolls to PostgreSQL in one transaction. The first roll of an empty database is copied to
 * its tables (`first/`); others are staged, compared with the stored rows, and applied by
 * difference. Rows are processed by state, so that on a cluster each statement runs on one node.
 */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { type ImportNote, isChange, KEEP_ALL, NO_NOTE, type RollScope } from '../../history.ts'
import { type AfterWriter, createAfterWriter } from '../../rolls/after-writer.ts'
import { noteChanges, noteLoaded } from '../../rolls/change-rows.ts'
import {
  addImport,
  addScopes,
  dropImages,
  type IdRange,
  keepImages,
  NO_IDS,
  readTokens,
  writeTokens,
} from '../../rolls/import-rows.ts'
import type { RollSql } from '../../rolls/roll-sql.ts'
import { newScope, readRepeats, writeScopes } from '../../rolls/staged-rolls.ts'
import { readChange } from '../../rows.ts'
import type {
  AppliedRoll,
  Applying,
  RollChange,
  RollComparison,
  RollExtent,
  RollWriter,
  RowId,
  RowMarks,
  ScopeChange,
  ScopeToken,
  StagedParcel,
  StagedRow,
} from '../../store.ts'
import { type Keeping, keepLoaded, keepVersions } from '../../versions/keep.ts'
import { applyPast, isPast } from '../../versions/past.ts'
import { isSpread } from '../citus.ts'
import { countChange } from '../cluster/state-places.ts'
import { describeServer, openOn, rollConfig } from '../pool/connection.ts'
import { asDriverError, explaining, isOutOfOrder } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'
import { ensureSchema, hasTables } from '../schema.ts'
import { isEmpty } from './first/empty-tables.ts'
import { FirstLoad } from './first/first-load.ts'
import { applyChanges, MANY, prepareChanges, refreshStatistics } from './roll-apply.ts'
import { compareStaged, listStaged, readStagedScopes } from './roll-compare.ts'
import {
  dropLeftovers,
  dropRows,
  dropStaging,
  indexStaged,
  makeStaging,
  type PlacedParcel,
  type Staging,
  stageParcels,
} from './roll-staging.ts'
import { openStanding, readIds } from './row-marks.ts'

/** Server memory for sorting and building indexes. */
const IMPORTING = {
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  temp_buffers: '64MB',
}

type Options = {
  /** Of the roll, epoch seconds. */
  loadedAt: number
  /** `apply` will not be called, so no table is taken from its readers. */
  dryRun?: boolean | undefined
  /** From so many rows on, the tables of an empty database are taken. */
  takenFrom?: number
}

/** Opens a writer on a separate connection. Throws `CommandError` for an expected failure. */
export function openRollWriter(url: string, options: Options): Promise<RollWriter> {
  const where = describeServer(url)
  const config = { ...rollConfig(url, 0, IMPORTING), isKept: true }
  return openOn(config, where, async (client) => {
    if (!(await hasTables(client, where))) await ensureSchema(url)
    const spread = await isSpread(client)
    if (spread) await dropLeftovers(client)
    const { loadedAt, dryRun = false, takenFrom = MANY } = options
    const isFirst = !spread && !dryRun && (await isEmpty(client, 'scopes'))
    const first = isFirst ? new FirstLoad(client, { where, loadedAt, takenFrom }) : undefined
    const explain = (error: unknown) => explainWriting(error, where)
    return explaining(new Writer(client, { where, spread, loadedAt }, first), explain)
  })
}

function explainWriting(caught: unknown, where: string): unknown {
  const error = caught instanceof CommandError ? caught : asDriverError(caught)
  if (!isOutOfOrder(error)) return error
  const { message } = error as Error
  return new CommandError(
    `${where}: ${message}; nothing was loaded, and the previous roll is still served`,
    1,
    error,
  )
}

type Opened = { where: string; spread: boolean; loadedAt: number }

class Writer implements RollWriter {
  readonly #client: Client
  readonly #sql: RollSql
  readonly #where: string
  readonly #isSpread: boolean
  readonly #loadedAt: number
  readonly #states = new Map<string, Staging>()
  #seq = 0
  #indexed = false
  #compared = false
  readonly #standing: ReturnType<typeof openStanding>
  #first: FirstLoad | undefined

  constructor(client: Client, { where, spread, loadedAt }: Opened, first: FirstLoad | undefined) {
    this.#first = first
    this.#client = client
    this.#sql = openRollSql(client)
    this.#where = where
    this.#isSpread = spread
    this.#loadedAt = loadedAt
    const open = (state: string) => this.#staging(state)
    this.#standing = openStanding(client, where, open, this.#states)
  }

  async stage(parcels: StagedParcel[]): Promise<void> {
    const placed = [...Map.groupBy(parcels, ({ state }) => state).values()]
      .flat()
      .map((parcel, at) => ({ seq: this.#seq + at + 1, parcel }))
    this.#seq += placed.length
    if (this.#first === undefined) return this.#compareLater(placed)
    const refused = await this.#first.stage(placed)
    if (refused !== undefined) await this.#compareLater(refused)
  }

  async #compareLater(parcels: PlacedParcel[]): Promise<void> {
    this.#first = undefined
    for (const [state, own] of Map.groupBy(parcels, ({ parcel }) => parcel.state)) {
      await stageParcels(this.#client, await this.#staging(state), own)
    }
  }

  async *repeats(): AsyncGenerator<StagedRow[]> {
    await this.#index()
    if (this.#first !== undefined) yield* this.#first.repeats()
    for (const staging of this.#states.values()) yield* readRepeats(this.#sql, staging)
  }

  async drop(rows: number[]): Promise<void> {
    await this.#index()
    this.#first?.drop(rows)
    await this.#each((staging) => dropRows(this.#client, staging, rows))
  }

  async compare(extent?: RollExtent): Promise<RollComparison> {
    await this.#compare(extent)
    const scopes: ScopeChange[] = (await this.#first?.count())?.map(newScope) ?? []
    await this.#each(async (staging) =>
      scopes.push(...(await readStagedScopes(this.#client, staging))),
    )
    return { ...(await this.#countChanges()), scopes }
  }

  async apply(applying: Applying = {}): Promise<AppliedRoll> {
    const { onProgress = () => undefined, note = NO_NOTE, token = null } = applying
    const loadedAt = this.#loadedAt
    await this.#compare()
    const versions = { ...(note.versions ?? KEEP_ALL), source: note.mapping, loadedAt }
    const staged = [...(await this.#listScopes()).values()].flat()
    if (await isPast(this.#sql, staged, versions.vintage)) {
      return this.#applyPast(staged, versions, note)
    }
    const ranges = new Map<string, IdRange>()
    await this.#each(async (staging) => {
      const range = await prepareChanges(this.#client, staging)
      ranges.set(staging.state, range)
    })
    const change = await this.#countChanges()
    const scopes = await this.#listScopes()
    let tokens: ScopeToken[]
    if (this.#first === undefined) await this.#client.query('BEGIN')
    try {
      const entry = { kind: 'import' as const, ...note, ...change, loadedAt, undoes: null }
      const id = await addImport(this.#sql, entry)
      await this.#write({ ...versions, id, isChanged: isChange(change) }, onProgress)
      for (const [state, own] of scopes) {
        await countChange(this.#client, state)
        await writeScopes(this.#sql, own, loadedAt, isChange(change))
        const range = this.#first?.range() ?? ranges.get(state) ?? NO_IDS
        await addScopes(this.#sql, id, own, range)
        await writeTokens(this.#sql, own, token)
      }
      tokens = await readTokens(this.#sql)
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
    await commitRoll(this.#client, this.#where)
    // The roll is loaded: an error here must not report that nothing was.
    const fault = await this.#tidy(change).catch(asDriverError)
    return { change, tokens, ids: this.#ids(), ...(fault !== undefined && { fault }) }
  }

  /** Loads the staged roll into the versions alone. */
  async #applyPast(
    scopes: RollScope[],
    versions: Omit<Keeping, 'id'>,
    note: ImportNote,
  ): Promise<AppliedRoll> {
    await this.#client.query('BEGIN')
    try {
      const stagings = [...this.#states.values()]
      const change = await applyPast(this.#sql, stagings, scopes, { ...versions, note })
      for (const { state } of stagings) await countChange(this.#client, state)
      const tokens = await readTokens(this.#sql)
      await commitRoll(this.#client, this.#where)
      return { change, tokens, ids: this.#ids() }
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  async #tidy(changes: RollChange): Promise<void> {
    await this.#first?.returnIds(true)
    await refreshStatistics(this.#client, changes, [...this.#states.values()])
  }

  async #listScopes(): Promise<Map<string, RollScope[]>> {
    const scopes: RollScope[] = [...((await this.#first?.count()) ?? [])]
    await this.#each(async (staging) => scopes.push(...(await listStaged(this.#client, staging))))
    return Map.groupBy(scopes, ({ state }) => state)
  }

  async #write(
    { isChanged, ...keeping }: Keeping & { isChanged: boolean },
    onProgress: (share: number) => void,
  ): Promise<void> {
    const { loadedAt, id } = keeping
    const first = (await this.#first?.count()) ?? []
    const parts = this.#states.size + (first.length > 0 ? 1 : 0)
    let done = 0
    const step = (share: number) => onProgress((done + share) / parts)
    if (first.length > 0) {
      await dropImages(this.#sql, first)
      for (const [state, own] of Map.groupBy(first, (scope) => scope.state)) {
        await noteLoaded(this.#sql, state, own, { loadedAt, id })
      }
      await this.#first?.write(step)
      await keepLoaded(this.#sql, first, keeping)
      done += 1
    }
    await this.#each(async (staging) => {
      const scopes = await listStaged(this.#client, staging)
      if (isChanged) await keepImages(this.#sql, staging, scopes)
      await noteChanges(this.#sql, staging, { loadedAt, id, restores: false })
      await keepVersions(this.#sql, staging, scopes, keeping)
      await applyChanges(this.#client, staging, { loadedAt, onProgress: step })
      done += 1
    })
  }

  /** Recognizes unchanged rows; `undefined` on a cluster. */
  get marks(): RowMarks | undefined {
    if (this.#isSpread) return undefined
    return explaining(this.#standing.marks, (error) => explainWriting(error, this.#where))
  }

  async *#ids(): AsyncGenerator<RowId> {
    if (this.#first !== undefined) yield* this.#first.ids
    for (const staging of this.#states.values()) {
      yield* readIds(this.#client, staging, this.#isSpread)
    }
  }

  get after(): AfterWriter {
    return createAfterWriter(this.#sql)
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
    // An open transaction ends with the connection.
    await this.#first?.returnIds(false).catch(() => undefined)
    await this.#client.end().catch(() => undefined)
  }

  async #staging(state: string): Promise<Staging> {
    const known = this.#states.get(state)
    if (known !== undefined) return known
    const made = await makeStaging(this.#client, state, this.#where, this.#isSpread)
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
    if (this.#first?.isTaken === false) await this.#compareLater(this.#first.waiting)
    await this.#each((staging) => indexStaged(this.#client, staging))
  }

  async #compare(extent: RollExtent = {}): Promise<void> {
    if (this.#compared) return
    this.#compared = true
    const { leaving } = extent
    const byState = Map.groupBy(leaving ?? [], ({ state }) => state)
    for (const state of byState.keys()) await this.#staging(state)
    await this.#index()
    await this.#standing.count()
    await this.#each((staging) => {
      if (leaving !== undefined) staging.leaving = byState.get(staging.state) ?? []
      return compareStaged(this.#client, staging, extent)
    })
  }

  async #countChanges(): Promise<RollChange> {
    const counts = new Map<string, number>()
    await this.#each(async ({ state, change }) => {
      const { rows } = await this.#client.query(
        `SELECT what, count(*) AS n FROM ${change} WHERE state = $1 GROUP BY what`,
        [state],
      )
      for (const { what, n } of rows) counts.set(what, Number(n) + (counts.get(what) ?? 0))
    })
    for (const { parcels } of (await this.#first?.count()) ?? []) {
      counts.set('new', parcels + (counts.get('new') ?? 0))
    }
    counts.set('same', (await this.#standing.sum()) + (counts.get('same') ?? 0))
    return readChange(counts)
  }
}

type Notice = { severity?: string | undefined; message?: string | undefined }

/**
 * Commits what an import wrote. If the reply is lost, the commit may have happened; loading the
 * roll again then changes nothing. A node lost between the two phases of a commit shows the old
 * roll until the coordinator finishes. Throws `CommandError` with a sentence in both cases.
 */
async function commitRoll(client: Client, where: string): Promise<void> {
  const warnings: string[] = []
  const hear = ({ severity, message }: Notice) => {
    if (severity === 'WARNING') warnings.push(String(message))
  }
  client.on('notice', hear)
  try {
    await client.query('COMMIT')
  } catch (error) {
    throw new CommandError(
      `${where} was lost while the roll was committed: whether it is loaded is not ` +
        'known; import it again',
      1,
      error,
    )
  } finally {
    client.off('notice', hear)
  }
  if (warnings.length === 0) return
  throw new CommandError(
    `${where} committed the roll, and a node of it did not (${warnings.join('; ')}): ` +
      'its states show the old roll until it is back and the cluster has told it, within a ' +
      'minute; import the roll again then, which finds out what is missing',
  )
}
