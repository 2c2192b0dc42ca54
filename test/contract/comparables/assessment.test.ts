/** `basis=assessment`: parcels like the subject. A roll of its own, with assessed values. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { parcelIds } from '../look.ts'
import { makeRoll, type Row, times } from '../rolls.ts'
import { PATH } from './roll.ts'

const house = (parcelId: string, at: number, more: Row = {}): Row => ({
  parcelId,
  address: `${at} OAK ST`,
  latitude: 43.07 + at * 0.0001,
  longitude: -89.4,
  useCode: '1001',
  buildingArea: 1500,
  yearBuilt: 1990,
  acres: 0.25,
  totalAssessedValue: 150_000 + at * 1500,
  ...more,
})

/** 101 to 130 dollars a square foot; the subject is at 120. */
const service = await startService(
  makeRoll([
    ...times(30, (at) => house(`H${at}`, at)),
    house('SUBJECT', 0, { totalAssessedValue: 180_000, ownerName1: 'VAREK, MARA' }),
    house('SHOP', 1, { useCode: '2001' }),
    house('LARGE', 1, { buildingArea: 6000, yearBuilt: 1890, acres: 9 }),
    house('NOVALUE', 1, { totalAssessedValue: '' }),
    { ...house('VACANT', 2, { buildingArea: '', yearBuilt: '', useCode: '8001' }) },
    ...times(3, (at) =>
      house(`LAND${at}`, at, {
        ...{ buildingArea: '', yearBuilt: '', useCode: '8001', totalAssessedValue: 21_780 },
      }),
    ),
    house('FAR', 900),
  ]),
)
after(() => service.close())

const ask = (query: object = {}) =>
  service.get(PATH, { propertyId: '55025-SUBJECT', basis: 'assessment', ...query })

test('parcels of the same use, most alike first, with values per square foot', async () => {
  const answer = await ask({ limit: 5 })
  assert.equal(answer.status, 200)
  assert.deepEqual(parcelIds(answer), ['H1', 'H2', 'H3', 'H4', 'H5'])
  assert.deepEqual(answer.body.comparables, answer.body.properties)
  const { subject, assessments, total, rule, basis } = answer.body.metadata
  assert.deepEqual([total, basis], [25, 'assessment'])
  assert.match(rule, /size 0\.3/)
  assert.deepEqual(
    assessments.map((one: { valuePerSqFt: number }) => one.valuePerSqFt),
    [101, 102, 103, 104, 105],
  )
  assert.deepEqual(subject, {
    ...{ assessedValue: 180_000, per: 'building', valuePerSqFt: 120 },
    ...{ medianPerSqFt: 113, percentile: 78, valueAtMedian: 169_500, n: 25 },
  })
})

test('pages and bounds hold; the figures of the subject do not follow the page', async () => {
  const pages = [await ask({ limit: 20 }), await ask({ limit: 20, offset: 20 })]
  assert.equal(pages.flatMap(parcelIds).length, 25)
  assert.deepEqual(pages[1]?.body.metadata.subject, pages[0]?.body.metadata.subject)
  assert.ok(!pages.flatMap(parcelIds).some((id) => ['SHOP', 'NOVALUE', 'FAR'].includes(id)))
  assert.deepEqual(parcelIds(await ask({ sqftMin: 5000 })), ['LARGE'])
})

test('land without a building is compared per square foot of land', async () => {
  const { body } = await ask({ propertyId: '55025-LAND1' })
  assert.deepEqual([body.metadata.subject.per, body.metadata.subject.valuePerSqFt], ['land', 2])
  assert.equal(body.metadata.subject.n, 3)
})

test('400 without a property, 404 without a value, without like parcels, or unknown', async () => {
  const point = { latitude: 43.07, longitude: -89.4, basis: 'assessment' }
  assert.equal((await service.get(PATH, point)).status, 400)
  assert.equal((await ask({ basis: 'guess' })).status, 400)
  assert.match((await ask({ propertyId: '55025-NOVALUE' })).body.error, /no assessed value/)
  assert.equal((await ask({ propertyId: '55025-FAR' })).status, 404)
  assert.equal((await ask({ propertyId: '55025-NOBODY' })).status, 404)
})
