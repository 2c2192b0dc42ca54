/** Charges a successful request. No part of its answer may be sent before the charge is on disk. */
import { refuse } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import type { Charge, Ledger } from '../ledger/ledger.ts'

/** The charge, as `X-Tokens-Charged` and `X-Tokens-Remaining`; null: without a limit. */
type Receipt = { charged: number; remaining: number | null }

/** What is charged: `cost` in tokens, and the audit entry of the answer. */
type Paid = Pick<Charge, 'cost' | 'requestId' | 'audit' | 'idempotency'>

/**
 * Charges tokens to the caller's account; returns when the charge is durable. With `idempotency`, a
 * request of the last day is not charged again. Throws *conflict* for its key with another query,
 * *blocked* when the tokens were used up meanwhile, *unavailable* when the ledger cannot confirm
 * the charge. Then the answer must not be sent.
 */
export async function chargeFor(
  caller: Caller,
  endpoint: string,
  paid: Paid,
  ledger: Ledger,
): Promise<Receipt> {
  const { requestId, cost, audit, idempotency } = paid
  const { id, facts } = caller.account
  const outcome = await ledger.charge({
    requestId,
    accountId: id,
    keyId: caller.keyId,
    endpoint,
    cost,
    ...(idempotency !== undefined && { idempotency }),
    ...(audit !== undefined && { audit }),
  })
  if (outcome.kind === 'charged') {
    return { charged: outcome.repeated ? 0 : cost, remaining: outcome.remaining }
  }
  if (outcome.kind === 'conflict') {
    throw refuse.conflict('This Idempotency-Key was used for another query within 24 hours')
  }
  if (outcome.kind === 'blocked') throw refuse.blocked(outcome.code, facts.billingUrl ?? undefined)
  throw refuse.unavailable('Service temporarily unavailable', new Error(outcome.reason))
}
