/**
 * States and counties as callers write them, through the real service:
 * docs/decisions/counties-and-states.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../service.ts'
import { makeRoll } from './rolls.ts'

/** State, county code, and what callers write for it. */
const COUNTIES: [string, string, string[]][] = [
  ['MD', '24005', ['Baltimore', 'Baltimore County', 'BALTIMORE CO', '005']],
  ['MD', '24510', ['Baltimore city', 'Baltimore City', '510', '24510']],
  ['MO', '29189', ['St. Louis', 'St Louis', 'Saint Louis County', 'SAINT LOUIS']],
  ['MO', '29510', ['St. Louis city', 'Saint Louis City']],
  ['VA', '51059', ['Fairfax', 'Fairfax County']],
  ['VA', '51600', ['Fairfax city']],
  ['VA', '51161', ['Roanoke']],
  ['VA', '51770', ['Roanoke City']],
  ['VA', '51159', ['Richmond', 'Richmond County']],
  ['VA', '51760', ['Richmond city']],
  ['VA', '51067', ['Franklin']],
  ['VA', '51620', ['Franklin city']],
  ['VA', '51019', ['Bedford', 'Bedford County']],
  ['VA', '51095', ['James City', 'James City County']],
  ['VA', '51036', ['Charles City']],
  ['NV', '32510', ['Carson City']],
  ['IL', '17037', ['DeKalb', 'De Kalb', 'DEKALB', 'de kalb county']],
  ['IL', '17099', ['LaSalle', 'La Salle']],
  ['NM', '35013', ['Doña Ana', 'Dona Ana', 'DONA ANA COUNTY']],
  ['LA', '22087', ['St. Bernard', 'Saint Bernard Parish', 'ST BERNARD PARISH']],
  ['MO', '29186', ['Ste. Genevieve', 'Sainte Genevieve']],
  ['AK', '02110', ['Juneau', 'Juneau City and Borough']],
  ['AK', '02090', ['Fairbanks North Star', 'Fairbanks North Star Borough']],
  ['AK', '02198', ['Prince of Wales-Hyder', 'Prince of Wales Hyder Census Area']],
  ['PR', '72127', ['San Juan', 'San Juan Municipio']],
  ['NY', '36061', ['New York', 'Manhattan', 'NEW YORK COUNTY', '061']],
  ['NY', '36047', ['Kings', 'Brooklyn']],
  ['NY', '36085', ['Richmond', 'Staten Island']],
  ['FL', '12086', ['Miami-Dade', 'Miami Dade', 'Dade', 'DADE COUNTY']],
  ['MD', '24033', ["Prince George's", 'Prince Georges', 'PRINCE GEORGE’S COUNTY']],
  ['DC', '11001', ['District of Columbia']],
]

const service = await startService(
  makeRoll(
    COUNTIES.map(([state, county]) => ({
      ...{ state, county, parcelId: '1', address: '1 MAIN ST', ownerName1: 'VAREK, MARA' },
    })),
  ),
)
after(() => service.close())

for (const [state, fips, names] of COUNTIES) {
  for (const county of [...names, fips]) {
    test(`${state} ${county} is ${fips}`, async () => {
      const query = { state: state.toLowerCase(), county, parcelId: '1' }
      const { status, body } = await service.get('/public/property/parcelId/', query)
      assert.equal(status, 200)
      const { fipsState, fipsCounty } = body.property.propertyIdentification
      assert.equal(fipsState + fipsCounty, fips)
    })
  }
}

test('every operation with a county reads it alike', async () => {
  const place = { state: 'FL', county: 'dade' }
  const address = await service.get('/public/property/address/', { ...place, address: '1 Main St' })
  const owner = await service.get('/public/premium/owner/', { ...place, lastName: 'Varek' })
  const search = await service.get('/public/property/search/', place)
  const codes = [address.body.property, owner.body.properties[0], search.body.properties[0]].map(
    ({ propertyIdentification: { fipsState, fipsCounty } }) => fipsState + fipsCounty,
  )
  assert.deepEqual(codes, ['12086', '12086', '12086'])
})

for (const [state, county] of [
  ['MD', '24006'],
  ['MD', '51059'],
  ['VA', 'Nowhere'],
  ['VA', 'Fairfax Borough City'],
  ['IL', 'Dade'],
] as const) {
  test(`${state} ${county} is not a county of the state: 404`, async () => {
    const query = { state, county, parcelId: '1' }
    assert.equal((await service.get('/public/property/parcelId/', query)).status, 404)
  })
}
