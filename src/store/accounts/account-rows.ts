/** Maps accounts, keys and sums of the ledger to rows, for both stores. */
import { DAY_MS } from '../../base/days.ts'
import { type Account, type AccountFacts, PLAN_FACTS, withPlan } from '../../base/model/account.ts'
import {
  FORM_DIGITS,
  REGISTERED,
  type StoredRule,
  type Suppression,
} from '../../base/model/suppression.ts'
import {
  type AccountRecord,
  type ChainHead,
  type EarlierCharge,
  type KeyRecord,
  type LedgerEntry,
  PERIOD_SET,
  type UsageDay,
} from '../accounts-store.ts'
import { columnsOf, type Row, readerOf } from './table-rows.ts'

const OWN = ['id', 'name', 'created_at']

/** Facts that are stored as a number, with NULL for unlimited. */
const ALLOWANCES = new Set<string>(PLAN_FACTS)

/** The columns of the facts, in the order of the table. */
export const FACT_COLUMNS = columnsOf('account').flatMap(({ name, kind, property }) =>
  OWN.includes(name) ? [] : [{ column: name, fact: property as keyof AccountFacts, kind }],
)

export const FACT_NAMES = FACT_COLUMNS.map(({ column }) => `account.${column}`).join(', ')

/** Reads the effective facts from a row of `account`, including those of its plan. */
export function readFacts(row: Row): AccountFacts {
  return withPlan(readOwnFacts(row))
}

/** Reads the facts as stored, to be changed and written again. */
export function readOwnFacts(row: Row): AccountFacts {
  const facts = FACT_COLUMNS.map(({ fact, column, kind }) => {
    const value = row[column] ?? null
    if (kind === 'flag') return [fact, value === 1 || value === true]
    return [fact, value === null && ALLOWANCES.has(fact) ? 'unlimited' : value]
  })
  return Object.fromEntries(facts) as AccountFacts
}

/** In the order of `FACT_COLUMNS`; flags as 0 and 1, which both stores take. */
export function writeFacts(facts: AccountFacts): (string | number | null)[] {
  return FACT_COLUMNS.map(({ fact }) => {
    const value = facts[fact]
    if (value === 'unlimited' && ALLOWANCES.has(fact)) return null
    return typeof value === 'boolean' ? Number(value) : value
  })
}

export function readAccount(row: Row): Account {
  return { id: String(row.id), name: String(row.name), facts: readFacts(row) }
}

export function readRecord(row: Row): AccountRecord {
  return { ...readAccount(row), createdAt: Number(row.created_at) }
}

/** Reads a key from a row: its prefix, never the key itself. */
export const readKey = readerOf<KeyRecord>('key', 'hash', 'secret_id')

const DAY_LENGTH = 10 // of YYYY-MM-DD

/** What ledger rows add to the daily usage of an account, by day and endpoint. */
export function sumByDay(
  entries: LedgerEntry[],
): Iterable<UsageDay & { accountId: string; period: string }> {
  const sums = new Map<string, UsageDay & { accountId: string; period: string }>()
  for (const { accountId, period, at, endpoint, cost, reason } of entries) {
    if (endpoint === PERIOD_SET) continue
    const name = `${accountId} ${period} ${Math.floor(at / DAY_MS)} ${endpoint}`
    let sum = sums.get(name)
    if (sum === undefined) {
      const day = new Date(at).toISOString().slice(0, DAY_LENGTH)
      sum = { accountId, period, day, endpoint, requests: 0, tokens: 0 }
      sums.set(name, sum)
    }
    sum.requests += reason === null ? 1 : 0
    sum.tokens += cost
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

const readChainHead = readerOf<ChainHead>('ledger_head', 'account_id')

export function readHeads(rows: Row[]): Map<string, ChainHead> {
  return new Map(rows.map((row) => [String(row.account_id), readChainHead(row)]))
}

export const readEntry = readerOf<LedgerEntry>('ledger')

/** Escapes a text for SQL's `LIKE`, with backslash as the escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Reads a suppression from a row of either store: hashes, no name in clear text. */
export const readSuppression = readerOf<Suppression>('suppression')

const IS_REGISTERED = `substr(id, 1, ${REGISTERED.length}) = '${REGISTERED}'`

/**
 * Selects the suppressions in force by kind and scope. A row holds all hashes of a group, because
 * 100,000 rows would take too long; a text holds at most 500 MB, so a group is split by the hash's
 * last digit. A registry's hashes begin with the mark of its recipe.
 */
export const GROUPED_RULES = `SELECT min(id) AS id, kind, scope, string_agg(hashes, '') AS hashes
  FROM suppression WHERE ended_at IS NULL
  GROUP BY kind, scope, ${IS_REGISTERED},
    CASE WHEN ${IS_REGISTERED} THEN substr(hashes, 1, ${FORM_DIGITS}) ELSE '' END,
    substr(hashes, length(hashes))`

/** Reads a row of `GROUPED_RULES`. */
export function readRule({ id, kind, scope, hashes }: Row): StoredRule {
  return { id, kind, scope, hashes } as StoredRule
}

/** Selects the suppressions that are applied to answers. */
export const PENDING_SUPPRESSIONS = `SELECT suppression.* FROM suppression
  JOIN suppression_pending ON suppression_pending.id = suppression.id
  WHERE suppression.ended_at IS NULL ORDER BY suppression.created_at, suppression.id`
