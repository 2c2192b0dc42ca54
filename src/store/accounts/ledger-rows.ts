/** What verification of the ledger reads, how far it has come, and the uses of keys. */
import type { ChainHead, LedgerStore } from '../accounts-store.ts'
import { readAuditState } from '../audit/audit-store.ts'
import { EMPTY_HEAD, keyColumnOf, readOperatorEntry, stateOf } from '../operator-log.ts'
import { ENTRIES_OF_REQUEST, readEntry, readHeads } from './account-rows.ts'
import { appending } from './append-log.ts'
import type { AccountDatabase, Steps } from './database.ts'
import { insertInto, type Row } from './table-rows.ts'

const HEADS = 'SELECT h.* FROM ledger_head h'
const UNLIKE = `LEFT JOIN ledger_checkpoint c USING (account_id)
  WHERE (h.rows, h.hash, h.period, h.used) IS DISTINCT FROM (c.rows, c.hash, c.period, c.used)`
const PUT_CHECKPOINT = {
  name: 'put_checkpoint',
  text: `${insertInto('ledger_checkpoint')} ON CONFLICT (account_id) DO UPDATE SET
    rows = excluded.rows, hash = excluded.hash, period = excluded.period, used = excluded.used`,
}
const MARK_USED = {
  name: 'mark_used',
  text: `UPDATE key SET last_used_at = $2
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
}

/** Counts days from the rows in the same way as `sumByDay` does when writing. */
const wrongUsage = (day: string) => `WITH sums AS (
    SELECT account_id, period, ${day} AS day, endpoint,
      count(*) FILTER (WHERE reason IS NULL) AS requests, CAST(sum(cost) AS bigint) AS tokens
    FROM ledger WHERE endpoint <> 'period' GROUP BY 1, 2, 3, 4
  )
  SELECT account_id FROM (SELECT * FROM sums EXCEPT SELECT * FROM usage_day) missing
  UNION ALL
  SELECT account_id FROM (SELECT * FROM usage_day EXCEPT SELECT * FROM sums) spare LIMIT 1`

/** Opens all of the ledger but what each database does in its own way. */
export function openLedgerRows(
  database: AccountDatabase,
): Omit<LedgerStore, 'append' | 'wrongTrigger'> {
  const { ask, dialect, snapshot } = database
  const newest = async (table: string) => {
    const [row] = await ask(`SELECT id, hash FROM ${table} ORDER BY id DESC LIMIT 1`)
    return row === undefined ? EMPTY_HEAD : { id: Number(row.id), hash: row.hash as Uint8Array }
  }
  return {
    async entriesAfter(id, limit) {
      const text = 'SELECT * FROM ledger WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask(text, [id, limit])).map(readEntry)
    },
    async entriesOf(accountId, afterSeq, limit) {
      const text = 'SELECT * FROM ledger WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3'
      return (await ask(text, [accountId, afterSeq, limit])).map(readEntry)
    },
    heads: async (unlike) => readHeads(await ask(unlike ? `${HEADS} ${UNLIKE}` : HEADS)),
    async newest() {
      const ledger = await newest('ledger')
      const operator = await newest('operator_log')
      const [state = {}] = await ask('SELECT * FROM audit_state')
      return { ledger, operator, audit: readAuditState(state).newest }
    },
    async operatorEntriesAfter(id, limit) {
      const text = 'SELECT * FROM operator_log WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask(text, [id, limit])).map(readOperatorEntry)
    },
    async operatorEntriesOf(subject, limit) {
      const text = 'SELECT * FROM operator_log WHERE subject = $1 ORDER BY id DESC LIMIT $2'
      return (await ask(text, [subject, limit])).map(readOperatorEntry)
    },
    entriesOfRequest: async (requestId) =>
      (await ask(ENTRIES_OF_REQUEST, [requestId])).map(readEntry),
    async loggedStates(kind) {
      const rows = await ask(`SELECT * FROM ${kind}`)
      return new Map(rows.map((row) => [String(row[keyColumnOf(kind)]), stateOf(kind, row)]))
    },
    async accountWithWrongUsage() {
      const [row] = await ask(wrongUsage(dialect.dayOf('at')))
      return row?.account_id as string | undefined
    },
    async checkedId() {
      const [row] = await ask('SELECT id FROM ledger_checked')
      return Number(row?.id)
    },
    async checkpoints(accountIds) {
      const text = 'SELECT * FROM ledger_checkpoint'
      if (accountIds === undefined) return readHeads(await ask(text))
      const some = `${text} WHERE account_id ${dialect.isIn('$1')}`
      return readHeads(await ask(some, [JSON.stringify([...accountIds])]))
    },
    writeCheckpoint: (id, heads) =>
      database.transact(() => putCheckpoint(id, heads, dialect.forUpdate)),
    noteUses(uses) {
      const inOrder = [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
      const marks = inOrder.map(({ keyId, at }) => ({ ...MARK_USED, values: [keyId, at] }))
      const moved = inOrder.flatMap(({ keyId, rehash }) =>
        rehash === undefined ? [] : [{ keyId, values: [keyId, rehash.hash, rehash.secretId] }],
      )
      if (moved.length === 0) {
        return database.transact(function* () {
          yield marks
        })
      }
      const text = "UPDATE key SET hash = $2, secret_id = $3 WHERE id = $1 AND secret_id <> ''"
      return appending(database, function* (log) {
        yield [...marks, ...moved.map(({ values }) => ({ text, values }))]
        for (const { keyId } of moved) yield* log.log('key', keyId)
        yield dialect.raise
      })
    },
    snapshot,
  }
}

/** If another process has verified further meanwhile, its checkpoint stays. */
function* putCheckpoint(id: number, heads: Map<string, ChainHead>, lock: string): Steps<void> {
  const [rows] = yield [{ text: `SELECT id FROM ledger_checked${lock}` }]
  const [checked] = rows as Row[]
  if (id <= Number(checked?.id)) return
  yield [
    ...[...heads].map(([account, { rows, hash, period, used }]) => ({
      ...PUT_CHECKPOINT,
      values: [account, rows, hash, period, used],
    })),
    { text: 'UPDATE ledger_checked SET id = $1', values: [id] },
  ]
}
