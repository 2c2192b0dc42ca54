/** The audit in PostgreSQL, in the same database as the ledger. */
import type { Ask } from '../accounts/database.ts'
import type { AuditEntry, FindSegments } from '../audit/audit-store.ts'
import { PROBES, probeOf } from '../audit/filter.ts'
import { insertMany, toJson } from './insert-many.ts'
import type { Flight } from './pool/session.ts'

/**
 * Held until the commit, so that ids are committed in order and without gaps. Taken after the locks
 * of the ledger.
 */
export const LOCK_AUDIT = {
  name: 'lock_audit',
  text: 'SELECT base_id, base_hash, newest_id, newest_hash FROM audit_state FOR UPDATE',
}

const INSERT = { name: 'insert_audit', text: insertMany('audit') }

/**
 * Tests all bits of a key: PostgreSQL numbers a byte's bits from the lowest, as `filter.ts` does.
 */
const HELD = Array.from(
  { length: PROBES },
  (_, at) => `get_bit(bits, ($1::bigint + ${at} * $2::bigint) % (octet_length(bits) * 8)) = 1`,
).join(' AND ')

/** Returns the statements that append entries. */
export function auditFlight(entries: readonly AuditEntry[]): Flight {
  const last = entries.at(-1)
  if (last === undefined) return []
  return [
    { ...INSERT, values: [toJson('audit', entries)] },
    {
      name: 'put_audit_state',
      text: 'UPDATE audit_state SET newest_id = $1, newest_hash = $2',
      values: [last.id, Buffer.from(last.hash)],
    },
  ]
}

/** Finds the filters that may contain a key. */
export function findSegments(ask: Ask): FindSegments {
  return async (key) => {
    const { first, step } = probeOf(key)
    const text = `SELECT segment FROM audit_filter WHERE ${HELD} ORDER BY segment`
    return (await ask(text, [first, step])).map(({ segment }) => Number(segment))
  }
}
