/** The ledger in SQLite. It has its own connection, opened with `synchronous: 'FULL'`. */
import type { DatabaseSync } from 'node:sqlite'
import {
  ENTRIES_OF_REQUEST,
  readEarlier,
  readEntry,
  readFacts,
  readHead,
  readHeads,
  sumByDay,
} from '../accounts/account-rows.ts'
import type { ChainHead, LedgerEntry, LedgerState, LedgerStore } from '../accounts-store.ts'
import {
  EMPTY_HEAD,
  keyColumnOf,
  type LogHead,
  readOperatorEntry,
  stateOf,
} from '../operator-log.ts'
import { createAuditWriter } from './audit.ts'
import { guarded, snapshot, transaction } from './connection.ts'
import { createOperatorLog, findWrongTrigger, prepareEach } from './operator-log.ts'

/** Opens the ledger. `now`: epoch milliseconds, for the operator log. */
export function createLedgerStore(db: DatabaseSync, now: () => number = Date.now): LedgerStore {
  const auditWriter = createAuditWriter(db)
  return {
    ...writeCharges(db, auditWriter),
    noteUses: noteUses(db, now),
    ...readRows(db, auditWriter),
    ...keepCheckpoints(db),
    snapshot: (work) => snapshot(db, work),
  }
}

type AuditWriter = ReturnType<typeof createAuditWriter>

function writeCharges(db: DatabaseSync, auditWriter: AuditWriter): Pick<LedgerStore, 'append'> {
  const nextId = db.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM ledger')
  const state = db.prepare(
    `SELECT account.*, h.rows, h.hash, h.period, h.used
    FROM account LEFT JOIN ledger_head AS h ON h.account_id = account.id WHERE account.id = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO ledger (id, account_id, seq, request_id, key_id, period, endpoint, cost, at,
      reason, hash, idempotency, fingerprint)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const earlier = db.prepare(
    'SELECT idempotency, fingerprint, at FROM ledger WHERE idempotency = ?',
  )
  const putHead = db.prepare(
    'INSERT INTO ledger_head (account_id, rows, hash, period, used) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows, hash = excluded.hash, ' +
      'period = excluded.period, used = excluded.used',
  )
  const addUsage = db.prepare(
    `INSERT INTO usage_day (account_id, period, day, endpoint, requests, tokens)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, tokens = tokens + excluded.tokens`,
  )

  function write(entries: LedgerEntry[], newHeads: Map<string, ChainHead>): void {
    for (const entry of entries) {
      const { id, accountId, seq, requestId, keyId, period, endpoint, cost, at, reason } = entry
      insert.run(
        ...[id, accountId, seq, requestId, keyId],
        ...[period, endpoint, cost, at, reason, entry.hash],
        ...[entry.idempotency ?? null, entry.fingerprint ?? null],
      )
    }
    for (const sum of sumByDay(entries)) addUsage.run(...sum)
    for (const [account, { rows, hash, period, used }] of newHeads) {
      putHead.run(account, rows, hash, period, used)
    }
  }

  return {
    append: guarded((accountIds, decide, idempotencyIds = [], audit = undefined) =>
      transaction(db, () => {
        const states = new Map<string, LedgerState>()
        for (const id of accountIds) {
          const row = state.get(id)
          if (row !== undefined) states.set(id, { facts: readFacts(row), head: readHead(row) })
        }
        const found = idempotencyIds.map((id) => earlier.get(id))
        const charges = readEarlier(found.filter((row) => row !== undefined))
        const decided = decide(states, Number(nextId.get()?.id), charges)
        write(decided.entries, decided.heads)
        if (audit !== undefined) auditWriter.append(audit(decided.result, auditWriter.newest()))
        return decided.result
      }),
    ),
  }
}

/** Returns the function that marks keys as used, and writes the new hash of a key that has one. */
function noteUses(db: DatabaseSync, now: () => number): LedgerStore['noteUses'] {
  const markUsed = db.prepare(
    'UPDATE key SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
  )
  const rehash = db.prepare(
    "UPDATE key SET hash = ?, secret_id = ? WHERE id = ? AND secret_id <> ''",
  )
  const raise = db.prepare('UPDATE state SET version = version + 1')
  const operatorLog = createOperatorLog(db, now)
  return guarded((uses) =>
    transaction(db, () => {
      for (const use of uses) {
        markUsed.run(use.at, use.keyId, use.at)
        if (use.rehash !== undefined) {
          rehash.run(use.rehash.hash, use.rehash.secretId, use.keyId)
          operatorLog.log('key', use.keyId)
        }
      }
      if (uses.some((use) => use.rehash !== undefined)) raise.run()
    }),
  )
}

type Reads =
  | 'entriesAfter'
  | 'entriesOf'
  | 'heads'
  | 'newest'
  | 'operatorEntriesAfter'
  | 'operatorEntriesOf'
  | 'entriesOfRequest'
  | 'loggedStates'
  | 'wrongTrigger'
  | 'accountWithWrongUsage'

/** What verification reads. */
function readRows(db: DatabaseSync, auditWriter: AuditWriter): Pick<LedgerStore, Reads> {
  const entriesAfter = db.prepare('SELECT * FROM ledger WHERE id > ? ORDER BY id LIMIT ?')
  const entriesOf = db.prepare(
    'SELECT * FROM ledger WHERE account_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const heads = db.prepare('SELECT * FROM ledger_head')
  const headsUnlike = db.prepare(
    `SELECT h.* FROM ledger_head AS h LEFT JOIN ledger_checkpoint AS c USING (account_id)
    WHERE (h.rows, h.hash, h.period, h.used) IS NOT (c.rows, c.hash, c.period, c.used)`,
  )
  const wrongUsage = db.prepare(
    `WITH sums AS (
      SELECT account_id, period, strftime('%Y-%m-%d', at / 1000, 'unixepoch') AS day, endpoint,
        sum(reason IS NULL) AS requests, sum(cost) AS tokens
      FROM ledger WHERE endpoint <> 'period' GROUP BY 1, 2, 3, 4
    )
    SELECT account_id FROM (SELECT * FROM sums EXCEPT SELECT * FROM usage_day)
    UNION ALL
    SELECT account_id FROM (SELECT * FROM usage_day EXCEPT SELECT * FROM sums) LIMIT 1`,
  )
  const newestIn = (table: string) =>
    db.prepare(`SELECT id, hash FROM ${table} ORDER BY id DESC LIMIT 1`)
  const [newestEntry, newestOperatorEntry] = [newestIn('ledger'), newestIn('operator_log')]
  const operatorEntries = db.prepare('SELECT * FROM operator_log WHERE id > ? ORDER BY id LIMIT ?')
  const operatorEntriesOf = db.prepare(
    'SELECT * FROM operator_log WHERE subject = ? ORDER BY id DESC LIMIT ?',
  )
  const entriesOfRequest = db.prepare(ENTRIES_OF_REQUEST.replace('$1', '?'))
  const rowsOf = prepareEach(db, () => '')
  return {
    entriesAfter: guarded((id, limit) => entriesAfter.all(id, limit).map(readEntry)),
    entriesOf: guarded((accountId, seq, limit) =>
      entriesOf.all(accountId, seq, limit).map(readEntry),
    ),
    heads: guarded((unlike) => readHeads((unlike ? headsUnlike : heads).all())),
    newest: guarded(() => ({
      ledger: (newestEntry.get() as LogHead | undefined) ?? EMPTY_HEAD,
      operator: (newestOperatorEntry.get() as LogHead | undefined) ?? EMPTY_HEAD,
      audit: auditWriter.newest(),
    })),
    operatorEntriesAfter: guarded((id, limit) =>
      operatorEntries.all(id, limit).map(readOperatorEntry),
    ),
    operatorEntriesOf: guarded((subject, limit) =>
      operatorEntriesOf.all(subject, limit).map(readOperatorEntry),
    ),
    entriesOfRequest: guarded((requestId) => entriesOfRequest.all(requestId).map(readEntry)),
    loggedStates: guarded(
      (kind) =>
        new Map(
          rowsOf[kind].all().map((row) => [String(row[keyColumnOf(kind)]), stateOf(kind, row)]),
        ),
    ),
    wrongTrigger: guarded(() => findWrongTrigger(db)),
    accountWithWrongUsage: guarded(() => wrongUsage.get()?.account_id as string | undefined),
  }
}

type Checkpoints = 'checkedId' | 'checkpoints' | 'writeCheckpoint'

/** How far verification has come. */
function keepCheckpoints(db: DatabaseSync): Pick<LedgerStore, Checkpoints> {
  const checkpoint = db.prepare('SELECT * FROM ledger_checkpoint WHERE account_id = ?')
  const checkpoints = db.prepare('SELECT * FROM ledger_checkpoint')
  const checkedId = db.prepare('SELECT id FROM ledger_checked')
  const putChecked = db.prepare('UPDATE ledger_checked SET id = ?')
  const putCheckpoint = db.prepare(
    'INSERT OR REPLACE INTO ledger_checkpoint (account_id, rows, hash, period, used) ' +
      'VALUES (?, ?, ?, ?, ?)',
  )
  return {
    checkedId: guarded(() => Number(checkedId.get()?.id)),
    checkpoints: guarded((ids) => {
      if (ids === undefined) return readHeads(checkpoints.all())
      return readHeads([...ids].map((id) => checkpoint.get(id)).filter((row) => row !== undefined))
    }),
    writeCheckpoint: guarded((id, reached) =>
      transaction(db, () => {
        for (const [account, { rows, hash, period, used }] of reached) {
          putCheckpoint.run(account, rows, hash, period, used)
        }
        putChecked.run(id)
      }),
    ),
  }
}
