/**
 * Tests the cap against a model, for any order of charges, groups, credits, changes of facts and
 * clocks.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAY, makeCharge } from '../../test/ledger/fixture.ts'
import { repetitions } from '../../test/repetitions.ts'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { periodAt } from '../accounts/period.ts'
import { CommandError } from '../base/errors.ts'
import type { AccountFacts, TokenAllowance } from '../base/model/account.ts'
import type { Appended, LedgerEntry, LedgerState } from '../store/accounts-store.ts'
import { createChainCheck } from './chain.ts'
import { settle, settleCredit } from './settle.ts'

/** A store that only keeps what was appended. */
function createBook(facts: Record<string, AccountFacts>) {
  const states = new Map<string, LedgerState>()
  for (const [id, its] of Object.entries(facts)) states.set(id, { facts: its, head: undefined })
  const entries: LedgerEntry[] = []
  return {
    states,
    entries,
    append<Result>(appended: Appended<Result>): Result {
      entries.push(...appended.entries)
      for (const [id, head] of appended.heads) {
        states.set(id, { facts: states.get(id)?.facts as AccountFacts, head })
      }
      return appended.result
    },
    stateOf: (id: string) => states.get(id) as LedgerState,
    nextId: () => entries.length + 1,
  }
}

const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c']
const DAY = 86_400_000

const tokens = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant<TokenAllowance>('unlimited'))
const facts = fc.record({ includedTokens: tokens, overageCap: tokens })
const charge = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  cost: fc.integer({ min: 1, max: 3 }),
})
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ group: fc.array(charge, { maxLength: 12 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      credit: fc.constantFrom(...ACCOUNTS),
      tokens: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ facts, of: fc.constantFrom(...ACCOUNTS) }) },
  { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: -400, max: 400 }) }) },
)

/**
 * The rule implemented again: a period never goes back, and a charge never raises its sum above the
 * allowance.
 */
class Model {
  readonly #use = new Map<string, { period: string; used: number }>()
  facts = new Map<string, AccountFacts>()

  use(account: string, now: number) {
    const { start } = periodAt(this.facts.get(account) as AccountFacts, now)
    const newest = this.#use.get(account)
    return newest === undefined || newest.period < start ? { period: start, used: 0 } : newest
  }

  charge(account: string, cost: number, now: number): boolean {
    const { includedTokens, overageCap } = this.facts.get(account) as AccountFacts
    const { period, used } = this.use(account, now)
    const limited = includedTokens !== 'unlimited' && overageCap !== 'unlimited'
    if (limited && used + cost > includedTokens + overageCap) return false
    this.#use.set(account, { period, used: used + cost })
    return true
  }

  credit(account: string, given: number, now: number): boolean {
    const { period, used } = this.use(account, now)
    if (given > used) return false
    this.#use.set(account, { period, used: used - given })
    return true
  }
}

test('any order of charges, credits, facts and clocks keeps the cap and the chain exact', () => {
  fc.assert(
    fc.property(fc.array(facts, { minLength: 3, maxLength: 3 }), fc.array(step), (given, steps) => {
      const start = ACCOUNTS.map((id, index) => [id, { ...DEFAULT_FACTS, ...given[index] }])
      const book = createBook(Object.fromEntries(start))
      const model = new Model()
      for (const id of ACCOUNTS) model.facts.set(id, book.stateOf(id).facts)
      let now = MAY
      for (const one of steps) {
        if ('days' in one) now += one.days * DAY
        else if ('facts' in one) {
          const changed = { ...DEFAULT_FACTS, ...one.facts }
          book.states.set(one.of, { ...book.stateOf(one.of), facts: changed })
          model.facts.set(one.of, changed)
        } else if ('credit' in one) {
          const fields = { accountId: one.credit, tokens: one.tokens, reason: 'r', requestId: 'q' }
          const give = () => settleCredit(fields, book.stateOf(one.credit), book.nextId(), now)
          if (model.credit(one.credit, one.tokens, now)) book.append(give())
          else assert.throws(give, CommandError)
        } else {
          const charges = one.group.map(({ account, cost }) => makeCharge(account, { cost }))
          const outcomes = book.append(settle(charges, book.states, { nextId: book.nextId(), now }))
          one.group.forEach(({ account, cost }, index) => {
            const outcome = outcomes[index]
            if (model.charge(account, cost, now)) {
              assert.equal(outcome?.kind, 'charged')
            } else {
              assert.deepEqual(outcome, { kind: 'blocked', code: 'overage_limit_exceeded' })
            }
          })
        }
      }
      for (const id of ACCOUNTS) {
        const head = book.stateOf(id).head
        if (head === undefined) continue
        const { period, used } = model.use(id, Date.parse(head.period))
        assert.deepEqual({ period: head.period, used: head.used }, { period, used })
      }
      const check = createChainCheck()
      assert.equal(check.take(book.entries), undefined)
      const heads = [...book.states].flatMap(([id, { head }]) =>
        head ? [[id, head] as const] : [],
      )
      assert.equal(check.compareHeads(new Map(heads)), undefined)
    }),
    { numRuns: repetitions(30) },
  )
})

test('with N tokens left and any number of charges in one group, exactly N are charged', () => {
  const book = createBook({ acc_a: { ...DEFAULT_FACTS, includedTokens: 5, overageCap: 2 } })
  const charges = Array.from({ length: 50 }, () => makeCharge('acc_a'))
  const outcomes = book.append(settle(charges, book.states, { nextId: 1, now: MAY }))
  assert.equal(outcomes.filter(({ kind }) => kind === 'charged').length, 7)
  assert.deepEqual(outcomes[6], { kind: 'charged', used: 7, remaining: 0 })
  assert.equal(book.entries.length, 7)
})

test('the whole gate is asked again at the charge, not the cap alone', () => {
  const book = createBook({ acc_a: { ...DEFAULT_FACTS, suspended: true } })
  const outcomes = book.append(settle([makeCharge('acc_a')], book.states, { nextId: 1, now: MAY }))
  assert.deepEqual(outcomes, [{ kind: 'blocked', code: 'access_denied' }])
})

test('a charge for an account that is not there hurts no other charge of its group', () => {
  const book = createBook({ acc_a: DEFAULT_FACTS })
  const group = [makeCharge('acc_x'), makeCharge('acc_a')]
  const kinds = book
    .append(settle(group, book.states, { nextId: 1, now: MAY }))
    .map(({ kind }) => kind)
  assert.deepEqual(kinds, ['unavailable', 'charged'])
})

test('a charge never lands in a period earlier than the account’s latest', () => {
  const book = createBook({ acc_a: { ...DEFAULT_FACTS, includedTokens: 2 } })
  const at = (date: string) => {
    const charges = [makeCharge('acc_a')]
    const [outcome] = book.append(
      settle(charges, book.states, { nextId: book.nextId(), now: Date.parse(date) }),
    )
    return `${outcome?.kind} ${book.entries.at(-1)?.period}`
  }
  assert.equal(at('2026-05-20'), 'charged 2026-05-01')
  assert.equal(at('2027-05-20'), 'charged 2027-05-01')
  assert.equal(at('2026-05-20'), 'charged 2027-05-01')
  assert.equal(at('2026-05-20'), 'blocked 2027-05-01')
  assert.equal(at('2027-06-01'), 'charged 2027-06-01')
})

test('a credit is a row with a reason and a negative cost that returns exactly its tokens', () => {
  const book = createBook({ acc_a: { ...DEFAULT_FACTS, includedTokens: 2 } })
  const once = () =>
    book.append(settle([makeCharge('acc_a')], book.states, { nextId: book.nextId(), now: MAY }))[0]
      ?.kind
  assert.deepEqual([once(), once(), once()], ['charged', 'charged', 'blocked'])
  const credit = { accountId: 'acc_a', tokens: 2, reason: 'lost answers', requestId: 'credit_1' }
  const entry = book.append(settleCredit(credit, book.stateOf('acc_a'), 3, MAY))
  assert.equal(entry.cost, -2)
  assert.equal(entry.reason, 'lost answers')
  assert.equal(entry.keyId, null)
  assert.deepEqual([once(), once(), once()], ['charged', 'charged', 'blocked'])
})

test('a credit of more than was used in the newest period is refused', () => {
  const book = createBook({ acc_a: DEFAULT_FACTS })
  const give = (tokens: number, now: number) =>
    settleCredit(
      { accountId: 'acc_a', tokens, reason: 'r', requestId: 'q' },
      book.stateOf('acc_a'),
      book.nextId(),
      now,
    )
  assert.throws(() => give(1, MAY), /has used 0 in the period from 2026-05-01/)
  book.append(
    settle([makeCharge('acc_a'), makeCharge('acc_a')], book.states, { nextId: 1, now: MAY }),
  )
  assert.throws(() => give(3, MAY), /3 tokens cannot be given back: acc_a has used 2/)
  assert.throws(() => give(1, MAY + 31 * DAY), /has used 0 in the period from 2026-06-01/)
  book.append(give(2, MAY))
  assert.throws(() => give(1, MAY), /has used 0/)
})
