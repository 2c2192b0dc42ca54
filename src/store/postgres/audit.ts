/** The audit in PostgreSQL, in the same database as the ledger. */
import type { Row } from '../accounts/account-rows.ts'
import {
  type AuditEntry,
  type AuditStore,
  readAudit,
  readAuditState,
  SEGMENT_ROWS,
} from '../audit/audit-store.ts'
import { PROBES, probeOf } from '../audit/filter.ts'
import type { Flight, Session } from './pool/session.ts'

/**
 * Held until the commit, so that ids are committed in order and without gaps. Taken after the locks
 * of the ledger.
 */
export const LOCK_AUDIT = {
  name: 'lock_audit',
  text: 'SELECT base_id, base_hash, newest_id, newest_hash FROM audit_state FOR UPDATE',
}

const INSERT = {
  name: 'insert_audit',
  text: `INSERT INTO audit (id, at, account_id, key_id, request_id, operation, query, ids,
  hash)
  SELECT id, at, account_id, key_id, request_id, operation, query, ids, decode(hash, 'hex')
  FROM jsonb_to_recordset($1::jsonb) AS e(id bigint, at bigint, account_id text, key_id text,
    request_id text, operation text, query text, ids text, hash text)`,
}

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
  const rows = entries.map((entry) => ({
    id: entry.id,
    at: entry.at,
    account_id: entry.accountId,
    key_id: entry.keyId,
    request_id: entry.requestId,
    operation: entry.operation,
    query: entry.query,
    ids: entry.ids,
    hash: Buffer.from(entry.hash).toString('hex'),
  }))
  return [
    { ...INSERT, values: [JSON.stringify(rows)] },
    {
      name: 'put_audit_state',
      text: 'UPDATE audit_state SET newest_id = $1, newest_hash = $2',
      values: [last.id, Buffer.from(last.hash)],
    },
  ]
}

export function createAuditStore(session: Session): AuditStore {
  const { ask } = session
  return {
    async state() {
      const [row] = await ask<Row>('SELECT * FROM audit_state', [])
      return readAuditState(row ?? {})
    },
    async entriesAfter(id, limit) {
      const text = 'SELECT * FROM audit WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask<Row>(text, [id, limit])).map(readAudit)
    },
    async entriesOf(segment, asked) {
      const [condition, value] =
        'accountId' in asked
          ? ['account_id = $3', asked.accountId]
          : ["position($3 in E'\\n' || ids || E'\\n') > 0", `\n${asked.propertyId}\n`]
      const text = `SELECT * FROM audit WHERE id > $1 AND id <= $2 AND ${condition} ORDER BY id`
      const to = segment * SEGMENT_ROWS
      return (await ask<Row>(text, [to - SEGMENT_ROWS, to, value])).map(readAudit)
    },
    async filteredTo() {
      const [row] = await ask<Row>(
        `SELECT coalesce((SELECT max(segment) FROM audit_filter), base_id / ${SEGMENT_ROWS}) AS
          segment
        FROM audit_state`,
        [],
      )
      return Number(row?.segment)
    },
    async segmentsOf(key) {
      const { first, step } = probeOf(key)
      const text = `SELECT segment FROM audit_filter WHERE ${HELD} ORDER BY segment`
      return (await ask<Row>(text, [first, step])).map(({ segment }) => Number(segment))
    },
    async filterOf(segment) {
      const text = 'SELECT bits FROM audit_filter WHERE segment = $1'
      const [row] = await ask<Row>(text, [segment])
      return row?.bits as Uint8Array | undefined
    },
    async putFilter(segment, bits) {
      const text = 'INSERT INTO audit_filter (segment, bits) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      const closing = [{ text, values: [segment, Buffer.from(bits)] }]
      await session.transaction([], async () => ({ closing, result: undefined }))
    },
    trim(before) {
      const opening = [LOCK_AUDIT]
      return session.transaction(opening, async ([rows], client) => {
        const last = readAuditState((rows as Row[])[0] ?? {}).base.id + SEGMENT_ROWS
        const found = await client.query('SELECT at, hash FROM audit WHERE id = $1', [last])
        const [row] = found.rows as Row[]
        if (row === undefined || Number(row.at) >= before) return { closing: [], result: false }
        const closing = [
          {
            text: 'UPDATE audit_state SET base_id = $1, base_hash = $2',
            values: [last, row.hash],
          },
          { text: 'DELETE FROM audit WHERE id <= $1', values: [last] },
          {
            text: 'DELETE FROM audit_filter WHERE segment <= $1',
            values: [last / SEGMENT_ROWS],
          },
        ]
        return { closing, result: true }
      })
    },
    snapshot: (work) => session.snapshot(work),
  }
}
