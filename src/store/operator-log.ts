/**
 * The operator log: each account, key and other operator setting after each change, as a hash
 * chain. It reveals changes made without this program.
 */
import { hash } from 'node:crypto'
import { type AccountDatabase, run, type Steps } from './accounts/database.ts'
import { cellsOf, insertInto, readerOf } from './accounts/table-rows.ts'
import { ACCOUNT_TABLES, type CopyTable } from './copy/tables.ts'

/** Kinds of logged rows, which are the names of their tables. */
export const LOGGED_KINDS = ['account', 'key', 'plan', 'price', 'suppression'] as const
export type LoggedKind = (typeof LOGGED_KINDS)[number]

export type OperatorEntry = {
  /** 1, 2, 3 … */
  id: number
  /** Epoch milliseconds. */
  at: number
  /**
   * `loss`: an operator accepted missing rows; `subject` is the reason. `action`: an operator's
   * action in the console; `subject` is the operator's name.
   */
  kind: LoggedKind | 'loss' | 'action'
  /** Primary key of the row that was written. */
  subject: string
  /** The row after the change, as a JSON object of its columns. */
  state: string
  /** SHA-256 over the previous entry's hash and all fields. */
  hash: Uint8Array
}

/** Id and hash of the newest entry. `id` 0: no entries. */
export type LogHead = { id: number; hash: Uint8Array }

export const EMPTY_HEAD: LogHead = { id: 0, hash: new Uint8Array(32) }

export function operatorHash(previous: Uint8Array, entry: Omit<OperatorEntry, 'hash'>): Uint8Array {
  const fields = [entry.id, entry.at, entry.kind, entry.subject, entry.state]
  return hash('sha256', Buffer.concat([previous, Buffer.from(JSON.stringify(fields))]), 'buffer')
}

function nextEntry(
  head: LogHead,
  fields: Pick<OperatorEntry, 'at' | 'kind' | 'subject' | 'state'>,
): OperatorEntry {
  const entry = { id: head.id + 1, ...fields }
  return { ...entry, hash: operatorHash(head.hash, entry) }
}

/** Columns that change without an operator's action. */
const UNLOGGED = new Set(['last_used_at'])

/** Returns a row in the log's form, the same in both stores. */
export function stateOf(kind: LoggedKind, row: Record<string, unknown>): string {
  const cells = tableOf(kind).columns.flatMap(({ name, kind: type }) =>
    UNLOGGED.has(name) ? [] : [[name, plainValue(type, row[name] ?? null)]],
  )
  return JSON.stringify(Object.fromEntries(cells))
}

/** Columns in which a row differs from the log; one added after the entry is not compared. */
export function differingColumns(logged: string, state: string): string[] {
  const then = JSON.parse(logged) as Record<string, unknown>
  const now = JSON.parse(state) as Record<string, unknown>
  return Object.keys(then).filter((name) => name in now && then[name] !== now[name])
}

/** A change of an account, key or other setting, as the log has it. */
export type LoggedChange = Pick<OperatorEntry, 'id' | 'at' | 'kind' | 'subject'> & {
  /** By column; `before` of a new row is null. */
  changed: Record<string, { before: unknown; after: unknown }>
}

/** Columns that identify a secret, or follow from others. */
const NOT_SHOWN = new Set(['hash', 'secret_id', 'plan_terms'])

/** Returns what changed with each entry of one subject, newest first, of at most `shown`. */
export function changesIn(entries: readonly OperatorEntry[], shown: number): LoggedChange[] {
  return entries.slice(0, shown).flatMap(({ id, at, kind, subject, state }, index) => {
    if (!(LOGGED_KINDS as readonly string[]).includes(kind)) return []
    const before = JSON.parse(entries[index + 1]?.state ?? '{}') as Record<string, unknown>
    const after = JSON.parse(state) as Record<string, unknown>
    const names = Object.keys(after).filter(
      (name) => !NOT_SHOWN.has(name) && (before[name] ?? null) !== (after[name] ?? null),
    )
    const changed = names.map((name) => [
      name,
      { before: before[name] ?? null, after: after[name] ?? null },
    ])
    return changed.length === 0
      ? []
      : [{ id, at, kind, subject, changed: Object.fromEntries(changed) }]
  })
}

export function keyColumnOf(kind: LoggedKind): string {
  return tableOf(kind).order[0] as string
}

function tableOf(kind: LoggedKind): CopyTable {
  return ACCOUNT_TABLES.find(({ name }) => name === kind) as CopyTable
}

function plainValue(type: string, value: unknown): unknown {
  if (value === null) return null
  if (type === 'bytes') return Buffer.from(value as Uint8Array).toString('hex')
  if (type === 'flag') return value === 1 || value === true
  return type === 'number' ? Number(value) : String(value)
}

export const readOperatorEntry = readerOf<OperatorEntry>('operator_log')

/** Appends entries, within a transaction of `appending`. */
export type OperatorLog = {
  /** Appends the present state of a row; does nothing when the row does not exist. */
  log(kind: LoggedKind, subject: string): Steps<void>
  note(kind: OperatorEntry['kind'], subject: string, state: string): Steps<void>
}

/** Runs a transaction that appends to the operator log, in the order of ids. */
export function appending<Result>(
  database: AccountDatabase,
  work: (log: OperatorLog) => Steps<Result>,
): Promise<Result> {
  return database.transact(function* () {
    yield database.dialect.lockLog
    const entries: OperatorEntry[] = []
    const result = yield* work(createLog(entries, database.now))
    const text = insertInto('operator_log')
    yield entries.map((entry) => ({ text, values: cellsOf('operator_log', entry) }))
    return result
  })
}

function createLog(entries: OperatorEntry[], now: () => number): OperatorLog {
  let head: LogHead | undefined

  function append(kind: OperatorEntry['kind'], subject: string, state: string): void {
    head = nextEntry(head ?? EMPTY_HEAD, { at: now(), kind, subject, state })
    entries.push(head as OperatorEntry)
  }

  /** Reads the newest entry, once. */
  function* begin(): Steps<void> {
    if (head !== undefined) return
    const [newest] = yield* run('SELECT id, hash FROM operator_log ORDER BY id DESC LIMIT 1')
    head = (newest as LogHead | undefined) ?? EMPTY_HEAD
  }

  return {
    *log(kind, subject) {
      yield* begin()
      const [row] = yield* run(`SELECT * FROM ${kind} WHERE ${keyColumnOf(kind)} = $1`, [subject])
      if (row !== undefined) append(kind, subject, stateOf(kind, row))
    },
    *note(kind, subject, state) {
      yield* begin()
      append(kind, subject, state)
    },
  }
}
