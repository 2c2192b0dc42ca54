import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { SitusHit } from '../store/store.ts'
import { canonicalAddress } from './canonical.ts'
import {
  askedAlternates,
  chooseAtAddress,
  forgive,
  forgiven,
  shareOneAddress,
  splitKey,
  standInOnePlace,
  standOnOneRoad,
} from './match.ts'

let nextId = 1
function hit(part: Partial<SitusHit> = {}): SitusHit {
  return {
    id: nextId++,
    key: '12||OAK|ST|',
    unitKey: '',
    fips: 31_109,
    city: 'LINCOLN',
    zip: '68503',
    alternate: null,
    ...part,
  }
}

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
      { numRuns: 20_000 },
    )
  })
})

describe('chooseAtAddress', () => {
  const choose = (hits: SitusHit[], unitKey = '') => {
    const choice = chooseAtAddress(hits, unitKey)
    if (choice === undefined) return 'none'
    return choice.outcome === 'found'
      ? `${hits.indexOf(choice.hit)} of ${choice.count}${choice.unitDropped ? ', unit dropped' : ''}`
      : `ambiguous ${choice.count}`
  }

  it('takes the parcel with the asked unit', () => {
    assert.equal(choose([hit(), hit({ unitKey: '1' }), hit({ unitKey: '2' })], '2'), '2 of 1')
  })

  it('takes the one without a unit where nobody has the asked one', () => {
    assert.equal(choose([hit({ unitKey: '1' }), hit()], '2'), '1 of 2, unit dropped')
    assert.equal(choose([hit({ unitKey: '1' }), hit({ unitKey: '3' })], '2'), 'none')
  })

  it('takes the one without a unit, else the lowest id, where none was asked', () => {
    assert.equal(choose([hit({ unitKey: '1' }), hit()]), '1 of 2')
    const [first, second] = [hit({ unitKey: '2' }), hit({ unitKey: '1' })]
    assert.equal(choose([second, first]), '1 of 2')
  })

  it('is ambiguous over two cities or, without a city, two counties', () => {
    assert.equal(choose([hit(), hit({ city: 'OMAHA' })]), 'ambiguous 2')
    assert.equal(choose([hit({ city: '' }), hit({ city: '', fips: 31_055 })]), 'ambiguous 2')
    assert.equal(choose([hit({ city: '' }), hit()]), '1 of 2'.replace('1', '0'))
  })

  it('asks only those with the unit for one city', () => {
    const hits = [hit({ unitKey: '1' }), hit({ unitKey: '2', city: 'OMAHA' })]
    assert.equal(choose(hits, '2'), '1 of 1')
  })

  it('finds nothing among nothing', () => {
    assert.equal(choose([]), 'none')
  })
})

describe('what was found together', () => {
  it('stands on one road when keys differ in their number only', () => {
    assert.equal(standOnOneRoad([hit(), hit({ key: '14||OAK|ST|' })]), true)
    assert.equal(
      standOnOneRoad([hit({ key: '1||US 101||' }), hit({ key: '1||STATE 101||' })]),
      false,
    )
  })

  it('shares one address when key and city agree', () => {
    assert.equal(shareOneAddress([hit(), hit()]), true)
    assert.equal(shareOneAddress([hit(), hit({ key: '12|N|OAK|ST|' })]), false)
    assert.equal(shareOneAddress([hit(), hit({ city: 'OMAHA' })]), false)
    assert.equal(standInOnePlace([hit(), hit({ city: '' })]), true)
  })

  it('holds only hits that the asked kind forgives', () => {
    const hits = [hit({ key: '12|N|OAK|ST|' }), hit({ key: '12||OAK||' })]
    assert.deepEqual(forgiven('12||OAK|ST|', hits, 'suffix'), [hits[1]])
  })
})

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
    assert.deepEqual(numbers('100-02 QUEENS BLVD', undefined, 'NY'), ['100', '100-02', '10002'])
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
