/** Requests of every operation, made from a generated roll, for tests that compare two services. */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { tileAt } from '../../src/geo/tile.ts'
import { makeRequests } from './requests.ts'

type Row = Record<string, string>
export type AnyRequest = { path: string; query: Record<string, string>; body?: string }

/**
 * Requests after parcels of a roll: half of them lookups and searches of `makeRequests`, the others
 * places, shapes, tiles, sales, portfolios, changes, coverage, usage and batches. The same ones
 * each time.
 */
export function makeEveryRequest(roll: string, count: number): AnyRequest[] {
  const rows: Row[] = parse(roll, { columns: true })
  const others = fc.sample(otherRequest(rows), { numRuns: Math.ceil(count / 2), seed: 8 })
  return [...makeRequests(roll, Math.floor(count / 2)), ...others]
}

function otherRequest(rows: Row[]): fc.Arbitrary<AnyRequest> {
  const row = fc.constantFrom(...rows)
  const pair = fc.tuple(row, row)
  return fc.oneof(
    { weight: 3, arbitrary: row.chain(locationRequest) },
    { weight: 2, arbitrary: row.chain(pointRequest) },
    { weight: 3, arbitrary: row.chain(shapeRequest) },
    { weight: 6, arbitrary: row.chain(questionRequest) },
    { weight: 2, arbitrary: row.chain(abutterRequest) },
    { weight: 3, arbitrary: row.chain(tileRequest) },
    { weight: 2, arbitrary: row.chain(comparableRequest) },
    { weight: 2, arbitrary: row.chain(portfolioRequest) },
    { weight: 2, arbitrary: row.chain(changesRequest) },
    { weight: 1, arbitrary: row.chain(coverageRequest) },
    { weight: 1, arbitrary: row.chain(ratioRequest) },
    { weight: 1, arbitrary: fc.constant({ path: '/public/tiles.json/', query: {} }) },
    { weight: 1, arbitrary: pair.chain(batchRequest) },
  )
}

/** Of a row, or moved by up to a hundredth of a degree. */
function placeOf({ latitude = '', longitude = '' }: Row) {
  const moved = (text: string) =>
    fc.constantFrom(0, 0, 0.0001, -0.001, 0.01).map((by) => (Number(text) + by).toFixed(6))
  return fc.record({ latitude: moved(latitude), longitude: moved(longitude) })
}

function subjectOf({ state = '', county = '', parcelId = '' }: Row) {
  return { state, county, parcelId }
}

function ask(path: string, query: fc.Arbitrary<Row>): fc.Arbitrary<AnyRequest> {
  return query.map((values) => ({ path, query: values }))
}

/** Some of the given parameters beside those that are needed. */
function beside(needed: fc.Arbitrary<Row>, values: Record<string, fc.Arbitrary<string>>) {
  const more = fc.record(values, { requiredKeys: [] })
  return fc.tuple(needed, more).map(([one, other]): Row => ({ ...one, ...(other as Row) }))
}

const limit = fc.constantFrom('1', '7', '100')

function locationRequest(row: Row) {
  const filters = {
    ...{ limit, radius: fc.constantFrom('0.1', '0.5', '2'), offset: fc.constantFrom('3', '40') },
    ...{ state: fc.constant(row.state ?? ''), useCode: fc.constant(row.useCode ?? '') },
    ...{ residential: fc.constantFrom('true', 'false'), cursor: fc.constant('') },
  }
  return ask('/public/property/location/', beside(placeOf(row), filters))
}

/** Filters of facts, orders and counts, in a state or near a place. */
function questionRequest(row: Row) {
  const filters = {
    ...{ limit, county: fc.constant(row.county ?? '') },
    acresMin: fc.constantFrom('0.1', '1', '20'),
    sqftMax: fc.constantFrom('1500', '4000'),
    marketValueMin: fc.constant(row.totalMarketValue || '1'),
    saleDateFrom: fc.constantFrom('2005-01-01', '2019-06-30'),
    ownerType: fc.constantFrom('company,trust', 'individual', 'government'),
    outOfStateOwner: fc.constantFrom('true', 'false'),
    zoningCode: fc.constant(row.zoningCode ?? ''),
    sort: fc.constantFrom('id', '-id', 'acres', '-salePrice', 'saleDate', '-sqft', '-marketValue'),
    includeTotal: fc.constantFrom('true', 'false'),
    countOnly: fc.constantFrom('false', 'false', 'true'),
    cursor: fc.constant(''),
  }
  const state = fc.constant({ state: row.state ?? '' })
  const [x, y] = [Number(row.longitude), Number(row.latitude)]
  const box = [x - 0.02, y - 0.02, x + 0.02, y + 0.02].map((at) => at.toFixed(6)).join(',')
  const groups = fc.constantFrom('owner', 'city', 'county,ownerType', 'yearBuiltDecade,city')
  const sums = { measure: fc.constantFrom('sumAcres', 'medianMarketValue,ownerOccupiedShare') }
  const summed = fc.tuple(state, groups).map(([one, groupBy]): Row => ({ ...one, groupBy }))
  const begun = fc.constantFrom(
    ...[row.address, row.city, row.subdivision].map((text = '') => text),
  )
  const typed = fc
    .tuple(state, begun, fc.integer({ min: 2, max: 9 }))
    .map(([one, text, length]): Row => ({ ...one, q: `${text}  `.slice(0, length) }))
  return fc.oneof(
    ask(
      '/public/property/summary/',
      beside(summed, { ...sums, acresMin: filters.acresMin, bbox: fc.constant(box) }),
    ),
    ask('/public/suggest/', typed),
    ask('/public/premium/network/', fc.constant(subjectOf(row))),
    ask('/public/property/search/', beside(state, filters)),
    ask('/public/property/location/', beside(placeOf(row), filters)).map(needState(row)),
  )
}

/** A county needs its state. */
const needState = (row: Row) => (request: AnyRequest) => ({
  ...request,
  query: { ...request.query, state: row.state ?? '' },
})

function pointRequest(row: Row) {
  const tolerance = fc.constantFrom('5', '100')
  return ask('/public/property/point/', beside(placeOf(row), { tolerance, limit }))
}

function shapeRequest(row: Row) {
  const box = fc.tuple(placeOf(row), fc.constantFrom(0.0005, 0.004, 0.05)).map(([place, by]) => {
    const [x, y] = [Number(place.longitude), Number(place.latitude)]
    return { bbox: [x - by, y - by, x + by, y + by].map((at) => at.toFixed(6)).join(',') }
  })
  const filters = { limit, cursor: fc.constant(''), state: fc.constantFrom(row.state ?? '', 'WI') }
  return ask('/public/property/shape/', beside(box, filters))
}

function abutterRequest(row: Row) {
  const distance = fc.constantFrom('0', '50', '1000')
  const format = fc.constantFrom('records', 'labels')
  return ask(
    '/public/property/abutters/',
    beside(fc.constant(subjectOf(row)), { distance, format }),
  )
}

function tileRequest({ longitude, latitude }: Row): fc.Arbitrary<AnyRequest> {
  return fc.constantFrom(2, 5, 9, 13, 14, 16, 18).map((zoom) => {
    const { x, y } = tileAt([Number(longitude), Number(latitude)], zoom)
    return { path: `/public/tiles/${zoom}/${x}/${y}/`, query: {} }
  })
}

function comparableRequest(row: Row) {
  const about = fc.oneof(fc.constant(subjectOf(row)), placeOf(row))
  const estimate = fc.constantFrom('true', 'false')
  const radius = fc.constantFrom('0.5', '10')
  const timeFrame = fc.constantFrom('6', '60')
  const propertyType = fc.constantFrom('house', 'condo')
  const more = { estimate, explain: estimate, radius, timeFrame, propertyType }
  return ask('/public/premium/comparables/', beside(about, more))
}

function portfolioRequest(row: Row) {
  const scope = fc.constantFrom('county', 'state')
  const countOnly = fc.constantFrom('true', 'false')
  const more = { scope, countOnly, explain: countOnly, limit }
  return ask('/public/premium/portfolio/', beside(fc.constant(subjectOf(row)), more))
}

function changesRequest({ state = '', county = '' }: Row) {
  const more = { limit, county: fc.constant(county), groups: fc.constantFrom('owner', 'value') }
  return ask('/public/changes/', beside(fc.constant({ state }), more))
}

function coverageRequest({ state = '', county = '' }: Row) {
  const queries = [{}, { state }, { state, county }] as Row[]
  return ask('/public/coverage/', fc.constantFrom(...queries))
}

function ratioRequest({ state = '', county = '' }: Row) {
  const basis = fc.constantFrom('market', 'assessed')
  const groupBy = fc.constantFrom('useStandardCode', 'priceQuartile', 'municipality')
  const from = fc.constantFrom('1990-01-01', '2024-01-01')
  return ask('/public/ratios/', beside(fc.constant({ state, county }), { basis, groupBy, from }))
}

function batchRequest(pair: [Row, Row]): fc.Arbitrary<AnyRequest> {
  const rows = pair.flatMap((row, at) => [
    { id: `${at} id`, ...subjectOf(row) },
    { id: `${at} address`, state: row.state, address: row.address },
    { id: `${at} point`, latitude: row.latitude, longitude: row.longitude },
  ])
  return fc.constant({ path: '/public/batch/', query: {}, body: JSON.stringify(rows) })
}
