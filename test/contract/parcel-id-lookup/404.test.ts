/** `GET /public/property/parcelId/` answers 404: docs/decisions/lookups.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { PARCELS, PATH } from './roll.ts'

const service = await startService(PARCELS)
after(() => service.close())

const nothing: [string, Record<string, string>][] = [
  ['a parcel ID that nobody has', { parcelId: '999' }],
  ['the beginning of one', { parcelId: '0709-123' }],
  ['a form without punctuation that names several', { parcelId: '1234' }],
  ['a form without punctuation that names several, otherwise cut', { parcelId: '123-4' }],
  ['an ID without a letter or digit', { parcelId: '---' }],
  ['an alternate ID without its punctuation', { parcelId: 'OLD7' }],
  ['an unrecognized county', { parcelId: '12-34', county: 'Nowhere' }],
  ['a county of another state', { parcelId: '12-34', county: 'Cook' }],
  ['another county', { parcelId: '12-34', county: 'Milwaukee' }],
  ['a county that is not loaded', { parcelId: '12-34', county: 'Brown' }],
]

for (const [what, query] of nothing) {
  test(`${what} is 404`, async () => {
    const asked = { state: 'WI', county: 'Dane', ...query }
    const { status, body } = await service.get(PATH, asked)
    assert.deepEqual([status, body], [404, { error: 'Property not found' }])
  })
}

const unknown = ['55025-nobody', '99999-12', '12-34', '55025', '25025-EASTBROOK-10-1', '-']
for (const propertyId of unknown) {
  test(`the property ID ${propertyId} is 404`, async () => {
    const { status, body } = await service.get(PATH, { propertyId })
    assert.deepEqual([status, body], [404, { error: 'Property not found' }])
  })
}

test('a property ID of another state than the asked one is 404', async () => {
  const { status } = await service.get(PATH, { state: 'IL', propertyId: '55025-12-34' })
  assert.equal(status, 404)
})

for (const county of ['Milwaukee', '55079', 'Nowhere']) {
  test(`a property ID of another county than ${county} is 404`, async () => {
    const { status } = await service.get(PATH, { propertyId: '55025-12-34', county })
    assert.equal(status, 404)
  })
}
