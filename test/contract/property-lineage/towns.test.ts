/** Retired IDs where towns number their own parcels. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NOON, startService } from '../../service.ts'
import { writeTownMapping } from '../parcel-id-lookup/roll.ts'
import { makeRoll } from '../rolls.ts'

const service = await startService('')
after(() => service.close())
const mapping = writeTownMapping(service.config.data)

type Lot = [town: string, parcelId: string, address: string]
let year = 2020
async function load(...lots: Lot[]): Promise<void> {
  year += 1
  const rows = lots.map(([municipality, parcelId, address]) => ({
    ...{ state: 'MA', county: 'Hampshire', municipality, parcelId, address },
    sourceRollYear: year,
  }))
  const at = NOON + year * 86_400_000
  await service.importRoll(makeRoll(rows), { mapping, force: true, renumbered: false, at })
}

async function look(query: Record<string, string>) {
  const { status, headers, body } = await service.get('/public/property/parcelId/', query)
  if (status !== 200) return status
  const { propertyIdentification: found } = body.property
  return `${found.propertyId} ${headers.get('x-match')}`
}

await load(
  ['EAST BROOK', '10-1', '1 OAK ST'],
  ['EAST BROOK', '10-2', '2 OAK ST'],
  ['WESTBROOK', '10-1', '3 ELM ST'],
  ['WESTBROOK', '10-2', '4 ELM ST'],
)
await load(
  ['EAST BROOK', '20-7', '1 OAK ST'],
  ['EAST BROOK', '10-2', '2 OAK ST'],
  ['WESTBROOK', '30-9', '3 ELM ST'],
  ['WESTBROOK', '10-2', '4 ELM ST'],
)

test("a town's retired ID finds the parcel that its own town made of it", async () => {
  assert.equal(
    await look({ propertyId: '25015-EAST-BROOK-10-1' }),
    '25015-EAST BROOK-20-7 successor',
  )
  assert.equal(await look({ propertyId: '25015-westbrook-101' }), '25015-WESTBROOK-30-9 successor')
})

test('an ID that two towns have retired names neither; another town has none', async () => {
  assert.equal(await look({ state: 'MA', county: 'Hampshire', parcelId: '10-1' }), 404)
  assert.equal(await look({ propertyId: '25015-NORTHBROOK-10-1' }), 404)
  assert.equal(await look({ propertyId: '25015-WESTBROOK-20-7' }), 404)
})
