import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rollsPlace } from '../../../src/store/data-folder.ts'
import { openEraser, openHistory } from '../../../src/store/open-rolls.ts'
import { NOON, startService } from '../../service.ts'

const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,sourceRollYear,totalAssessedValue\n'
const row = (id: string, owner: string, year: number, value = 1000) =>
  `WI,Dane,${id},"${owner}",last-first,${id.length} MAIN ST,${year},${value}\n`

const service = await startService(
  HEAD +
    row('1', 'QUILLON, MARA', 2022) +
    row('2', 'QUILLON, MARA', 2022) +
    row('3', 'ROE, JO', 2022),
)
after(() => service.close())
const DAY = 86_400_000
await service.importRoll(
  HEAD + row('1', 'ROE, JANE', 2023, 2000) + row('2', 'QUILLON, MARA', 2023),
  { force: true, at: NOON + DAY },
)
await service.importRoll(
  HEAD +
    row('1', 'ROE, JANE', 2024, 3000) +
    row('2', 'QUILLON, MARA', 2024) +
    row('3', 'DOE, ANN', 2024) +
    row('4', 'DOE, ANN', 2024),
  { force: true, at: NOON + 2 * DAY },
)

const ask = async (query: Record<string, string | number>) => {
  const { status, body } = await service.get('/public/property/history/', query)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
type Version = { from: string; to: string | null; what: string; rollYear: number; import: number }
type Change = { at: string; field: string; from: unknown; to: unknown }
const spans = (body: { versions: Version[] }) =>
  body.versions.map(({ from, to, what }) => [from, to, what])

test('lists versions newest first with the rolls that began and ended them', async () => {
  const body = await ask({ propertyId: '55025-1' })
  assert.deepEqual(spans(body), [
    ['2024-01-01', null, 'changed'],
    ['2023-01-01', '2024-01-01', 'changed'],
    ['2022-01-01', '2023-01-01', 'loaded'],
  ])
  assert.deepEqual(
    body.versions.map((one: Version) => [one.rollYear, one.import]),
    [
      [2024, 3],
      [2023, 2],
      [2022, 1],
    ],
  )
  assert.equal(body.metadata.since, '2022-01-01')
})

test('lists the fields that changed with both values', async () => {
  const body = await ask({ propertyId: '55025-1', fields: 'ownerName,totalAssessedValue' })
  assert.deepEqual(
    body.changes.map(({ at, field, from, to }: Change) => [at, field, from, to]),
    [
      ['2024-01-01', 'totalAssessedValue', 2000, 3000],
      ['2023-01-01', 'ownerName', 'QUILLON, MARA', 'ROE, JANE'],
      ['2023-01-01', 'totalAssessedValue', 1000, 2000],
    ],
  )
  const owner = await ask({ propertyId: '55025-1', fields: 'owner' })
  assert.ok(owner.changes.length > 0)
  assert.ok(owner.changes.every(({ at }: Change) => at === '2023-01-01'))
})

test('a parcel that was removed and came back shows both', async () => {
  assert.deepEqual(spans(await ask({ state: 'WI', county: 'Dane', parcelId: '3' })), [
    ['2024-01-01', null, 'returned'],
    ['2023-01-01', '2024-01-01', 'removed'],
    ['2022-01-01', '2023-01-01', 'loaded'],
  ])
})

test('a parcel of a later roll begins with it', async () => {
  assert.deepEqual(spans(await ask({ propertyId: '55025-4' })), [['2024-01-01', null, 'loaded']])
})

test('records are as their own roll had them, without values kept from other years', async () => {
  const body = await ask({ propertyId: '55025-1', records: 'true' })
  const [newest, middle] = body.versions.map(({ record }: { record: unknown }) => record)
  assert.equal(JSON.stringify(middle).includes('3000'), false)
  assert.equal(JSON.stringify(newest).includes('2000'), false)
  assert.match(JSON.stringify(middle), /ROE, JANE/)
  const now = await service.get('/public/property/parcelId/', { propertyId: '55025-1' })
  assert.match(now.text, /2000/)
})

test('a removed parcel is found by its ID, an unknown one is 404, a wrong field 400', async () => {
  const gone = await service.importRoll(HEAD + row('1', 'ROE, JANE', 2025, 3000), {
    force: true,
    at: NOON + 3 * DAY,
  })
  assert.equal(gone.removed, 3)
  const body = await ask({ propertyId: '55025-2', records: 'true' })
  assert.deepEqual(spans(body)[0], ['2025-01-01', null, 'removed'])
  assert.match(JSON.stringify(body), /QUILLON/)
  const none = await service.get('/public/property/history/', { propertyId: '55025-9' })
  assert.equal(none.status, 404)
  const wrong = await service.get('/public/property/history/', {
    propertyId: '55025-1',
    fields: 'owner,legalDesk',
  })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.error, /^fields has no field or group legalDesk; did you mean legalDesc/)
  for (const fields of ['legalDesc', 'legalDescription', 'owner, legalDesc']) {
    const flat = await service.get('/public/property/history/', { propertyId: '55025-1', fields })
    assert.equal(flat.status, 200, fields)
  }
  assert.equal((await service.get('/public/property/history/', {})).status, 400)
})

test('an undo forgets what its import made', async () => {
  const place = rollsPlace({
    dataDir: service.config.data,
    databaseUrl: service.config.databaseUrl,
  })
  const history = await openHistory(service.config)
  const [newest] = await history.list()
  await history.close()
  const eraser = await openEraser(place)
  assert.ok(newest)
  await eraser.undo(newest, NOON / 1000 + 400_000)
  await eraser.close()
  assert.deepEqual(spans(await ask({ propertyId: '55025-2' })), [
    ['2024-01-01', null, 'changed'],
    ['2023-01-01', '2024-01-01', 'changed'],
    ['2022-01-01', '2023-01-01', 'loaded'],
  ])
  const back = await openEraser(place)
  const scope = { state: 'WI', fips: 55025, municipality: '' }
  assert.ok((await back.prune([scope], Date.UTC(2023, 5, 1) / DAY)) > 0)
  assert.deepEqual(spans(await ask({ propertyId: '55025-1' })), [
    ['2024-01-01', null, 'changed'],
    ['2023-01-01', '2024-01-01', 'loaded'],
  ])
  await back.unload([scope], NOON / 1000 + 500_000)
  await back.close()
  const { status } = await service.get('/public/property/history/', { propertyId: '55025-1' })
  assert.equal(status, 404)
})
