/** The history of a parcel in the console: values, owners, and where it came from. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, type RunningConsole, startTestConsole } from './running-console.ts'

const HEAD = 'state,county,parcelId,ownerName1,address,totalAssessedValue,sourceRollYear\n'
const row = (id: string, owner: string, value: number, year: number) =>
  `WI,Dane,${id},${owner},12 OAK ST,${value},${year}\n`

let console: RunningConsole
let vera: Person
before(async () => {
  console = await startTestConsole(HEAD + row('D-1', 'HOLLIN PETRA', 1000, 2023))
  const load = (csv: string) => console.service.importRoll(csv, { force: true })
  await load(HEAD + row('D-1', 'GARCIA MARCOS', 3000, 2024))
  await load(HEAD + row('D-2', 'GARCIA MARCOS', 4000, 2025))
  await console.makeOperator('vera', 'viewer')
  vera = await console.signIn('vera')
})
after(() => console.close())

const textOf = async (path: string) => (await vera.get(path)).text()

test('a parcel links to its history, which has values, owners and lineage', async () => {
  const parcel = await textOf('/parcel?county=55025&parcelId=D-2')
  assert.match(parcel, /href="\/parcel\/history\?propertyId=55025-D-2"/)
  const page = await textOf('/parcel/history?propertyId=55025-D-1')
  assert.match(page, /<polyline/)
  assert.match(page, />\$0<[\s\S]*>\$4k</)
  assert.match(page, /HOLLIN PETRA[\s\S]*\$1,000/)
  assert.match(page, /GARCIA MARCOS[\s\S]*\$3,000/)
  assert.match(page, /is now\s+<a href="\/parcel\/history\?propertyId=55025-D-2"/)
  const later = await textOf('/parcel/history?propertyId=55025-D-2')
  assert.match(later, /was\s+<a href="\/parcel\/history\?propertyId=55025-D-1"/)
})

test('the map compares values with the roll before, named by its year', async () => {
  const classes = await (await vera.get('/classes.json?county=55025')).json()
  assert.equal((classes as { lastYear: string }).lastYear, '2024')
})

test('an unknown parcel is not found', async () => {
  assert.equal((await vera.get('/parcel/history?propertyId=55025-NONE')).status, 404)
})
