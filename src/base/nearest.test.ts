import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearest } from './nearest.ts'

const NAMES = [
  'dataReads',
  'suspended',
  'subscription',
  'paymentMethod',
  'includedTokens',
  'billingUrl',
]

/** typed => the best suggestion, or `-` for none */
const CASES = `
  subscripton     => subscription
  Subscription    => subscription
  payment_method  => paymentMethod
  payment-metod   => paymentMethod
  tokens          => includedTokens
  datareads       => dataReads
  url             => billingUrl
  frobnicate      => -
  x               => -
`

test('a mistyped name gets the one it resembles, and nothing when there is none, cases', () => {
  for (const line of CASES.split('\n').filter((text) => text.includes('=>'))) {
    const [typed = '', expected] = line.split('=>').map((cell) => cell.trim())
    assert.equal(nearest(typed, NAMES)[0] ?? '-', expected, line)
  }
})

test('the hint is a half sentence, or nothing', () => {
  assert.equal(didYouMean('suspendet', NAMES), '; did you mean suspended?')
  assert.equal(didYouMean('frobnicate', NAMES), '')
})
