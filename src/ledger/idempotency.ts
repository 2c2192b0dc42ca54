/** Charges with an Idempotency-Key: the same request within a day is charged once. */
import { hash } from 'node:crypto'
import { DAY_MS } from '../base/days.ts'
import { refuse } from '../base/errors.ts'
import type { EarlierCharge } from '../store/accounts-store.ts'

/** The key of a charge, hashed. Neither key nor query is stored in clear. */
export type Idempotency = {
  /** SHA-256 of account and key, hex digits. */
  key: string
  /** SHA-256 of operation and query, hex digits. */
  fingerprint: string
}

/** 1 to 255 visible characters. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** Throws *bad request* when `key` is invalid. The order of parameters in the query is ignored. */
export function makeIdempotency(
  accountId: string,
  key: string,
  operationId: string,
  queryString: string,
): Idempotency {
  if (!KEY.test(key)) throw refuse.badRequest('Idempotency-Key has 1 to 255 visible characters')
  const query = new URLSearchParams(queryString)
  query.sort()
  return {
    key: hash('sha256', `${accountId}\n${key}`),
    fingerprint: hash('sha256', `${operationId}\n${query}`),
  }
}

/** Returns the ledger's unique value of a charge at a time; a repeat after a day has another. */
export function uniqueId(key: string, at: number): string {
  return `${key}.${Math.floor(at / DAY_MS)}`
}

/** Returns the values of all charges less than a day away, whichever way the clock was set. */
export function possibleIds(key: string, moments: readonly number[]): string[] {
  const ids = moments.flatMap((at) =>
    [-DAY_MS, 0, DAY_MS].map((offset) => uniqueId(key, at + offset)),
  )
  return [...new Set(ids)]
}

/** Finds a charge with the same key less than a day before or after `at`. */
export function findEarlier(
  earlier: ReadonlyMap<string, EarlierCharge>,
  key: string,
  at: number,
): EarlierCharge | undefined {
  return possibleIds(key, [at])
    .map((id) => earlier.get(id))
    .find((charge) => charge !== undefined && Math.abs(at - charge.at) < DAY_MS)
}
