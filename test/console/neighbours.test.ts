/** The neighbours of a parcel in the console, for an office that must notify them by mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, type RunningConsole, startTestConsole } from './running-console.ts'

const [WEST, SOUTH] = [-89.4, 43.07]

/** A lot of 0.001 degrees on a side, so many lots to the east. */
function lot(parcelId: string, east: number, owner: string) {
  const at = (x: number, y: number) => [WEST + (east + x) / 1000, SOUTH + y / 1000]
  return {
    type: 'Feature',
    properties: {
      ...{ state: 'WI', county: 'Dane', parcelId, ownerName1: owner, nameOrder: 'last-first' },
      ...{ address: `${10 + east} OAK ST`, ownerAddressLine1: '7 ELM ST', ownerCity: 'MADISON' },
      ...{ ownerState: 'WI', ownerZipCode: '53703' },
    },
    geometry: {
      type: 'Polygon',
      coordinates: [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]],
    },
  }
}

const ROLL = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    lot('1', 0, 'HOLLIN, PETRA'),
    lot('2', 1, 'GARCIA, MARCOS'),
    lot('3', 2, 'GARCIA, MARCOS'),
    lot('4', 9, 'PRENTLEY, RUTH'),
  ],
})

let console: RunningConsole
let vera: Person
before(async () => {
  console = await startTestConsole('')
  await console.service.importRoll(ROLL, { force: true, name: 'roll.geojson', geometry: true })
  await console.makeOperator('vera', 'viewer')
  vera = await console.signIn('vera')
})
after(() => console.close())

const textOf = async (path: string) => (await vera.get(path)).text()

test('neighbours are those that touch, or those within a distance that is chosen', async () => {
  const touching = await textOf('/parcel/neighbours?propertyId=55025-1')
  assert.match(touching, /11 OAK ST/)
  assert.doesNotMatch(touching, /12 OAK ST/)
  const near = await textOf('/parcel/neighbours?propertyId=55025-1&distance=500')
  assert.match(near, /12 OAK ST/)
  assert.match(near, /<option value="500" selected>/)
  assert.doesNotMatch(near, /19 OAK ST/)
  const odd = await textOf('/parcel/neighbours?propertyId=55025-1&distance=%3Cb%3E')
  assert.match(odd, /<option value="0" selected>/)
})

test('their labels are a CSV, one for each owner and mailing address', async () => {
  const page = await textOf('/parcel/neighbours?propertyId=55025-1&distance=500')
  const path = /href="(\/parcel\/labels\.csv[^"]*)"/.exec(page)?.[1]?.replaceAll('&#38;', '&')
  const answer = await vera.get(path ?? '')
  assert.match(answer.headers.get('content-type') ?? '', /text\/csv/)
  const lines = (await answer.text()).trimEnd().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(
    lines[0] ?? '',
    /^ownerName,ownerStreet,ownerCity,ownerState,ownerZipCode,propertyIds$/,
  )
  assert.match(lines[1] ?? '', /GARCIA.*7 ELM ST,MADISON,WI,53703,55025-2 55025-3$/)
})

test('a parcel without neighbours offers no labels, and an unknown one is not found', async () => {
  assert.doesNotMatch(await textOf('/parcel/neighbours?propertyId=55025-4'), /labels\.csv/)
  assert.equal((await vera.get('/parcel/labels.csv?propertyId=55025-NONE')).status, 404)
})
