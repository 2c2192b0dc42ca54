import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_FACTS } from './account-facts.ts'
import { standingOf } from './standing.ts'

const MAY = Date.UTC(2026, 4, 20)

test("an account without charges is in the clock's period with no use", () => {
  const { period, used, remaining } = standingOf(
    { ...DEFAULT_FACTS, includedTokens: 5 },
    undefined,
    MAY,
  )
  assert.deepEqual(period, { start: '2026-05-01', end: '2026-06-01' })
  assert.deepEqual([used, remaining], [0, 5])
})

test('a clock that went back leaves the newest charged period, whole', () => {
  const newest = { period: '2027-05-01', used: 3 }
  const { period, used, blocked } = standingOf({ ...DEFAULT_FACTS, includedTokens: 3 }, newest, MAY)
  assert.deepEqual(period, { start: '2027-05-01', end: '2027-06-01' })
  assert.deepEqual([used, blocked], [3, 'overage_limit_exceeded'])
})

test('dates changed within a period keep its use, up to their end', () => {
  const facts = { ...DEFAULT_FACTS, periodStart: '2026-05-01', periodEnd: '2026-05-31' }
  const { period } = standingOf(facts, { period: '2026-05-10', used: 1 }, MAY)
  assert.deepEqual(period, { start: '2026-05-10', end: '2026-05-31' })
})
