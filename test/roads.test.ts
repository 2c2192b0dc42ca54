/** Both roads of the house from end to end: a small county file in, four answers out. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startService } from './service.ts'

const roll = readFileSync(new URL('fixtures/rolls/roads.csv', import.meta.url), 'utf8')
const service = await startService('')
after(() => service.close())
const report = await service.importRoll(roll)

test('the file: six rows, three parcels, one repeated, one blank, one rejected', () => {
  const { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected } = report
  assert.deepEqual(
    { rows, loaded, updated, unchanged, removed, duplicates, skipped, rejected },
    {
      rows: 6,
      loaded: 3,
      updated: 0,
      unchanged: 0,
      removed: 0,
      duplicates: 1,
      skipped: 1,
      rejected: 1,
    },
  )
  assert.deepEqual(report.counties, ['55025'])
})

test('the same record by address, by parcel ID, by owner and by search', async () => {
  const byAddress = await service.get('/public/property/address/', {
    state: 'WI',
    address: '12 n. mill pond rd',
  })
  const byId = await service.get('/public/property/parcelId/', {
    state: 'WI',
    county: 'Dane',
    parcelId: '0701001',
  })
  const byOwner = await service.get('/public/premium/owner/', {
    state: 'WI',
    lastName: 'quillon',
    firstName: 'theo',
  })
  const search = await service.get('/public/property/search/', {
    state: 'WI',
    zipCode: '53799',
    limit: 1,
    cursor: '',
  })
  const record = byAddress.body.property
  assert.deepEqual(byId.body, { property: record })
  assert.deepEqual(byOwner.body.properties, [record])
  assert.equal(search.body.metadata.count, 1)
  assert.equal(byId.headers.get('x-match'), 'normalized')
  assert.equal(byOwner.headers.get('x-tokens-charged'), '1')

  const { propertyIdentification: identity, propertyLocation: location } = record
  assert.equal(identity.propertyId, '55025-0701-001')
  assert.equal(identity.currentOwner.ownerName, 'VAREK MARA Q')
  assert.equal(identity.currentOwner.ownerName2, 'QUILLON THEO')
  assert.equal(location.address, '12 N MILL POND RD')
  assert.equal(location.addressFull, '12 N MILL POND RD, EASTBROOK, WI 53799')
  assert.equal(record.valuationInformation.totalAssessedValue, 210000)
  assert.equal(record.source.rollYear, 2025)
})

test('the pages of the search hold every parcel that has an address, each once', async () => {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = { state: 'WI', county: 'Dane', limit: 1, cursor }
    const { body } = await service.get('/public/property/search/', query)
    ids.push(...body.properties.map((property: { id: string }) => property.id))
    cursor = body.metadata.nextCursor
  }
  assert.equal(ids.length, 2)
})

test('the same file again changes nothing', async () => {
  const again = await service.importRoll(roll)
  assert.deepEqual([again.loaded, again.updated, again.unchanged, again.removed], [0, 0, 3, 0])
})
