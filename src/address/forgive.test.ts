import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { canonicalAddress } from './canonical.ts'
import { forgive } from './forgive.ts'

describe('forgive', () => {
  it('names the one thing that is missing on one side', () => {
    assert.equal(forgive('12||OAK|ST|', '12|N|OAK|ST|'), 'directional')
    assert.equal(forgive('12||OAK|ST|W', '12||OAK|ST|'), 'directional')
    assert.equal(forgive('12||OAK||', '12||OAK|ST|'), 'suffix')
    assert.equal(forgive('12||MILL|CRK|', '12||MILL CREEK|RD|'), 'suffix')
    assert.equal(forgive('12||RIDGE VIEW|DR|', '12||RIDGEVIEW|DR|'), 'spacing')
    assert.equal(forgive('12||NORTHSHORE|DR|', '12|N|SHORE|DR|'), 'spacing')
    assert.equal(forgive('12O||BRIEN|DR|', '12||OBRIEN|DR|'), 'spacing')
  })

  it('never lets two different directionals, suffixes or numbers pass', () => {
    assert.equal(forgive('12|N|OAK|ST|', '12|S|OAK|ST|'), undefined)
    assert.equal(forgive('12|N|OAK|ST|', '12||OAK|ST|N'), undefined)
    assert.equal(forgive('12||OAK|ST|', '12||OAK|AVE|'), undefined)
    assert.equal(forgive('12||OAK|ST|', '14||OAK|ST|'), undefined)
    assert.equal(forgive('12||MAIN|ST|', '12||MAIN STREET|EXT|'), undefined)
    assert.equal(forgive('12A||BLE|ST|', '12||ABLE|ST|'), undefined)
    assert.equal(forgive('12|W|WEST|VW|', '12|W|WEST VIEW|ST|'), undefined)
    assert.equal(forgive('12|W|WEST|VW|', '12|W|WESTVIEW||'), undefined)
  })

  it('never lets two missing things pass', () => {
    assert.equal(forgive('12|N|OAK||', '12||OAK|ST|'), undefined)
    assert.equal(forgive('12|N|OAK|ST|E', '12||OAK|ST|'), undefined)
    assert.equal(forgive('12||RIDGE VIEW||', '12||RIDGEVIEW|DR|'), undefined)
  })

  it('is the same from both sides', () => {
    const part = fc.constantFrom('', 'N', 'S')
    const name = fc.constantFrom('RIDGE VIEW', 'RIDGEVIEW', 'RIDGE', 'VIEW', 'NORTHVIEW')
    const suffix = fc.constantFrom('', 'ST', 'VW', 'DR')
    const key = fc.tuple(part, name, suffix, part).map(([a, b, c, d]) => `1|${a}|${b}|${c}|${d}`)
    fc.assert(fc.property(key, key, (a, b) => assert.equal(forgive(a, b), forgive(b, a))))
  })

  it('forgives only within one loose key, so that one probe finds all it may forgive', () => {
    const word = fc.constantFrom(
      'RIDGE',
      'VIEW',
      'NORTH',
      'WEST',
      'LAKE',
      'SHORE',
      'MILL',
      'CREEK',
      'FIFTH',
      'BROAD',
      'WAY',
    )
    const end = fc.constantFrom('', 'ST', 'DR', 'CREEK', 'VIEW')
    const line = fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', ''), end)
      .map(([words, between, last]) => `12 ${words.join(between)} ${last}`)
    fc.assert(
      fc.property(line, line, (one, other) => {
        const [a, b] = [one, other].map((text) => canonicalAddress(text, { state: '' }))
        if (a !== undefined && b !== undefined && forgive(a.key, b.key) !== undefined)
          assert.equal(a.looseKey, b.looseKey, `${one} / ${other}`)
      }),
      { numRuns: repetitions(1000) },
    )
  })
})
