import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SitusHit } from '../store/store.ts'
import { areInOnePlace, areOnOneRoad, chooseAtAddress, shareOneAddress } from './choose.ts'

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

describe('chooseAtAddress', () => {
  const choose = (hits: SitusHit[], unitKey = '') => {
    const choice = chooseAtAddress(hits, unitKey)
    if (choice === undefined) return 'none'
    return choice.outcome === 'found'
      ? `${hits.indexOf(choice.hit)} of ` +
          `${choice.count}${choice.by === 'exact' ? '' : `, ${choice.by}`}`
      : `ambiguous ${choice.hits.length}`
  }

  it('takes the parcel with the asked unit', () => {
    assert.equal(choose([hit(), hit({ unitKey: '1' }), hit({ unitKey: '2' })], '2'), '2 of 1')
  })

  it('takes the one without a unit where nobody has the asked one', () => {
    assert.equal(choose([hit({ unitKey: '1' }), hit()], '2'), '1 of 2, unit-dropped')
    assert.equal(choose([hit({ unitKey: '1' }), hit({ unitKey: '3' })], '2'), 'none')
  })

  it('takes the one without a unit, else the lowest id, where none was asked', () => {
    assert.equal(choose([hit({ unitKey: '1' }), hit()]), '1 of 2')
    const [first, second] = [hit({ unitKey: '2' }), hit({ unitKey: '1' })]
    assert.equal(choose([second, first]), '1 of 2, one-of-many')
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

  it('lists the units when only the first can be the answer', () => {
    const hits = [hit({ unitKey: '2' }), hit({ unitKey: '1' }), hit({ unitKey: '2' })]
    const choice = chooseAtAddress(hits, '')
    assert.deepEqual(choice?.outcome === 'found' && choice.units, ['2', '1'])
  })

  it('is not exact where the only parcel has a unit that was not asked', () => {
    assert.equal(choose([hit({ unitKey: 'REAR' })]), '0 of 1, unit-added')
  })

  it('takes the first of several on a road without a number as one of many', () => {
    const key = '|W|CREEK|RD|'
    assert.equal(choose([hit({ key }), hit({ key }), hit({ key })]), '0 of 3, one-of-many')
    assert.equal(choose([hit({ key })]), '0 of 1')
  })

  it('finds nothing among nothing', () => {
    assert.equal(choose([]), 'none')
  })
})

describe('what was found together', () => {
  it('is on one road when keys differ in their number only', () => {
    assert.equal(areOnOneRoad([hit(), hit({ key: '14||OAK|ST|' })]), true)
    assert.equal(areOnOneRoad([hit({ key: '1||US 101||' }), hit({ key: '1||STATE 101||' })]), false)
  })

  it('shares one address when key and city agree', () => {
    assert.equal(shareOneAddress([hit(), hit()]), true)
    assert.equal(shareOneAddress([hit(), hit({ key: '12|N|OAK|ST|' })]), false)
    assert.equal(shareOneAddress([hit(), hit({ city: 'OMAHA' })]), false)
    assert.equal(areInOnePlace([hit(), hit({ city: '' })]), true)
  })
})
