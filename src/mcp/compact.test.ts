/** Answers for a model have at most 6,000 characters of records, and say what was left out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactAnswer } from './compact.ts'

type Json = Record<string, unknown>

const times = (count: number, make: (at: number) => Json) =>
  Array.from({ length: count }, (_, at) => make(at))
const record = (at: number, more: Json = {}): Json => ({
  ...{ _id: `${at}`, propertyId: `55025-${at}`, parcelId: `${at}`, address: `${at} ELM ST` },
  ...{
    addressFull: `${at} ELM ST, MADISON, WI 53703`,
    addressFullUSPS: 'no',
    acres: 2,
    deedAcres: 3,
  },
  ...more,
})
const lengthOf = (value: unknown) => JSON.stringify(value).length

test('records of a list have their main fields, each under its first name', () => {
  const { properties, leftOut } = compactAnswer({ properties: [record(1)] }, false)
  assert.deepEqual(properties, [
    { propertyId: '55025-1', parcelId: '1', addressFull: '1 ELM ST, MADISON, WI 53703', acres: 2 },
  ])
  assert.match(String(leftOut), /its main fields/)
})

test('long records of a list have ID and address', () => {
  const long = times(10, (at) => record(at, { ownerName1: 'PELLAM '.repeat(100) }))
  const { properties, leftOut } = compactAnswer({ properties: long }, false)
  assert.deepEqual((properties as Json[])[3], {
    ...{ propertyId: '55025-3', addressFull: '3 ELM ST, MADISON, WI 53703' },
  })
  assert.match(String(leftOut), /its ID and address/)
})

test('chosen fields are shown of as many records as fit', () => {
  const long = times(10, (at) => record(at, { legalDesc: 'LOT '.repeat(200) }))
  const shown = compactAnswer({ properties: long }, true)
  assert.ok(lengthOf(shown) <= 6000, String(lengthOf(shown)))
  const properties = shown.properties as Json[]
  assert.equal(properties.length, 10)
  assert.deepEqual([properties[0], properties[9]?.legalDesc], [long[0], undefined])
  assert.match(String(shown.leftOut), /^Of the last 5 records only ID and address fit/)
})

test('chosen fields that fit are shown of all records', () => {
  const answer = { properties: times(10, (at) => record(at)) }
  assert.deepEqual(compactAnswer(answer, true), answer)
})

test('a long network has its nearest nodes with their edges', () => {
  const nodes = times(150, (at) => ({
    ...{ id: `owner-${at}`, kind: 'owner', label: `OWNER ${at} LLC`, parcels: 10 },
    properties: times(10, (place) => ({ place })).map(({ place }) => `55025-${at}-${place}`),
  }))
  const edges = times(149, (at) => ({ from: `owner-${at}`, to: `owner-${at + 1}`, weight: 1 }))
  const shown = compactAnswer({ nodes, edges, metadata: { complete: true } }, false)
  assert.ok(lengthOf(shown) <= 6000, String(lengthOf(shown)))
  const [kept, joined] = [shown.nodes as Json[], shown.edges as Json[]]
  assert.deepEqual([kept[0]?.id, joined.length], ['owner-0', kept.length - 1])
  assert.match(String(shown.leftOut), new RegExp(`and ${150 - kept.length} further nodes`))
})

test('a short network is whole', () => {
  const answer = { nodes: [{ id: 'owner-1', properties: ['a', 'b', 'c'] }], edges: [] }
  assert.deepEqual(compactAnswer(answer, false), answer)
})
