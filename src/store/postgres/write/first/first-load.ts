/**
 * The first roll of an empty database. It cannot change a stored parcel, so nothing is compared.
 * The command makes the rows of every table and copies them to the tables themselves, whose indexes
 * are dropped before and built afterwards. All is one transaction from the first row to the commit.
 */
import type { Client } from 'pg'
import { FactLoader } from '../../../facts/block.ts'
import { finishFacts, writeBlocks } from '../../../facts/write.ts'
import type { IdRange } from '../../../rolls/import-rows.ts'
import { RowNumbers } from '../../../rolls/row-numbers.ts'
import { groupRepeats, type NewScope } from '../../../rolls/staged-rolls.ts'
import type { StagedRow } from '../../../store.ts'
import { openRollSql } from '../../roll-sql.ts'
import { CopyLines, copyIn } from '../copy-in.ts'
import { drawIds, returnIds } from '../id-source.ts'
import { lockState, type PlacedParcel } from '../roll-staging.ts'
import { dropIndexes, restoreIndexes, takeEmptyTables } from './empty-tables.ts'
import { addParcel, type ParcelRows, ROW_TABLES } from './parcel-rows.ts'
import { countNewScopes, readShared } from './read-rows.ts'
import { createTemporary, RowCopier, targetOf, writeCounts, writeDerived } from './write-rows.ts'

/** Ids reserved at once, more than the country has parcels; those left over are returned. */
const RESERVED = 2 ** 28

type Options = {
  where: string
  /** Epoch seconds. */
  loadedAt: number
  takenFrom: number
}

export class FirstLoad {
  readonly #client: Client
  readonly #options: Options
  readonly #locked = new Set<string>()
  /** Rows that came before there were enough to take the tables. */
  #waiting: PlacedParcel[] = []
  /** Statements that build the dropped indexes; `undefined` while the tables are not taken. */
  #indexes: string[] | undefined
  #base = 0
  #last = 0
  /** The staged rows with their parcels' ids. */
  readonly ids = new RowNumbers()
  readonly #variants = new Map<number, string>()
  #isDropping = false
  #scopes: NewScope[] | undefined
  readonly #rows = Object.fromEntries(
    ROW_TABLES.map((table) => [table, new CopyLines()]),
  ) as ParcelRows
  readonly #copier: RowCopier
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

  /** Takes parcels. If tables cannot be taken, returns all it had and must not be used again. */
  async stage(parcels: PlacedParcel[]): Promise<PlacedParcel[] | undefined> {
    for (const state of new Set(parcels.map(({ parcel }) => parcel.state))) {
      if (this.#locked.has(state)) continue
      await lockState(this.#client, state, this.#options.where)
      this.#locked.add(state)
    }
    if (this.isTaken) await this.#send(parcels)
    else {
      this.#waiting.push(...parcels)
      if (this.#waiting.length < this.#options.takenFrom) return undefined
      if (!(await this.#takeTables())) return this.#waiting
      await this.#send(this.#waiting)
      this.#waiting = []
    }
    return undefined
  }

  /** The parcels of a roll that was too small to take the tables. */
  get waiting(): PlacedParcel[] {
    return this.#waiting
  }

  /** Iterates over shared identities, each by ascending row. */
  async *repeats(): AsyncGenerator<StagedRow[]> {
    await this.#settle()
    for await (const group of readShared(this.#client)) {
      const rows = group.map((row) => ({ ...row, variant: this.#variants.get(row.id) ?? '' }))
      yield* groupRepeats(rows, this.ids)
    }
  }

  drop(rows: number[]): void {
    this.#scopes = undefined
    for (const row of rows) if (this.ids.drop(row) !== undefined) this.#isDropping = true
  }

  async count(): Promise<NewScope[]> {
    await this.#settle()
    this.#scopes ??= await countNewScopes(this.#client)
    return this.#scopes
  }

  range(): IdRange {
    return { firstId: this.#base + 1, lastId: this.#base + this.#last }
  }

  /** Writes everything inside the transaction. `onProgress` gets the share done. */
  async write(onProgress: (share: number) => void): Promise<void> {
    await this.#settle()
    const client = this.#client
    await writeDerived(client)
    await restoreIndexes(client, this.#indexes ?? [], (done) => onProgress(0.3 + 0.7 * done))
    for (const id of this.ids.dropped) this.#facts.drop(id)
    await finishFacts(openRollSql(client), this.#facts)
    await writeCounts(client, [...this.#locked])
    onProgress(1)
  }

  /** Rolls back what was not committed, and returns unused ids; nothing the second time. */
  async returnIds(isCommitted: boolean): Promise<void> {
    if (!this.isTaken) return
    this.#indexes = undefined
    if (!isCommitted) await this.#client.query('ROLLBACK')
    const block = [this.#base + (isCommitted ? this.#last : 0), this.#base + RESERVED] as const
    await returnIds(this.#client, ...block)
  }

  async #takeTables(): Promise<boolean> {
    await this.#client.query('BEGIN')
    if (!(await takeEmptyTables(this.#client))) {
      await this.#client.query('ROLLBACK')
      return false
    }
    this.#base = (await drawIds(this.#client, RESERVED)) - 1
    this.#indexes = await dropIndexes(this.#client)
    await createTemporary(this.#client)
    return true
  }

  async #send(parcels: PlacedParcel[]): Promise<void> {
    const { loadedAt } = this.#options
    this.#scopes = undefined
    for (const { seq, parcel } of parcels) {
      const id = this.#base + seq
      this.ids.add(parcel.row, id)
      if (parcel.identity !== parcel.strippedKey) this.#variants.set(id, parcel.identity)
      this.#last = seq
      addParcel(this.#rows, parcel, id, loadedAt)
      this.#facts.add(id, parcel)
    }
    await this.#copier.copyLargest(this.#rows)
    await writeBlocks(openRollSql(this.#client), this.#facts.take())
  }

  /** Ends with every row copied and every dropped one deleted. */
  async #settle(): Promise<void> {
    await this.#copier.copyAll(this.#rows)
    if (!this.#isDropping) return
    this.#isDropping = false
    const client = this.#client
    await client.query('CREATE TEMP TABLE IF NOT EXISTS first_dropped (id bigint)')
    await client.query('TRUNCATE first_dropped')
    await copyIn(
      client,
      'first_dropped',
      [...this.ids.dropped].map((id) => [id]),
    )
    for (const table of ROW_TABLES) {
      await client.query(`DELETE FROM ${targetOf(table)} t USING first_dropped d WHERE t.id = d.id`)
    }
  }
}
