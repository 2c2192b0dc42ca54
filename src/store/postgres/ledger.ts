/**
 * What the ledger does in its own way in PostgreSQL, where several nodes may append to it
 * (`accounts/ledger-rows.ts`).
 */
import type { AccountDatabase, Ask } from '../accounts/database.ts'
import { type LedgerStore, openLedgerRows } from '../accounts/ledger-rows.ts'
import { createAuditStore, type FindSegments } from '../audit/audit-store.ts'
import { PROBES } from '../audit/filter.ts'
import { openAccountDatabase } from './account-database.ts'
import { Session } from './pool/session.ts'
import { createGrantStore } from './rate-grants.ts'

/** Longest ledger statement in milliseconds; a caller waits 5 s for a charge. */
const CHARGE_MS = 4000
/** Longest statement for a lease of requests; after 450 ms the ledger process counts by itself. */
const GRANT_MS = 1000
/** Two, so that an account locked elsewhere does not block the others. */
const GRANT_CONNECTIONS = 2

/** Opens what the ledger process writes: ledger, audit, and rate grants on separate connections. */
export function openPostgresLedger(url: string) {
  const session = new Session(url, CHARGE_MS, { charges: true })
  const database = openAccountDatabase(session)
  return {
    store: createLedgerStore(database),
    audit: createAuditStore(database, findSegments(database.ask)),
    grants: createGrantStore(new Session(url, GRANT_MS, { connections: GRANT_CONNECTIONS })),
    close: () => session.close(),
  }
}

export function createLedgerStore(database: AccountDatabase): LedgerStore {
  return { ...openLedgerRows(database), wrongTrigger: () => findWrongTrigger(database.ask) }
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
async function findWrongTrigger(ask: Ask): Promise<string | undefined> {
  const rows = await ask<{ name: string; on: string; enabled: string; source: string }>(
    `SELECT t.tgname AS name, c.relname AS on, t.tgenabled AS enabled, p.prosrc AS source
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  )
  const whole = rows.filter(
    ({ on, enabled, source, name }) =>
      TRIGGERS[name] === on && enabled === 'O' && FUNCTION_RAISES.test(source),
  )
  const names = new Set(whole.map(({ name }) => name))
  return Object.keys(TRIGGERS).find((name) => !names.has(name))
}

/** Tests all bits of a key: a byte's bits are numbered from the lowest, as in `filter.ts`. */
const HELD = Array.from(
  { length: PROBES },
  (_, at) => `get_bit(bits, ($1::bigint + ${at} * $2::bigint) % (octet_length(bits) * 8)) = 1`,
).join(' AND ')

/** Finds the filters that may contain a key. */
export function findSegments(ask: Ask): FindSegments {
  return async ({ first, step }) => {
    const text = `SELECT segment FROM audit_filter WHERE ${HELD} ORDER BY segment`
    return (await ask(text, [first, step])).map(({ segment }) => Number(segment))
  }
}
