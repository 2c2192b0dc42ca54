/** The operator log in PostgreSQL. */
import type { Client } from 'pg'
import type { Row } from '../accounts/account-rows.ts'
import {
  EMPTY_HEAD,
  keyColumnOf,
  LOGGED_KINDS,
  type LoggedKind,
  type LogHead,
  nextEntry,
  type OperatorEntry,
  stateOf,
} from '../operator-log.ts'
import type { Ask } from './pool/lookup-queue.ts'
import type { Flight } from './pool/session.ts'

/**
 * The first statement of every transaction that appends, so that entries are committed in the order
 * of ids.
 */
export const LOCK_LOG = { text: 'LOCK TABLE operator_log IN SHARE ROW EXCLUSIVE MODE' }

type OperatorLogWriter = {
  /** Appends the present state of a row; does nothing when the row does not exist. */
  log(kind: LoggedKind, subject: string): Promise<void>
  note(kind: OperatorEntry['kind'], subject: string, state: string): void
  /** Returns the statements that write the appended entries. */
  flight(): Flight
}

/**
 * Opens the log in a transaction that holds `LOCK_LOG`. If the log is empty, rows older than the
 * log are appended first.
 */
export async function createOperatorLog(
  client: Client,
  now: () => number,
): Promise<OperatorLogWriter> {
  const { rows } = await client.query('SELECT id, hash FROM operator_log ORDER BY id DESC LIMIT 1')
  let head = (rows[0] as LogHead | undefined) ?? EMPTY_HEAD
  const entries: OperatorEntry[] = []
  if (head.id === 0) await begin()

  function append(kind: OperatorEntry['kind'], subject: string, state: string): void {
    const entry = nextEntry(head, { at: now(), kind, subject, state })
    head = entry
    entries.push(entry)
  }

  async function begin(): Promise<void> {
    for (const kind of LOGGED_KINDS) {
      const found = await client.query(`SELECT * FROM ${kind} ORDER BY ${keyColumnOf(kind)}`)
      for (const row of found.rows as Row[]) {
        append(kind, String(row[keyColumnOf(kind)]), stateOf(kind, row))
      }
    }
  }

  return {
    async log(kind, subject) {
      const text = `SELECT * FROM ${kind} WHERE ${keyColumnOf(kind)} = $1`
      const [row] = (await client.query(text, [subject])).rows as Row[]
      if (row !== undefined) append(kind, subject, stateOf(kind, row))
    },
    note: append,
    flight: () =>
      entries.map(({ id, at, kind, subject, state, hash }) => ({
        text: `INSERT INTO operator_log (id, at, kind, subject, state, hash)
          VALUES ($1, $2, $3, $4, $5, $6)`,
        values: [id, at, kind, subject, state, Buffer.from(hash)],
      })),
  }
}

/** Each trigger of the baseline, with its table and the required text of its function. */
const TRIGGERS: Record<string, string> = {
  ledger_stays_whole: 'ledger',
  ledger_head_stays: 'ledger_head',
  operator_log_stays_whole: 'operator_log',
  audit_stays_unchanged: 'audit',
  audit_is_trimmed_only: 'audit',
}
const FUNCTION_RAISES = /^\s*BEGIN\s+RAISE EXCEPTION '[^']+';\s*END\s*$/

/** Returns a trigger that is missing, disabled, or different from the baseline. */
export async function findWrongTrigger(ask: Ask): Promise<string | undefined> {
  const rows = await ask<{ name: string; on: string; enabled: string; source: string }>(
    `SELECT t.tgname AS name, c.relname AS on, t.tgenabled AS enabled, p.prosrc AS source
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
    [],
  )
  const whole = rows.filter(
    ({ on, enabled, source, name }) =>
      TRIGGERS[name] === on && enabled === 'O' && FUNCTION_RAISES.test(source),
  )
  const names = new Set(whole.map(({ name }) => name))
  return Object.keys(TRIGGERS).find((name) => !names.has(name))
}
