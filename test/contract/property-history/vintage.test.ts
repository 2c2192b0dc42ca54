/** Rolls of the past are loaded in any order; both stores get them by `--vintage`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { startService, type TestService } from '../../service.ts'
import { dayOf, HEAD, loadYear, readAll, rollOf, YEARS } from './years.ts'

const inOrder = await startService('')
after(() => inOrder.close())
for (const year of YEARS) await loadYear(inOrder, year)
const expected = await readAll(inOrder)

async function compare(service: TestService, order: number[]) {
  for (const year of order) await loadYear(service, year)
  const present = await service.get('/public/property/parcelId/', { propertyId: '55025-7' })
  assert.match(present.text, /7 ELM ST/)
  const found = await readAll(service)
  for (const [at, one] of found.entries()) assert.deepEqual(one, expected[at], String(at))
  const { body } = await service.get('/public/coverage/', { state: 'WI', county: 'Dane' })
  assert.deepEqual(
    body.counties[0].vintages.map(({ date }: { date: string }) => date),
    YEARS.map((year) => `${year}-01-01`).toReversed(),
  )
  await numbersInOrder(service)
}

/** Parcels that only a roll of the past has get their record ids in its order. */
async function numbersInOrder(service: TestService) {
  const ids = [95, 91, 2, 97, 3, 93, 7, 4, 96, 11, 99, 92, 12, 98, 94]
  const line = (id: number) => `WI,Dane,${id},"ROE, JO",last-first,${id} OAK ST,2010,1\n`
  const versions = { keep: null, vintage: dayOf(2010) }
  const at = Date.UTC(2026, 0, 3)
  await service.importRoll(HEAD + ids.map(line).join(''), { force: true, versions, at })
  const asked = { state: 'WI', county: 'Dane', asOf: '2010-06-01', limit: 100 }
  const { body } = await service.get('/public/property/search/', asked)
  const found = body.properties.map(({ parcelId }: { parcelId: string }) => Number(parcelId))
  const known = [2, 3, 4, 7, 11, 12]
  assert.deepEqual(found, [...known, ...ids.filter((id) => !known.includes(id))])
}

test('ten rolls in another order give the same history', async () => {
  const service = await startService('')
  try {
    await compare(service, [2025, 2016, 2024, 2018, 2020, 2017, 2019, 2023, 2021, 2022])
  } finally {
    await service.close()
  }
})

const missing = whyNoServer()
test('PostgreSQL gives the same history', { skip: missing ?? false }, async () => {
  const server = await shareServer()
  const service = await startService('', { databaseUrl: await server.createDatabase('vintage') })
  try {
    await compare(service, [2021, 2025, 2016, 2019, 2018, 2024, 2020, 2017, 2023, 2022])
  } finally {
    await service.close()
    await server.stop()
  }
})

test('a part of a roll of the past is refused: it would remove what is missing', async () => {
  const versions = { keep: null, vintage: dayOf(2020) }
  const options = { force: true, partial: true, versions, at: Date.UTC(2026, 0, 2) }
  await assert.rejects(inOrder.importRoll(rollOf(2020), options), /must be whole.*--partial/)
  assert.deepEqual(await readAll(inOrder), expected)
})
