/** As-of answers, byte for byte, against a store of each year: 1,000 parcels over ten years. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { NOON, startService, type TestService } from '../../service.ts'
import { openRandom } from '../../store/subdivisions.ts'
import { dayOf, YEARS } from './years.ts'

const PARCELS = 1000
const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,city,zipCode,sourceRollYear,' +
  'totalAssessedValue,legalDesc,transferDate,transferPrice'

/** Each year 3 % are sold, 30 % revalued, and 0.5 % split or removed. */
function makeRolls(): Map<number, string> {
  const random = openRandom(11)
  let next = PARCELS
  let parcels = Array.from({ length: PARCELS }, (_, id) => ({
    ...{ id: String(id), owner: `OWNER${id % 300}, ANN`, value: 100_000 + id, sold: '' },
  }))
  return new Map(
    YEARS.map((year) => {
      parcels = parcels.flatMap((parcel) => {
        const now = { ...parcel }
        if (random() < 0.3) now.value = Math.round(now.value * 1.03)
        if (random() < 0.03) {
          now.owner = `BUYER${Math.floor(random() * 500)}, JO`
          now.sold = `${year - 1}-06-15`
        }
        if (random() >= 0.005) return [now]
        if (random() < 0.5) return []
        return [now, { ...now, id: String(++next) }].map((half) => ({ ...half, value: 50_000 }))
      })
      const rows = parcels.map(
        ({ id, owner, value, sold }) =>
          `WI,Dane,${id},"${owner}",last-first,${id} OAK ST,MADISON,53703,${year},${value},` +
          `LOT ${id},${sold},${sold && value}`,
      )
      return [year, `${[HEAD, ...rows].join('\n')}\n`]
    }),
  )
}

const ROLLS = makeRolls()

const load = (service: TestService, year: number) =>
  service.importRoll(ROLLS.get(year) ?? '', {
    ...{ force: true, versions: { keep: null, vintage: dayOf(year) }, at: NOON },
  })

/** All records of a year by parcel ID, without the ids and times that are a store's own. */
async function readYear(service: TestService, year: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let cursor = ''; ; ) {
    const query = { state: 'WI', county: 'Dane', asOf: `${year}-06-01`, limit: 100, cursor }
    const { status, body } = await service.get('/public/property/search/', query)
    assert.equal(status, 200)
    for (const record of body.properties) {
      const text = JSON.stringify(record)
      found.set(record.parcelId, text.replaceAll(/"(?:_?id|lastUpdated|updatedAt)":"[^"]*",?/g, ''))
    }
    cursor = body.metadata.nextCursor ?? ''
    if (cursor === '') return found
  }
}

async function compare(service: TestService, own: Map<number, Map<string, string>>) {
  let records = 0
  for (const year of YEARS) {
    const [found, expected] = [await readYear(service, year), own.get(year)]
    assert.deepEqual([...found.keys()].sort(), [...(expected?.keys() ?? [])].sort(), String(year))
    for (const [id, text] of found) assert.equal(text, expected?.get(id), `${year} ${id}`)
    records += found.size
  }
  assert.ok(records > 9 * PARCELS)
}

const own = new Map<number, Map<string, string>>()
for (const year of YEARS) {
  const service = await startService('')
  await load(service, year)
  own.set(year, await readYear(service, year))
  await service.close()
}
const inOrder = await startService('')
after(() => inOrder.close())

test('ten years loaded in order answer as ten stores do', async () => {
  for (const year of YEARS) await load(inOrder, year)
  await compare(inOrder, own)
})

test('ten years loaded in another order answer as ten stores do', async () => {
  const service = await startService('')
  try {
    for (const year of [2021, 2025, 2016, 2019, 2018, 2024, 2020, 2017, 2023, 2022]) {
      await load(service, year)
    }
    await compare(service, own)
  } finally {
    await service.close()
  }
})

const missing = whyNoServer()
test('PostgreSQL answers as ten stores do', { skip: missing ?? false }, async () => {
  const server = await shareServer()
  const service = await startService('', { databaseUrl: await server.createDatabase('years') })
  try {
    for (const year of YEARS) await load(service, year)
    await compare(service, own)
  } finally {
    await service.close()
    await server.stop()
  }
})
