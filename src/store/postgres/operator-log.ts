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

/** First in every transaction that appends: entries commit in the order of their ids. */
export const LOCK_LOG = { text: 'LOCK TABLE operator_log IN SHARE ROW EXCLUSIVE MODE' }

type OperatorLogWriter = {
  /** Appends what a row has become in this transaction. Nothing for a row that is not there. */
  log(kind: LoggedKind, subject: string): Promise<void>
  note(kind: OperatorEntry['kind'], subject: string, state: string): void
  /** The statements that write what was appended. */
  flight(): Flight
}

/**
 * Opens the log in a transaction that holds `LOCK_LOG`. Rows that were written before there was a
 * log are appended first, while the log is empty.
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

/** Each trigger of the migrations with its table, and the text that its function must have. */
const TRIGGERS: Record<string, string> = {
  ledger_stays_whole: 'ledger',
  ledger_head_stays: 'ledger_head',
  operator_log_stays_whole: 'operator_log',
  audit_stays_unchanged: 'audit',
  audit_is_trimmed_only: 'audit',
}
const FUNCTION_RAISES = /^\s*BEGIN\s+RAISE EXCEPTION '[^']+';\s*END\s*$/

/** A trigger that is missing, switched off, or runs something else than the migrations say. */
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
