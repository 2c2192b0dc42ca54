/**
 * The parcels of roll scopes of which nothing is stored. They cannot change a stored parcel, so
 * nothing is compared: the command makes the rows of every table and copies them.
 *
 * Into an empty database they are copied to the tables themselves, whose indexes are dropped before
 * and built afterwards, in one transaction from the first row to the commit. Otherwise they are
 * copied to temporary tables and moved by `write`, in the order of each table's key, so that other
 * imports may run meanwhile.
 */
import type { Client } from 'pg'
import { FactLoader } from '../../../facts/loader.ts'
import { addFacts, finishFacts, writeBlocks } from '../../../facts/write.ts'
import type { IdRange } from '../../../rolls/import-rows.ts'
import { RowNumbers } from '../../../rolls/row-numbers.ts'
import type { ScopeChange, StagedRow } from '../../../store.ts'
import { openRollSql } from '../../roll-sql.ts'
import { copyIn } from '../copy-in.ts'
import { drawIds, returnIds } from '../id-source.ts'
import { MANY } from '../roll-apply.ts'
import { lockState, type PlacedParcel } from '../roll-staging.ts'
import { dropIndexes, restoreIndexes, takeEmptyTables } from './empty-tables.ts'
import { addParcel, openParcelRows, ROW_TABLES } from './parcel-rows.ts'
import { countNewScopes, type NewScope, readShared } from './read-rows.ts'
import { RowCopier } from './row-copier.ts'
import {
  createTemporary,
  moveRows,
  type Targets,
  TEMPORARY,
  writeCounts,
  writeDerived,
} from './write-rows.ts'

/**
 * Ids reserved at once for an empty database, whose rows have their ids before they are counted.
 * More than there are parcels in the country; those left over are returned.
 */
const RESERVED = 2 ** 28

type Options = {
  where: string
  /** The source of ids if it is not this database. */
  /** Epoch seconds that `write` will get; another value costs a pass over all rows. */
  loadedAt: number
}

export class NewScopes {
  readonly #client: Client
  readonly #options: Options
  /** Scopes with stored parcels, by state. */
  readonly #stored = new Map<string, Set<string>>()
  /** Rows that came before it was decided where to copy them. */
  #waiting: PlacedParcel[] = []
  #targets: Targets | undefined
  /** Statements that build the dropped indexes; `undefined` while the tables are not taken. */
  #indexes: string[] | undefined
  #base = 0
  #last = 0
  readonly #numbers = new RowNumbers()
  readonly #variants = new Map<number, string>()
  readonly #dropped = new Set<number>()
  #isDropping = false
  #scopes: NewScope[] | undefined
  readonly #rows = openParcelRows()
  readonly #copier: RowCopier
  /** Of rows that have their ids when they come. */
  readonly #facts = new FactLoader()

  constructor(client: Client, options: Options) {
    this.#client = client
    this.#options = options
    this.#copier = new RowCopier(client)
  }

  /** Whether the tables are taken, in a transaction that is open since. */
  get isTaken(): boolean {
    return this.#indexes !== undefined
  }

  /** Takes the parcels of new scopes and returns the others, of one state. */
  async stage(state: string, parcels: PlacedParcel[]): Promise<PlacedParcel[]> {
    const stored = await this.#readStored(state)
    const isStored = ({ parcel }: PlacedParcel) => stored.has(nameScope(parcel))
    const own = stored.size === 0 ? parcels : parcels.filter((one) => !isStored(one))
    if (own.length > 0) await this.#take(own)
    return stored.size === 0 ? [] : parcels.filter(isStored)
  }

  /** Iterates over shared identities, each by ascending row. */
  async *repeats(): AsyncGenerator<StagedRow[]> {
    const targets = await this.#settle()
    if (targets === undefined) return
    for await (const group of readShared(this.#client, targets)) {
      for (const same of Map.groupBy(group, ({ id }) => this.#variantOf(id)).values()) {
        if (same.length < 2) continue
        yield same
          .map(({ id, ...row }) => ({ ...row, row: this.#numbers.rowOf(id - this.#base) }))
          .sort((a, b) => a.row - b.row)
      }
    }
  }

  /** Rows of other scopes are ignored. */
  drop(rows: number[]): void {
    this.#scopes = undefined
    for (const row of rows) {
      const seq = this.#numbers.positionOf(row)
      if (seq === undefined) continue
      this.#dropped.add(seq)
      this.#isDropping = true
    }
  }

  /** Returns the new scopes of all states with their counts. */
  async count(): Promise<NewScope[]> {
    const targets = await this.#settle()
    if (targets === undefined) return []
    this.#scopes ??= await countNewScopes(this.#client, targets)
    return this.#scopes
  }

  /** Assigns the ids of rows up to this position of the roll; before the transaction. */
  async number(seq: number): Promise<number | undefined> {
    if ((await this.count()).length === 0) return undefined
    if (!this.isTaken) this.#base = (await this.#draw(seq)) - 1
    return this.#base
  }

  /** The ids of all rows up to this position of the roll. */
  range(seq: number): IdRange {
    return { firstId: this.#base + 1, lastId: this.#base + seq }
  }

  /** Writes everything inside the caller's transaction. `onProgress` gets the share done. */
  async write(loadedAt: number, onProgress: (share: number) => void): Promise<void> {
    const targets = await this.#settle()
    if (targets === undefined) return
    const client = this.#client
    if (!this.isTaken) {
      await moveRows(client, { loadedAt, base: this.#base }, (share) => onProgress(share * 0.7))
    } else if (loadedAt !== this.#options.loadedAt) {
      await client.query('UPDATE records SET loaded_at = $1', [loadedAt])
    }
    await writeDerived(client, targets, {
      base: this.isTaken ? 0 : this.#base,
      isFresh: this.isTaken,
    })
    const begun = this.isTaken ? 0.3 : 0.8
    const share = (done: number) => onProgress(begun + (1 - begun) * done)
    await restoreIndexes(client, this.#indexes ?? [], share)
    const states = [...new Set((await this.count()).map(({ state }) => state))]
    await this.#writeFacts(states)
    await writeCounts(client, targets, states)
    onProgress(1)
  }

  async #writeFacts(states: string[]): Promise<void> {
    if (this.isTaken) {
      for (const seq of this.#dropped) this.#facts.drop(this.#base + seq)
      await finishFacts(openRollSql(this.#client), this.#facts)
      return
    }
    for (const state of states) await addFacts(openRollSql(this.#client), state, this.#base)
  }

  /**
   * Rolls back what was not committed, and returns the reserved ids that are not used. Does nothing
   * the second time.
   */
  async returnIds(isCommitted: boolean): Promise<void> {
    if (!this.isTaken) return
    this.#indexes = undefined
    if (!isCommitted) await this.#client.query('ROLLBACK')
    const block = [this.#base + (isCommitted ? this.#last : 0), this.#base + RESERVED] as const
    await returnIds(this.#client, ...block)
  }

  /** The rows of all parcels with their ids. */
  *ids(): Generator<{ row: number; id: number }> {
    for (const { row, position } of this.#numbers) {
      if (!this.#dropped.has(position)) yield { row, id: this.#base + position }
    }
  }

  async #readStored(state: string): Promise<Set<string>> {
    const known = this.#stored.get(state)
    if (known !== undefined) return known
    await lockState(this.#client, state, this.#options.where)
    const text = 'SELECT fips, municipality FROM scopes WHERE state = $1'
    const { rows } = await this.#client.query(text, [state])
    const stored = new Set(rows.map(nameScope))
    this.#stored.set(state, stored)
    return stored
  }

  async #take(parcels: PlacedParcel[]): Promise<void> {
    this.#scopes = undefined
    for (const { seq, parcel } of parcels) {
      this.#numbers.add(parcel.row, seq)
      if (parcel.identity !== parcel.strippedKey) this.#variants.set(seq, parcel.identity)
      this.#last = seq
    }
    if (this.#targets !== undefined) return this.#send(parcels)
    this.#waiting.push(...parcels)
    if (this.#waiting.length >= MANY) await this.#open()
  }

  /** Decides where rows are copied, and copies those that waited for that. */
  async #open(): Promise<void> {
    const client = this.#client
    const isWhole = [...this.#stored.values()].every((stored) => stored.size === 0)
    if (isWhole && this.#waiting.length >= MANY) await this.#takeTables()
    const temporary = this.isTaken ? TEMPORARY : ROW_TABLES
    await createTemporary(client, temporary)
    this.#targets = Object.fromEntries(
      ROW_TABLES.map((table) => [table, temporary.includes(table) ? `first_${table}` : table]),
    ) as Targets
    const waiting = this.#waiting
    this.#waiting = []
    this.#copier.targets = this.#targets
    await this.#send(waiting)
  }

  async #takeTables(): Promise<void> {
    await this.#client.query('BEGIN')
    if (await takeEmptyTables(this.#client)) {
      this.#base = (await this.#draw(RESERVED)) - 1
      this.#indexes = await dropIndexes(this.#client)
    } else await this.#client.query('ROLLBACK')
  }

  #draw(count: number): Promise<number> {
    return drawIds(this.#client, count)
  }

  async #send(parcels: PlacedParcel[]): Promise<void> {
    const { loadedAt } = this.#options
    for (const { seq, parcel } of parcels) {
      addParcel(this.#rows, parcel, this.#base + seq, loadedAt)
      if (this.isTaken) this.#facts.add(this.#base + seq, parcel)
    }
    await this.#copier.copyLargest(this.#rows)
    await writeBlocks(openRollSql(this.#client), this.#facts.take())
  }

  /** Ends with every row copied and every dropped one deleted; `undefined` without any row. */
  async #settle(): Promise<Targets | undefined> {
    if (this.#targets === undefined && this.#waiting.length > 0) await this.#open()
    const targets = this.#targets
    if (targets === undefined) return undefined
    await this.#copier.copyAll(this.#rows)
    if (!this.#isDropping) return targets
    this.#isDropping = false
    const client = this.#client
    await client.query('CREATE TEMP TABLE IF NOT EXISTS first_dropped (id bigint)')
    await client.query('TRUNCATE first_dropped')
    await copyIn(
      client,
      'first_dropped',
      [...this.#dropped].map((seq) => [this.#base + seq]),
    )
    for (const table of ROW_TABLES) {
      await client.query(`DELETE FROM ${targets[table]} t USING first_dropped d WHERE t.id = d.id`)
    }
    return targets
  }

  #variantOf(id: number): string {
    return this.#variants.get(id - this.#base) ?? ''
  }
}

const nameScope = ({ fips, municipality }: { fips: number; municipality: string }) =>
  `${fips} ${municipality}`

/** Returns a new scope as the guard sees it. */
export function scopeChange({ fips, municipality, ...after }: NewScope): ScopeChange {
  return {
    ...{ fips, municipality, before: 0, removed: 0, ownerBefore: 0, addressBefore: 0 },
    ...{
      newest: null,
      renumbered: 0,
      after: after.parcels,
      ownerAfter: after.owners,
      addressAfter: after.addresses,
    },
  }
}
