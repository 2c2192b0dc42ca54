import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import type { ChargeOutcome, Ledger } from '../ledger/ledger.ts'
import { DEFAULT_FACTS } from './account-facts.ts'
import { chargeFor } from './token-meter.ts'

const PAGE = 'https://pay.example/'
const CALLER: Caller = {
  account: { id: 'acc_1', name: 'A', facts: { ...DEFAULT_FACTS, billingUrl: PAGE } },
  keyId: 'key_1',
}

function charge(outcome: ChargeOutcome) {
  const ledger: Ledger = {
    charge: async () => outcome,
    noteUses: () => undefined,
    noteAudit: () => undefined,
    close: async () => undefined,
  }
  return chargeFor(CALLER, 'premiumOwnerSearch', { cost: 1, requestId: 'req_1' }, ledger)
}

test('a durable charge returns what was charged and what remains', async () => {
  const receipt = await charge({ kind: 'charged', used: 4, remaining: 6 })
  assert.deepEqual(receipt, { charged: 1, remaining: 6 })
})

test('a charge beyond the cap is blocked, with the account’s billing page', async () => {
  await assert.rejects(
    charge({ kind: 'blocked', code: 'overage_limit_exceeded' }),
    (error) =>
      error instanceof Refusal &&
      error.kind === 'blocked' &&
      error.code === 'overage_limit_exceeded' &&
      error.billingUrl === PAGE,
  )
})

test('an unconfirmed charge is unavailable, with the reason only in the log', async () => {
  await assert.rejects(
    charge({ kind: 'unavailable', reason: 'disk on fire' }),
    (error) =>
      error instanceof Refusal &&
      error.kind === 'unavailable' &&
      !error.message.includes('fire') &&
      (error.cause as Error).message === 'disk on fire',
  )
})
