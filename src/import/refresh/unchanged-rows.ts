/**
 * Finds rows that are unchanged since the last import of their scope. Their parcels stay as stored,
 * so the rows are neither mapped nor staged again (docs/decisions/imports.md).
 */
import { randomBytes } from 'node:crypto'
import type { AppliedRoll, RowId, RowMarks, ScopeToken } from '../../store/store.ts'
import type { Batch } from '../batch.ts'
import { usesFile } from '../mapping/mapping.ts'
import type { OpenImport } from '../open.ts'
import { BITS_FIELDS } from '../report/shares.ts'
import { digestRow, digestText, digestWith, type RowDigest } from '../rows/row-digest.ts'
import type { BatchSetup, BatchTally } from '../threads/batch.ts'
import { digestContext } from './context.ts'
import { listMarkHeaders, readMarks, sweepMarks, writeMarks } from './mark-files.ts'
import { MARK_WORDS, MarkTable, RowDigests } from './mark-table.ts'

/** Most marks held in memory, at 60 bytes each (24 on disk). Larger rolls are always read whole. */
const MARKS_MAX = 4_000_000

/** `expected`: the fields whose shares are counted. */
type Options = {
  dataDir: string
  marks: RowMarks
  setup: BatchSetup
  expected: readonly string[]
}

/** A row that is as in the last import; `bits`: see `ShareCounter`. */
export type SeenRow = RowId & { bits: number }

type Applied = Pick<AppliedRoll, 'tokens' | 'ids'> & { token: string | null }

/** Rows of an earlier import and its scopes; `isClaimed`: this import has some of them. */
type Known = { table: MarkTable; scopes: ScopeToken[]; isClaimed: boolean }

/** Finds the unchanged rows of one import, and records its rows for the next one. */
export class UnchangedRows {
  readonly #options: Options
  readonly #context: string
  readonly #seed: ReturnType<typeof makeSeeds>
  readonly #tables: Known[] = []
  readonly #digests = new RowDigests()
  #rows = 0
  #horizon = ''

  private constructor(options: Options) {
    this.#options = options
    this.#context = digestContext(options.setup, options.expected)
    this.#seed = makeSeeds(options.setup)
  }

  /**
   * Opens the marks of earlier imports of the same context whose scopes are all unchanged. Returns
   * `undefined` when no row can be skipped. That is so in a dry run, and when the files are a part
   * of the roll. It is so when names are learned from the whole roll, or when too many fields are
   * counted. It is so too when the store stages every row.
   */
  static async open(
    { job, writer: { marks }, origins, suppress }: OpenImport,
    setup: BatchSetup,
    expected: readonly string[],
  ): Promise<UnchangedRows | undefined> {
    const isAlone = setup.evidence === undefined && expected.length <= BITS_FIELDS
    const isDated = (job.versions?.vintage ?? null) !== null
    if (marks === undefined || job.dryRun || job.partial || isDated || !isAlone) return undefined
    // Each parcel is made again, to learn of which rows something is suppressed.
    if (origins?.keepsRows === true && suppress !== undefined) return undefined
    const { dataDir } = job
    const rows = new UnchangedRows({ dataDir, marks, setup, expected })
    rows.#open(await marks.tokens())
    return rows
  }

  /** Takes earlier rows out of a batch's fresh ones. `repeated`: how many this roll had before. */
  async look(
    batch: Batch & { firstRow: number },
    fresh: boolean[],
    digests: readonly (RowDigest | undefined)[],
  ): Promise<{ seen: SeenRow[]; repeated: number }> {
    const seen: SeenRow[] = []
    const claimed = new Set<Known>()
    let repeated = 0
    this.#rows += batch.rows.length
    if (this.#rows > MARKS_MAX && this.#tables.length === 0) return { seen, repeated }
    digests.forEach((digest, index) => {
      if (digest === undefined || fresh[index] !== true) return
      const row = batch.firstRow + index
      const [one, two, three] = digestWith(digest, this.#seed(batch, index))
      for (const known of this.#tables) {
        const { table } = known
        const slot = table.find(one, two, three)
        if (slot < 0) continue
        fresh[index] = false
        if (table.take(slot)) {
          if (!known.isClaimed) claimed.add(known)
          seen.push({ row, id: table.idOf(slot), bits: table.bitsOf(slot) })
        } else repeated += 1
        return
      }
      this.#digests.set(row, one, two, three)
    })
    for (const known of claimed) {
      await this.#options.marks.claim(known.scopes)
      known.isClaimed = true
    }
    if (seen.length > 0) await this.#options.marks.see(seen)
    return { seen, repeated }
  }

  /** Returns the rows to be read again because another row has the same parcel identity. */
  async findConflicts(): Promise<ReadonlySet<number>> {
    return new Set(this.#tables.length === 0 ? [] : await this.#options.marks.unsee())
  }

  /** Withdraws the mark of a row that `findConflicts` returned. */
  withdraw(batch: Batch & { firstRow: number }, index: number): void {
    const row = digestRow(batch.rows[index] ?? [], batch.polygons?.[index] ?? null)
    const digest = digestWith(row, this.#seed(batch, index))
    for (const { table } of this.#tables) {
      const slot = table.find(...digest)
      if (slot >= 0) table.withdraw(slot)
    }
  }

  /** Forgets rows that do not determine their parcel alone, or that the report mentions. */
  forget(rows: Iterable<number>): void {
    for (const row of rows) this.#digests.forget(row)
  }

  /** Takes note of a batch that was read: its first row's number, and its parcels' share bits. */
  noteRead(
    firstRow: number,
    { mentioned, horizon }: BatchTally,
    parcels: readonly Pick<SeenRow, 'row' | 'bits'>[],
  ): void {
    for (const { row, bits } of parcels) this.#digests.setBits(row, bits)
    this.forget(mentioned.map((index) => firstRow + index))
    this.#recordFutureDate(horizon)
  }

  /** Returns a token for `apply`; `null` when this roll is too large to be remembered. */
  makeToken(): string | null {
    return this.#rows > MARKS_MAX ? null : randomBytes(12).toString('hex')
  }

  /** Writes the marks for the next import, after `apply`, whose token was `token`. */
  async save({ token, tokens, ids }: Applied): Promise<void> {
    const { dataDir, setup } = this.#options
    if (token !== null) {
      const scopes = tokens
        .filter((one) => one.token === token)
        .map(({ token: _, ...scope }) => scope)
      const header = {
        token,
        context: this.#context,
        today: setup.today,
        horizon: this.#horizon,
        scopes,
      }
      await writeMarks(dataDir, header, this.#list(ids))
    }
    sweepMarks(dataDir, new Set(tokens.map((one) => one.token)))
  }

  async *#list(ids: Applied['ids']): AsyncGenerator<Uint32Array> {
    for (const { table } of this.#tables) yield* table.taken()
    const words = new Uint32Array(MARK_WORDS)
    for await (const { row, id } of ids) {
      const digest = this.#digests.get(row)
      if (digest === undefined) continue
      const [one = 0, two = 0, three = 0, bits = 0] = digest
      words.set([one, two, three, id % 2 ** 32, Math.floor(id / 2 ** 32), bits])
      yield words
    }
  }

  #open(tokens: ScopeToken[]): void {
    const { dataDir, setup } = this.#options
    const current = new Map(tokens.map((one) => [scopeKey(one), one.token]))
    let count = 0
    for (const header of listMarkHeaders(dataDir)) {
      const isCurrent = header.scopes.every(
        (scope) => current.get(scopeKey(scope)) === header.token,
      )
      // '~' is greater than every date.
      const isTimely =
        header.today <= setup.today && latestOf(setup.today) < (header.horizon || '~')
      const isSmall = count + header.count <= MARKS_MAX
      if (header.context !== this.#context || !isCurrent || !isTimely || !isSmall) continue
      const words = readMarks(dataDir, header)
      if (words === undefined) continue
      count += header.count
      const scopes = header.scopes.map((scope) => ({ ...scope, token: header.token }))
      this.#tables.push({ table: new MarkTable(words), scopes, isClaimed: false })
      this.#recordFutureDate(header.horizon)
    }
  }

  /** Records a date that was moved back by a century, as the row has it. */
  #recordFutureDate(horizon: string): void {
    if (horizon !== '' && (this.#horizon === '' || horizon < this.#horizon)) this.#horizon = horizon
  }
}

const scopeKey = ({ fips, municipality }: { fips: number; municipality: string }) =>
  `${fips} ${municipality}`

/** Dates later than this are moved back by a century. */
const latestOf = (today: string) => `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`

/** Digests what else determines a row's parcel: columns, point, and the file's name. */
function makeSeeds({ mapping }: BatchSetup) {
  let columns: readonly string[] | undefined
  let file = ''
  let own: RowDigest = [0, 0, 0]
  const readsFile = usesFile(mapping)
  return (batch: Batch, index: number): RowDigest => {
    if (batch.columns !== columns || batch.file !== file) {
      columns = batch.columns
      file = batch.file
      own = digestText(JSON.stringify([columns, readsFile ? file : '']))
    }
    const point = batch.points?.[index] ?? null
    return point === null ? own : digestWith(digestText(point.join(' ')), own)
  }
}
