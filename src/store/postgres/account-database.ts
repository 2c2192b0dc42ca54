/** Accounts, ledger and audit in PostgreSQL. */
import type { AccountDatabase, Dialect, Statement } from '../accounts/database.ts'
import type { Row } from '../accounts/table-rows.ts'
import { fly, type Session } from './pool/session.ts'

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
  forUpdate: ' FOR UPDATE',
  find: 'strpos',
  isIn: (parameter, type) => `= ANY(${parameter}::${type}[])`,
  dayOf: (column) =>
    `to_char(timestamp 'epoch' + ${column} * interval '1 millisecond', 'YYYY-MM-DD')`,
}

export function openAccountDatabase(
  session: Session,
  now: () => number = Date.now,
): AccountDatabase {
  return {
    ask: (text, values = []) => session.ask(text, values.map(asInput)),
    transact: (steps) =>
      session.transaction([], async (_rows, client) => {
        const going = steps()
        let step = going.next()
        while (step.done !== true) {
          const rows = await fly(client, step.value.map(withBytes))
          step = going.next(rows as Row[][])
        }
        return { closing: [], result: step.value }
      }),
    snapshot: (work) => session.snapshot(work),
    now,
    dialect: DIALECT,
  }
}

function withBytes({ values = [], ...statement }: Statement) {
  return { ...statement, values: values.map(asInput) }
}

/** The driver takes a `Buffer` for bytes and treats other arrays as lists. */
export function asInput(value: unknown): unknown {
  if (!(value instanceof Uint8Array) || Buffer.isBuffer(value)) return value
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
