import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStreets } from './street-names.ts'

const METER = 1 / 111_320

/** Houses on both sides of a street, each 20 m from its middle. */
function houses(name: string, count: number, place: (far: number) => [number, number]) {
  return Array.from({ length: count }, (_, at) => {
    const [east, north] = place(at * 25)
    const side = at % 2 === 0 ? 20 : -20
    const address = `${100 + at} ${name}${at % 5 === 0 ? ' APT 2' : ''}`
    return { at: [east * METER, (north + side) * METER] as const, address }
  })
}

test('a straight street is one line in the middle of its houses, a bent one has pieces', () => {
  const straight = findStreets(houses('OAK ST', 20, (far) => [far, 0]))
  assert.equal(straight.length, 1)
  assert.equal(straight[0]?.name, 'OAK ST')
  const [, south = 1, , north = 1] = straight[0]?.line ?? []
  assert.ok(Math.abs(south) < 6 * METER && Math.abs(north) < 6 * METER)
  const bent = findStreets(
    houses('ELM ST', 60, (far) => [Math.min(far, 700), Math.max(0, far - 700)]),
  )
  assert.ok(bent.length >= 2)
  assert.deepEqual(new Set(bent.map(({ name }) => name)), new Set(['ELM ST']))
})

test('two houses, and addresses without a number, make no street', () => {
  assert.deepEqual(findStreets(houses('OAK ST', 2, (far) => [far, 0])), [])
  const none = houses('OAK ST', 9, (far) => [far, 0]).map((one) => ({ ...one, address: 'OAK ST' }))
  assert.deepEqual(findStreets(none), [])
  assert.deepEqual(findStreets([]), [])
})
