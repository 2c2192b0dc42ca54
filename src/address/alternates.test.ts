import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedAlternates } from './alternates.ts'
import { canonicalAddress } from './canonical.ts'
import { splitKey } from './forgive.ts'

describe('askedAlternates', () => {
  const numbers = (line: string, fips?: number, state = '') =>
    askedAlternates(canonicalAddress(line, { state, fips })).map((step) =>
      step.map(({ key }) => splitKey(key).number).join(),
    )

  it('asks of a range its low end only', () => {
    assert.deepEqual(numbers('1616-22 OAK ST', 42_101, 'PA'), ['1616'])
  })

  it('asks a hyphenated number without its hyphen, and both readings where nobody knows', () => {
    assert.deepEqual(numbers('39-12 30TH ST', 36_081, 'NY'), ['3912'])
    assert.deepEqual(numbers('100-12 QUEENS BLVD', undefined, 'NY'), ['100', '100-12', '10012'])
    const both = ['100', '100-02', '10002', '100-2']
    assert.deepEqual(numbers('100-02 QUEENS BLVD', undefined, 'NY'), both)
  })

  it('asks all kinds of a bare highway at once', () => {
    const [step = [], ...more] = askedAlternates(canonicalAddress('12 HWY 101', { state: 'CA' }))
    assert.deepEqual(more, [])
    assert.deepEqual(
      step.map(({ key }) => splitKey(key).name),
      ['US 101', 'STATE 101', 'COUNTY 101', 'INTERSTATE 101'],
    )
  })

  it('asks nothing of a plain address', () => {
    assert.deepEqual(numbers('12 OAK ST'), [])
  })
})
