/** The audit, in the same database as the ledger. */
import { type AccountDatabase, run } from '../accounts/database.ts'
import { type AuditStore, readAudit, readAuditState, SEGMENT_ROWS } from './audit-store.ts'

const STATE = 'SELECT base_id, base_hash, newest_id, newest_hash FROM audit_state'

/** `segmentsOf`: finds filters in the database's own way. */
export function createAuditStore(
  { ask, transact, snapshot, dialect }: AccountDatabase,
  segmentsOf: AuditStore['segmentsOf'],
): AuditStore {
  return {
    state: async () => readAuditState((await ask(STATE))[0] ?? {}),
    async entriesAfter(id, limit) {
      const text = 'SELECT * FROM audit WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask(text, [id, limit])).map(readAudit)
    },
    async entriesOf(segment, asked) {
      const to = segment * SEGMENT_ROWS
      const [condition, values] =
        'accountId' in asked
          ? ['account_id = $3', [asked.accountId]]
          : [`${dialect.find}($4 || ids || $4, $3) > 0`, [`\n${asked.propertyId}\n`, '\n']]
      const text = `SELECT * FROM audit WHERE id > $1 AND id <= $2 AND ${condition} ORDER BY id`
      return (await ask(text, [to - SEGMENT_ROWS, to, ...values])).map(readAudit)
    },
    async filteredTo() {
      const [row] = await ask(
        `SELECT coalesce((SELECT max(segment) FROM audit_filter), base_id / ${SEGMENT_ROWS})
          AS segment FROM audit_state`,
      )
      return Number(row?.segment)
    },
    segmentsOf,
    async filterOf(segment) {
      const [row] = await ask('SELECT bits FROM audit_filter WHERE segment = $1', [segment])
      return row?.bits as Uint8Array | undefined
    },
    putFilter: (segment, bits) =>
      transact(function* () {
        const text = 'INSERT INTO audit_filter (segment, bits) VALUES ($1, $2)'
        yield* run(`${text} ON CONFLICT DO NOTHING`, [segment, bits])
      }),
    trim: (before) =>
      transact(function* () {
        const [state = {}] = yield* run(`${STATE}${dialect.forUpdate}`)
        const last = readAuditState(state).base.id + SEGMENT_ROWS
        const [row] = yield* run('SELECT at, hash FROM audit WHERE id = $1', [last])
        if (row === undefined || Number(row.at) >= before) return false
        yield [
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
        return true
      }),
    snapshot,
  }
}
