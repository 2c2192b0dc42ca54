/** Maps accounts, keys and sums of the ledger to rows, for both stores. */
import type { Account, AccountFacts, TokenAllowance } from '../../base/model/account.ts'
import { withPlan } from '../../base/model/plan.ts'
import {
  type AccountRecord,
  type ChainHead,
  type EarlierCharge,
  type KeyRecord,
  type KnownKey,
  type LedgerEntry,
  PERIOD_SET,
} from '../accounts-store.ts'

/** A row as the drivers return it. */
export type Row = Record<string, unknown>

type FactColumn = { fact: keyof AccountFacts; column: string; kind: 'plain' | 'flag' | 'allowance' }

/**
 * How each fact is stored: unchanged, as a flag (SQLite: 1 or 0), or as a number with NULL for
 * unlimited.
 */
export const FACT_COLUMNS: FactColumn[] = [
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
  { fact: 'emptyFields', column: 'empty_fields', kind: 'plain' },
  { fact: 'useCodes', column: 'use_codes', kind: 'plain' },
  { fact: 'requestsPerMinute', column: 'requests_per_minute', kind: 'allowance' },
  { fact: 'watchesMax', column: 'watches_max', kind: 'plain' },
  { fact: 'watchedParcelsMax', column: 'watched_parcels_max', kind: 'plain' },
  { fact: 'plan', column: 'plan', kind: 'plain' },
  { fact: 'planTerms', column: 'plan_terms', kind: 'plain' },
  { fact: 'ownFacts', column: 'own_facts', kind: 'plain' },
]

export const FACT_NAMES = FACT_COLUMNS.map(({ column }) => `account.${column}`).join(', ')

/**
 * Reads the effective facts from a row with all columns of `account`, including those of its plan.
 */
export function readFacts(row: Row): AccountFacts {
  return withPlan(readOwnFacts(row))
}

/** Reads the facts as stored, to be changed and written again. */
export function readOwnFacts(row: Row): AccountFacts {
  const facts = FACT_COLUMNS.map(({ fact, column, kind }) => {
    const value = row[column] ?? null
    if (kind === 'flag') return [fact, value === 1 || value === true]
    return [fact, kind === 'allowance' && value === null ? 'unlimited' : value]
  })
  return Object.fromEntries(facts) as AccountFacts
}

/** In the order of `FACT_COLUMNS`; flags as 0 and 1, which both stores take. */
export function writeFacts(facts: AccountFacts): (string | number | null)[] {
  return FACT_COLUMNS.map(({ fact, kind }) => {
    const value = facts[fact]
    if (kind === 'allowance') return writeAllowance(value as TokenAllowance)
    return typeof value === 'boolean' ? Number(value) : value
  })
}

function writeAllowance(tokens: TokenAllowance): number | null {
  return tokens === 'unlimited' ? null : tokens
}

/** Reads an account from a row of either store. */
export function readAccount(row: Row): Account {
  return { id: String(row.id), name: String(row.name), facts: readFacts(row) }
}

/** Reads an account with its creation time. */
export function readRecord(row: Row): AccountRecord {
  return { ...readAccount(row), createdAt: Number(row.created_at) }
}

export function readKnownKey(row: Row): Omit<KnownKey, 'account'> {
  return {
    id: String(row.key_id),
    secretId: String(row.secret_id),
    revokedAt: row.revoked_at as number | null,
  }
}

/** Reads a key from a row: its prefix, never the key itself. */
export function readKey(row: Row): KeyRecord {
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

const DAY_LENGTH = 10 // of YYYY-MM-DD
const DAY_MS = 86_400_000

/** Sums what ledger rows add to daily usage: account, period, day, endpoint, requests, tokens. */
export function sumByDay(
  entries: LedgerEntry[],
): Iterable<[string, string, string, string, number, number]> {
  const sums = new Map<string, [string, string, string, string, number, number]>()
  for (const { accountId, period, at, endpoint, cost, reason } of entries) {
    if (endpoint === PERIOD_SET) continue
    const name = `${accountId} ${period} ${Math.floor(at / DAY_MS)} ${endpoint}`
    let sum = sums.get(name)
    if (sum === undefined) {
      const day = new Date(at).toISOString().slice(0, DAY_LENGTH)
      sum = [accountId, period, day, endpoint, 0, 0]
      sums.set(name, sum)
    }
    sum[4] += reason === null ? 1 : 0
    sum[5] += cost
  }
  return sums.values()
}

/** Reads ledger rows by their idempotency ids. */
export function readEarlier(rows: Row[]): Map<string, EarlierCharge> {
  return new Map(
    rows.map(({ idempotency, fingerprint, at }) => [
      String(idempotency),
      { fingerprint: String(fingerprint), at: Number(at) },
    ]),
  )
}

/** Reads the end of an account's chain; `undefined` before its first charge. */
export function readHead(row: Row): ChainHead | undefined {
  if (row.rows === null) return undefined
  return {
    rows: Number(row.rows),
    hash: row.hash as Uint8Array,
    period: String(row.period),
    used: Number(row.used),
  }
}

export function readHeads(rows: Row[]): Map<string, ChainHead> {
  return new Map(rows.map((row) => [String(row.account_id), readHead(row) as ChainHead]))
}

/** Reads a ledger entry from a row. */
export function readEntry(row: Row): LedgerEntry {
  return {
    id: Number(row.id),
    accountId: String(row.account_id),
    seq: Number(row.seq),
    requestId: String(row.request_id),
    keyId: row.key_id as string | null,
    period: String(row.period),
    endpoint: String(row.endpoint),
    cost: Number(row.cost),
    at: Number(row.at),
    reason: row.reason as string | null,
    idempotency: (row.idempotency as string | null | undefined) ?? null,
    fingerprint: (row.fingerprint as string | null | undefined) ?? null,
    hash: row.hash as Uint8Array,
  }
}

/** Entries of a request among the newest million. `$1`: the request. */
export const ENTRIES_OF_REQUEST = `SELECT * FROM ledger
  WHERE id > (SELECT max(id) FROM ledger) - 1000000 AND request_id = $1 ORDER BY id`

/** Escapes a text for SQL's `LIKE`, with backslash as the escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
