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
  'plan',
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
  pla             => plan
  plant           => plan
  pail            => -
  subscriptionxxxx   => subscription
  subscriptionxxxxx  => -
`

test('letters that changed places are one mistake, also in a short name', () => {
  assert.deepEqual(nearest('nmae', ['name', 'owner']), ['name'])
  assert.deepEqual(nearest('prot', ['host', 'port']), ['port'])
  assert.deepEqual(nearest('eman', ['name']), [])
})

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

test('a text that is much longer than every name is compared with none of them', () => {
  // A megabyte against 200 names would be 10^10 steps.
  const names = Array.from({ length: 200 }, (_, at) => `${'name'.repeat(12)}${at}`)
  assert.deepEqual(nearest('name'.repeat(250_000), names), [])
})
