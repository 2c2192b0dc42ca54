/** Rolls of the past are loaded in any order; both stores get them by `--vintage`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { startService, type TestService } from '../../service.ts'

const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,sourceRollYear,totalAssessedValue\n'
const YEARS = [2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025]
const OWNERS = ['ROE, JO', 'DOE, ANN', 'HARLOW, PAUL']

/** Parcels are sold, revalued, removed, added and brought back in their own years. */
const roll = (year: number) =>
  HEAD +
  Array.from({ length: 40 }, (_, id) => {
    const isThere = id % 10 !== 0 || (year * 7 + id) % 3 !== 0
    const owner = OWNERS[(Math.floor((year - 2016) / (2 + (id % 5))) + id) % 3]
    const value = 1000 + Math.floor((year - 2016 + id) / 3)
    const street = id === 7 && year > 2020 ? 'ELM ST' : 'OAK ST'
    return isThere ? `WI,Dane,${id},"${owner}",last-first,${id} ${street},${year},${value}\n` : ''
  }).join('')

const day = (year: number) => Date.UTC(year, 0, 1) / 86_400_000
const load = (service: TestService, year: number) =>
  service.importRoll(roll(year), {
    force: true,
    versions: { keep: null, vintage: day(year) },
    at: Date.UTC(2026, 0, 1),
  })

/** Every history, without numbers of imports, and what each year had. */
async function readAll(service: TestService) {
  const all: unknown[] = []
  for (let id = 0; id < 40; id += 1) {
    const query = { propertyId: `55025-${id}`, records: 'true' }
    const { text } = await service.get('/public/property/history/', query)
    all.push(text.replaceAll(/"(?:import":\d+|(?:id|lastUpdated|loadedAt)":"[^"]*")/g, ''))
  }
  for (const year of YEARS) {
    const query = { state: 'WI', county: 'Dane', asOf: `${year}-06-01`, limit: 100, cursor: '' }
    const { body } = await service.get('/public/property/search/', query)
    all.push(body.properties.map(({ parcelId }: { parcelId: string }) => parcelId).toSorted())
  }
  return all
}

const inOrder = await startService('')
after(() => inOrder.close())
for (const year of YEARS) await load(inOrder, year)
const expected = await readAll(inOrder)

async function compare(service: TestService, order: number[]) {
  for (const year of order) await load(service, year)
  const present = await service.get('/public/property/parcelId/', { propertyId: '55025-7' })
  assert.match(present.text, /7 ELM ST/)
  const found = await readAll(service)
  for (const [at, one] of found.entries()) assert.deepEqual(one, expected[at], String(at))
  const { body } = await service.get('/public/coverage/', { state: 'WI', county: 'Dane' })
  assert.deepEqual(
    body.counties[0].vintages.map(({ date }: { date: string }) => date),
    YEARS.map((year) => `${year}-01-01`).toReversed(),
  )
}

for (const order of [
  [2025, 2016, 2024, 2018, 2020, 2017, 2019, 2023, 2021, 2022],
  [2020, 2019, 2025, 2022, 2016, 2024, 2017, 2021, 2023, 2018],
]) {
  test(`ten rolls in the order ${order} give the same history`, async () => {
    const service = await startService('')
    try {
      await compare(service, order)
    } finally {
      await service.close()
    }
  })
}

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
