/** Accounts, ledger and audit in PostgreSQL. */
import type { AccountDatabase, Dialect, Statement } from '../accounts/database.ts'
import { columnsOf, type Row } from '../accounts/table-rows.ts'
import { type Flight, fly, type Session } from './pool/session.ts'

/** Channel that notifies services of committed changes to accounts or keys. */
export const ACCOUNTS_CHANNEL = 'platbook_accounts'

export const DIALECT: Dialect = {
  versions: 'accounts_state',
  // So that entries are committed in the order of ids.
  lockLog: [{ text: 'LOCK TABLE operator_log IN SHARE ROW EXCLUSIVE MODE' }],
  raise: [
    { text: 'UPDATE accounts_state SET version = version + 1' },
    { text: `NOTIFY ${ACCOUNTS_CHANNEL}` },
  ],
  // Rows that refer to them may still be added.
  forUpdate: ' FOR NO KEY UPDATE',
  // A change of facts waits for a charge that uses them, and a charge for a change. Two statements:
  // one that waits for a lock sees other tables as they were before.
  readAccounts(columns) {
    const lock = `SELECT ${columns} FROM account WHERE id = ANY($1::text[])
      ORDER BY id FOR NO KEY UPDATE`
    const heads = `SELECT account_id, rows, hash, period, used FROM ledger_head
      WHERE account_id = ANY($1::text[])`
    return (ids) => [
      { name: 'lock_accounts', text: lock, values: [ids] },
      { name: 'read_heads', text: heads, values: [ids] },
    ]
  },
  // Locked until the commit, so that ids are committed in order and without gaps.
  newest: {
    read: { name: 'lock_newest', text: 'SELECT id FROM ledger_newest FOR UPDATE' },
    write: (id) => [{ name: 'put_newest', text: 'UPDATE ledger_newest SET id = $1', values: [id] }],
  },
  insert(table, conflict = '') {
    const own = { name: `insert_${table}`, text: `${insertMany(table)} ${conflict}` }
    return (values) => [{ ...own, values: [toJson(table, values)] }]
  },
  find: 'strpos',
  isIn: (parameter, type) => `= ANY(${parameter}::${type}[])`,
  dayOf: (column) =>
    `to_char(timestamp 'epoch' + ${column} * interval '1 millisecond', 'YYYY-MM-DD')`,
}

const TYPES = { text: 'text', number: 'bigint', flag: 'boolean', bytes: 'text' } as const

/** Returns the statement that inserts the rows of `$1`, see `toJson`. */
function insertMany(table: string): string {
  const columns = columnsOf(table)
  const names = columns.map(({ name }) => name).join(', ')
  const read = columns.map(({ name, kind }) => (kind === 'bytes' ? `decode(${name}, 'hex')` : name))
  const types = columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`)
  return `INSERT INTO ${table} AS t (${names}) SELECT ${read.join(', ')}
    FROM jsonb_to_recordset($1::jsonb) AS e(${types.join(', ')})`
}

/** Returns the rows of values as the JSON list that `insertMany` reads; bytes in hex. */
function toJson(table: string, values: Iterable<object>): string {
  const columns = columnsOf(table)
  const rows = Iterator.from(values).map((value) =>
    Object.fromEntries(
      columns.map(({ name, property }) => {
        const cell = (value as Row)[property]
        return [name, cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell]
      }),
    ),
  )
  return JSON.stringify(rows.toArray())
}

export function openAccountDatabase(
  session: Session,
  now: () => number = Date.now,
): AccountDatabase {
  return {
    ask: (text, values = []) => session.ask(text, values.map(asInput)),
    async transact(steps) {
      const going = steps()
      let step = going.next()
      // The first statements are sent with BEGIN.
      const opening = step.done ? [] : toFlight(step.value)
      return session.transaction(opening, async (rows, client) => {
        let closing: Flight = []
        if (step.done !== true) step = going.next(rows as Row[][])
        while (step.done !== true) {
          if (step.value.isLast) closing = toFlight(step.value)
          const found = step.value.isLast ? [] : await fly(client, toFlight(step.value))
          step = going.next(found as Row[][])
        }
        return { closing, result: step.value }
      })
    },
    snapshot: (work) => session.snapshot(work),
    now,
    dialect: DIALECT,
  }
}

function toFlight(statements: readonly Statement[]): Flight {
  return statements.map(({ values = [], ...one }) => ({ ...one, values: values.map(asInput) }))
}

/** The driver takes a `Buffer` for bytes and treats other arrays as lists. */
export function asInput(value: unknown): unknown {
  if (!(value instanceof Uint8Array) || Buffer.isBuffer(value)) return value
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
