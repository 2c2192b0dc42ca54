import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumOverage } from '../../src/billing/overage.ts'
import { checkRandomTerms } from './random-terms.ts'

test('no invoice is above the caps of its period: 500 random histories', () =>
  checkRandomTerms(500))

/** Tokens used, then the terms that follow: included, cap. The last is the overage. */
const CASES: [string, number][] = [
  ['100+0: 80, 10+5: 0', 0],
  ['100+10: 105, 10+5: 0', 5],
  ['10+20: 15, 100+0: 60', 5],
  ['0+100: 100, 200+5: 105', 100],
  ['10+unlimited: 40, 5+0: 0', 30],
  ['10+5: 15, credit: -3', 2],
  ['10+5: 15, credit: -7', 0],
]
for (const [history, expected] of CASES) {
  test(`tokens count by the terms under which they were used: ${history}`, () => {
    const states: { includedTokens: number; overageCap: number | 'unlimited' }[] = []
    const rows = history.split(', ').map((part, at) => {
      const [said = '', cost = ''] = part.split(': ')
      const [included = '', cap = ''] = said === 'credit' ? ['0', '0'] : said.split('+')
      const overageCap = cap === 'unlimited' ? cap : Number(cap)
      states.push({ includedTokens: Number(included), overageCap })
      return { cost: Number(cost), at }
    })
    assert.equal(
      sumOverage(rows, (at) => states[at] ?? { includedTokens: 0, overageCap: 0 }),
      expected,
    )
  })
}
