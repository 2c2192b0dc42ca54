/**
 * Copies one store into another: state by state, then accounts and ledger. Each part is one
 * transaction and is read back before its commit. An interrupted copy continues when run again.
 */
import { createHash } from 'node:crypto'
import { CommandError } from '../../base/errors.ts'
import type { CopyProgress, CopySource, CopyTarget } from './ends.ts'
import { ACCOUNT_TABLES, type CopyTable, ROLL_TABLES, type Row } from './tables.ts'

/** What was sent of a table: its checksum, and how many rows the target could not take. */
type Sent = Checksum & { dropped: number }
/** By table. */
type Sums = Record<string, Sent>
type Ends = { source: CopySource; target: CopyTarget }

/** The rows copied, by table. */
export type CopyReport = {
  states: number
  /** States that an earlier run copied and that are unchanged in both stores. */
  kept: number
  tables: ({ name: string } & Sent)[]
}

/** Throws `CommandError` for a target with other data, or when rows differ from those sent. */
export async function copyStore(ends: Ends, report: (line: string) => void): Promise<CopyReport> {
  const { source, target } = ends
  const { parcels, accounts, progress } = await target.look()
  if (progress === undefined) {
    if (parcels || accounts) {
      throw new CommandError('the target is not empty; copy needs one that holds nothing yet')
    }
    await target.begin()
  }
  const rolls = await copyRolls(ends, progress ?? new Map(), report)
  const own = accounts ? await compareAccounts(ends) : await copyAccounts(ends)
  await target.finish(await source.newestId())
  const tables = ACCOUNT_TABLES.map(({ name }) => ({ name, ...(own[name] as Sent) }))
  return { ...rolls, tables: [...rolls.tables, ...tables] }
}

async function copyRolls(
  ends: Ends,
  progress: CopyProgress,
  report: (line: string) => void,
): Promise<CopyReport> {
  const states = await ends.source.states()
  for (const state of progress.keys()) {
    if (!states.includes(state)) await clearState(ends, state)
  }
  const byState: Sums[] = []
  let kept = 0
  for (const state of states) {
    const known = progress.get(state)
    const unchanged = known !== undefined && (await isThere(ends, state, known))
    if (known !== undefined && !unchanged) await clearState(ends, state)
    const sums: Sums = unchanged ? JSON.parse(known) : await copyState(ends, state)
    byState.push(sums)
    kept += unchanged ? 1 : 0
    const parcels = sums.parcels?.rows.toLocaleString('en-US')
    report(`${state}: ${parcels} parcels${unchanged ? ', there already' : ''}`)
  }
  const tables = ROLL_TABLES.map(({ name }) => {
    const sent = byState.map((sums) => sums[name] as Sent)
    const dropped = sent.reduce((sum, one) => sum + one.dropped, 0)
    return { name, ...joinChecksums(sent), dropped }
  })
  for (const [at, table] of ROLL_TABLES.entries()) await compareCounts(ends, table, tables[at])
  return { states: states.length, kept, tables }
}

function clearState({ target }: Ends, state: string): Promise<void> {
  return target.transaction(() => target.clear(state))
}

/** Reports whether both stores still match the checksums recorded when a state was copied. */
async function isThere(ends: Ends, state: string, known: string): Promise<boolean> {
  if (known !== JSON.stringify(await sumState(ends, state))) return false
  const noted: Sums = JSON.parse(known)
  const { target } = ends
  return target.transaction(async () => {
    for (const table of ROLL_TABLES) {
      const { sha256 } = await sumRows(target.rows(table, state))
      if (sha256 !== noted[table.name]?.sha256) return false
    }
    return true
  })
}

async function sumState(ends: Ends, state: string): Promise<Sums> {
  const sums: Sums = {}
  for (const table of ROLL_TABLES) sums[table.name] = await send(ends, table, state)
  return sums
}

function copyState(ends: Ends, state: string): Promise<Sums> {
  const { target } = ends
  return target.transaction(async () => {
    const sums: Sums = {}
    for (const table of ROLL_TABLES) sums[table.name] = await copyTable(ends, table, state)
    await target.note(state, JSON.stringify(sums))
    return sums
  })
}

function copyAccounts(ends: Ends): Promise<Sums> {
  const { target } = ends
  return target.transaction(async () => {
    await target.openLedger()
    const sums: Sums = {}
    for (const table of ACCOUNT_TABLES) sums[table.name] = await copyTable(ends, table)
    await target.closeLedger()
    return sums
  })
}

/** Only the last step of an earlier run was missing. A ledger is never deleted and rewritten. */
function compareAccounts(ends: Ends): Promise<Sums> {
  const { target } = ends
  return target.transaction(async () => {
    const sums: Sums = {}
    for (const table of ACCOUNT_TABLES) {
      const sent = await send(ends, table)
      if (sent.sha256 !== (await sumRows(target.rows(table))).sha256) {
        throw new CommandError(
          'the target has accounts, and they are not those of the source: one of the two ' +
            'has gone on since an earlier copy; begin again with an empty target',
        )
      }
      sums[table.name] = sent
    }
    return sums
  })
}

async function copyTable(ends: Ends, table: CopyTable, state?: string): Promise<Sent> {
  const sent = await send(ends, table, state, (rows) => ends.target.write(table, rows))
  const arrived = await sumRows(ends.target.rows(table, state))
  if (sent.sha256 === arrived.sha256) return sent
  const where = state === undefined ? table.name : `${table.name} of ${state}`
  throw new CommandError(
    `${where}: ${sent.rows} rows were sent and ${arrived.rows} arrived, or others than ` +
      'were sent; nothing of this part is kept',
  )
}

/** Reads a table of the source in the target's form. Without `take`, only computes its checksum. */
async function send(
  { source, target }: Ends,
  table: CopyTable,
  state?: string,
  take: (rows: ReturnType<CopyTarget['adapt']>) => Promise<void> = async () => undefined,
): Promise<Sent> {
  const sum = createChecksum()
  let dropped = 0
  for await (const rows of source.rows(table, state)) {
    const kept = target.adapt(table, rows)
    dropped += rows.length - kept.length
    sum.add(kept)
    await take(kept)
  }
  return { ...sum.end(), dropped }
}

/** Finds rows that belong to no listed state, which a copy by states would miss. */
async function compareCounts(
  { source, target }: Ends,
  table: CopyTable,
  sent: Sent | undefined,
): Promise<void> {
  const { rows = 0, dropped = 0 } = sent ?? {}
  const [before, after] = [await source.count(table), await target.count(table)]
  if (before === rows + dropped && after === rows) return
  throw new CommandError(
    `${table.name}: the source has ${before} rows, ${rows + dropped} of them belong to ` +
      `a state that is loaded, and the target has ${after}`,
  )
}

/** Number and SHA-256 of rows as JSON, in key order. */
type Checksum = { rows: number; sha256: string }

function createChecksum(): { add(rows: Row[]): void; end(): Checksum } {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  }
}

async function sumRows(batches: AsyncIterable<Row[]>): Promise<Checksum> {
  const sum = createChecksum()
  for await (const rows of batches) sum.add(rows)
  return sum.end()
}

function joinChecksums(parts: Iterable<Checksum>): Checksum {
  const hash = createHash('sha256')
  let rows = 0
  for (const part of parts) {
    rows += part.rows
    hash.update(part.sha256)
  }
  return { rows, sha256: hash.digest('hex') }
}
