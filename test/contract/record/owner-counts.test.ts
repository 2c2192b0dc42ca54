/** Flat records have the number of parcels that their owner has in the state. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const OWNER = 'VAREK, MARA JUNE'
const service = await startService(
  makeRoll([
    { parcelId: 'A', ownerName1: OWNER, residential: 'true' },
    { parcelId: 'B', ownerName1: OWNER, county: 'Milwaukee', residential: 'false' },
    { parcelId: 'C', ownerName1: 'VAREK, OTIS', residential: 'true' },
    { parcelId: 'D' },
  ]),
)
after(() => service.close())

async function countsOf(propertyId: string, responseShape: 'flat' | 'nested' = 'flat') {
  const key = await service.keyFor({ responseShape })
  const { body } = await service.get('/public/property/parcelId/', { propertyId }, { key })
  const { ownerParcelCount, ownerResCount, ownerComCount } = body.property
  return [ownerParcelCount, ownerResCount, ownerComCount]
}

test('all parcels of the owner, the residential ones and the others, in every county', async () => {
  assert.deepEqual(await countsOf('55025-A'), [2, 1, 1])
  assert.deepEqual(await countsOf('55079-B'), [2, 1, 1])
  assert.deepEqual(await countsOf('55025-C'), [1, 1, 0])
})

test('null where nobody is named; the nested layout does not have them', async () => {
  assert.deepEqual(await countsOf('55025-D'), [null, null, null])
  assert.deepEqual(await countsOf('55025-A', 'nested'), [undefined, undefined, undefined])
})

test('lists and address lookups have the same counts', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  const query = { state: 'WI', lastName: 'Varek', firstName: 'Mara' }
  const { body } = await service.get('/public/premium/owner/', query, { key })
  const counts = body.properties.map((one: { ownerParcelCount: number }) => one.ownerParcelCount)
  assert.deepEqual(counts, [2, 2])
})
