/** Accounts and keys in SQLite: what serving reads, and what the command line changes. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Account, AccountFacts, TokenAllowance, TokenUse } from '../../model/account.ts'
import type {
  AccountAdmin,
  AccountReader,
  AccountRecord,
  KeyRecord,
  KnownKey,
  UsageDay,
} from '../accounts-store.ts'
import { asRefusal, transaction } from './connection.ts'

type Row = Record<string, SQLOutputValue>
type FactColumn = { fact: keyof AccountFacts; column: string; kind: 'plain' | 'flag' | 'allowance' }

/** How each fact is kept: as it is, as 0 or 1, or as a number with NULL for unlimited. */
const FACT_COLUMNS: FactColumn[] = [
  { fact: 'dataReads', column: 'data_reads', kind: 'plain' },
  { fact: 'responseShape', column: 'response_shape', kind: 'plain' },
  { fact: 'suspended', column: 'suspended', kind: 'flag' },
  { fact: 'billing', column: 'billing', kind: 'plain' },
  { fact: 'subscription', column: 'subscription', kind: 'plain' },
  { fact: 'paymentMethod', column: 'payment_method', kind: 'plain' },
  { fact: 'unpaidInvoices', column: 'unpaid_invoices', kind: 'plain' },
  { fact: 'includedTokens', column: 'included_tokens', kind: 'allowance' },
  { fact: 'overageCap', column: 'overage_cap', kind: 'allowance' },
  { fact: 'pastDueGraceDays', column: 'past_due_grace_days', kind: 'plain' },
  { fact: 'pastDueSince', column: 'past_due_since', kind: 'plain' },
  { fact: 'periodStart', column: 'period_start', kind: 'plain' },
  { fact: 'periodEnd', column: 'period_end', kind: 'plain' },
  { fact: 'billingUrl', column: 'billing_url', kind: 'plain' },
]

const FACT_NAMES = FACT_COLUMNS.map(({ column }) => `account.${column}`).join(', ')

/** What serving reads; `db` may be read-only. */
export function createAccountReader(db: DatabaseSync): AccountReader {
  const version = db.prepare('SELECT version FROM state')
  const keyByHash = db.prepare(
    `SELECT key.id AS key_id, key.secret_id, key.revoked_at, account.id, account.name, ${FACT_NAMES}
    FROM key JOIN account ON account.id = key.account_id WHERE key.hash = ?`,
  )
  const tokenUse = db.prepare('SELECT period, used FROM ledger_head WHERE account_id = ?')
  const usageByDay = db.prepare(
    `SELECT day, endpoint, requests, tokens FROM usage_day
    WHERE account_id = ? AND period = ? ORDER BY day, endpoint`,
  )
  return {
    version: guarded(() => Number(version.get()?.version)),
    keyByHash: guarded((hash: Uint8Array): KnownKey | undefined => {
      const row = keyByHash.get(hash)
      return row === undefined ? undefined : { ...readKnownKey(row), account: readAccount(row) }
    }),
    tokenUse: guarded((id: string) => copy<TokenUse>(tokenUse.get(id))),
    usageByDay: guarded((id: string, period: string) =>
      usageByDay.all(id, period).map((row) => ({ ...row }) as UsageDay),
    ),
  }
}

/** What the command line reads and changes; each change is one short transaction that waits its turn. */
export function createAccountAdmin(db: DatabaseSync): AccountAdmin {
  const columns = FACT_COLUMNS.map(({ column }) => column)
  const selectAccount = db.prepare('SELECT * FROM account WHERE id = ?')
  const selectAccounts = db.prepare('SELECT * FROM account ORDER BY created_at, id')
  const insertAccount = db.prepare(
    `INSERT INTO account (id, name, created_at, ${columns.join(', ')})
    VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})`,
  )
  const updateFacts = db.prepare(
    `UPDATE account SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
  )
  const insertKey = db.prepare(
    `INSERT INTO key (id, account_id, hash, secret_id, prefix, label, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectKey = db.prepare('SELECT * FROM key WHERE id = ?')
  const selectKeys = db.prepare('SELECT * FROM key WHERE account_id = ? ORDER BY created_at, id')
  const endKey = db.prepare(
    'UPDATE key SET revoked_at = ? WHERE id = ? AND (revoked_at IS NULL OR revoked_at > ?)',
  )
  const keysBySecret = db.prepare(
    `SELECT secret_id, count(*) AS keys FROM key
    WHERE revoked_at IS NULL OR revoked_at > ? GROUP BY secret_id`,
  )
  const raise = db.prepare('UPDATE state SET version = version + 1')

  function change<Result>(work: () => Result): Result {
    return transaction(db, () => {
      const result = work()
      raise.run()
      return result
    })
  }

  return {
    createAccount: guarded(({ id, name, createdAt, facts }: AccountRecord) =>
      change(() => {
        insertAccount.run(id, name, createdAt, ...writeFacts(facts))
      }),
    ),
    changeFacts: guarded((id: string, decide: (facts: AccountFacts) => AccountFacts) =>
      change(() => {
        const row = selectAccount.get(id)
        if (row === undefined) return undefined
        const facts = decide(readFacts(row))
        updateFacts.run(...writeFacts(facts), id)
        return { ...readRecord(row), facts }
      }),
    ),
    account: guarded((id: string) => {
      const row = selectAccount.get(id)
      return row === undefined ? undefined : readRecord(row)
    }),
    accounts: guarded(() => selectAccounts.all().map(readRecord)),
    createKey: guarded((key, ends) =>
      change(() => {
        const { id, accountId, hash, secretId, prefix, label, createdAt } = key
        insertKey.run(id, accountId, hash, secretId, prefix, label, createdAt)
        if (ends !== undefined) endKey.run(ends.at, ends.id, ends.at)
      }),
    ),
    key: guarded((id: string) => {
      const row = selectKey.get(id)
      return row === undefined ? undefined : readKey(row)
    }),
    keys: guarded((accountId: string) => selectKeys.all(accountId).map(readKey)),
    revokeKey: guarded((id: string, at: number) =>
      change(() => {
        endKey.run(at, id, at)
        const row = selectKey.get(id)
        return row === undefined ? undefined : readKey(row)
      }),
    ),
    keysBySecret: guarded(
      (at: number) =>
        new Map(keysBySecret.all(at).map((row) => [String(row.secret_id), Number(row.keys)])),
    ),
    raiseVersion: guarded(() => change(() => undefined)),
  }
}

/** Makes a question of a store from a plain function: a promise, and the refusal *unavailable* where that fits. */
export function guarded<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return work(...args)
    } catch (error) {
      throw asRefusal(error)
    }
  }
}

/** The facts in a row that holds all columns of `account`. */
export function readFacts(row: Row): AccountFacts {
  const facts = FACT_COLUMNS.map(({ fact, column, kind }) => {
    const value = row[column] ?? null
    if (kind === 'flag') return [fact, value === 1]
    return [fact, kind === 'allowance' && value === null ? 'unlimited' : value]
  })
  return Object.fromEntries(facts) as AccountFacts
}

function writeFacts(facts: AccountFacts): (string | number | null)[] {
  return FACT_COLUMNS.map(({ fact, kind }) => {
    const value = facts[fact]
    if (kind === 'allowance') return writeAllowance(value as TokenAllowance)
    return typeof value === 'boolean' ? Number(value) : value
  })
}

function writeAllowance(tokens: TokenAllowance): number | null {
  return tokens === 'unlimited' ? null : tokens
}

function readAccount(row: Row): Account {
  return { id: String(row.id), name: String(row.name), facts: readFacts(row) }
}

function readRecord(row: Row): AccountRecord {
  return { ...readAccount(row), createdAt: Number(row.created_at) }
}

function readKnownKey(row: Row): Omit<KnownKey, 'account'> {
  return {
    id: String(row.key_id),
    secretId: String(row.secret_id),
    revokedAt: row.revoked_at as number | null,
  }
}

function readKey(row: Row): KeyRecord {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    label: row.label as string | null,
    prefix: String(row.prefix),
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at as number | null,
    revokedAt: row.revoked_at as number | null,
  }
}

/** Rows of `node:sqlite` have no prototype, which makes them unlike any literal; a copy is an object as others are. */
function copy<Shape>(row: Row | undefined): Shape | undefined {
  return row === undefined ? undefined : ({ ...row } as Shape)
}
