/** `GET /public/quality/`: faults planted in a clean roll are found and named. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { CLUSTER } from '../../citus-cluster.ts'
import { NOON, startService } from '../../service.ts'
import { FAULTS, LOTS, makeLots, toGeoJson } from './roll.ts'

const PATH = '/public/quality/'
const ASKED = { state: 'WI', county: 'Dane' }
const service = await startService('')
after(() => service.close())

type Part = {
  name: string
  share: number | null
  count: number
  weight: number
  examples: string[]
  fields?: string[]
}
type Scope = {
  score: number
  faults: string[]
  parts: Part[]
  course: { loadedAt: string; score: number; parcels: number }[]
}

/** Loads lots some days after the last load. */
async function load(
  lots: Iterable<Parameters<typeof toGeoJson>[0] extends Iterable<infer L> ? L : never>,
  day: number,
) {
  const at = NOON - (10 - day) * 86_400_000
  const roll = toGeoJson(lots)
  const { warnings } = await service.importRoll(roll, {
    ...{ name: 'roll.geojson', geometry: true, force: true, at },
  })
  assert.deepEqual(warnings, [])
}

async function read(): Promise<Scope> {
  const { status, body } = await service.get(PATH, ASKED)
  assert.equal(status, 200)
  return body.scopes[0]
}

const partsOf = ({ parts }: Scope) => new Map(parts.map((part) => [part.name, part]))

test('each of more than 20 planted faults is found and named with its parcel', async () => {
  const lots = makeLots()
  for (const { lots: numbers, plant } of FAULTS) {
    for (const number of numbers) plant(lots.get(number) ?? assert.fail())
  }
  const twin = structuredClone(lots.get(30) ?? assert.fail())
  twin.properties.legalDesc = 'LOT 30 AGAIN'
  await load([...lots.values(), twin], 1)
  const scope = await read()
  const expected = new Set([...FAULTS.flatMap(({ parts }) => parts), 'placeholder', 'repeatedId'])
  assert.deepEqual(new Set(scope.faults), expected)
  assert.ok(expected.size >= 20)
  const parts = partsOf(scope)
  for (const { lots: numbers, parts: names } of FAULTS) {
    for (const name of names) {
      const { examples = [], count = 0 } = parts.get(name) ?? {}
      for (const number of numbers) {
        assert.ok(examples.includes(`55025-P${number}`), `${name}: ${examples}`)
      }
      // A part names no other lot than those planted, except that an overlap has two sides.
      const planted = FAULTS.filter((one) => one.parts.includes(name)).length
      assert.ok(count <= (name === 'overlap' ? 3 : planted), `${name}: ${examples}`)
    }
  }
  assert.deepEqual(parts.get('placeholder')?.fields, ['yearBuilt'])
  assert.equal(parts.get('repeatedId')?.count, 1)
  assert.ok(scope.score < 100)
})

test('a clean roll has no fault and 100 of 100', async () => {
  await load(makeLots().values(), 2)
  const scope = await read()
  assert.deepEqual(scope.faults, [])
  assert.equal(scope.score, 100)
  assert.ok(scope.parts.length > 20)
})

/** Fields that a roll loses; `coverage` does not count the second. */
const LOST = { legalDesc: null, zoningCode: null }

test('vanished fields and fewer parcels are named, and the course lists each import', async () => {
  const lots = [...makeLots().values()].slice(0, LOTS - 20)
  for (const { properties } of lots) Object.assign(properties, LOST)
  await load(lots, 3)
  const scope = await read()
  assert.deepEqual(scope.faults, ['vanishedFields', 'fewerParcels'])
  assert.deepEqual(partsOf(scope).get('vanishedFields')?.fields, ['legalDescription', 'zoningCode'])
  assert.deepEqual(
    scope.course.map(({ parcels }) => parcels),
    [LOTS - 20, LOTS, LOTS],
  )
  assert.equal(scope.course[1]?.score, 100)
})

test('an unchanged import keeps what was measured', async () => {
  const before = await read()
  const lots = [...makeLots().values()].slice(0, LOTS - 20)
  for (const { properties } of lots) Object.assign(properties, LOST)
  await load(lots, 4)
  const { course, ...scope } = await read()
  assert.equal(course.length, before.course.length + 1)
  assert.deepEqual(scope.faults, before.faults)
})

const skip = CLUSTER ?? false
test('an import measures after a measurement that failed', { skip }, async () => {
  const roll = (owner: string | null) => {
    const lots = makeLots()
    Object.assign(lots.get(7)?.properties ?? assert.fail(), { ownerName1: owner })
    return lots.values()
  }
  await load(roll('VAREK, MARA 7'), 5)
  await load(roll(null), 6)
  const store = new DatabaseSync(join(service.config.data, 'parcels.db'))
  store.exec('DELETE FROM qualities WHERE loaded_at = (SELECT max(loaded_at) FROM qualities)')
  store.close()
  assert.deepEqual(partsOf(await read()).get('owner')?.count, 0)
  await load(roll(null), 7)
  assert.deepEqual(partsOf(await read()).get('owner')?.examples, ['55025-P7'])
})

test('rows that repeat an ID count for their own county', async () => {
  const row = (county: string, id: number, value: number) =>
    `WI,${county},${id},"DOE, JO",last-first,${id} A ST,${value}`
  const roll = [
    'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue',
    ...[1, 2, 3].flatMap((id) => [row('Adams', id, id), row('Dodge', id, id)]),
    row('Dodge', 2, 9),
    row('Dodge', 3, 9),
  ].join('\n')
  await service.importRoll(roll, { force: true })
  const countOf = async (county: string) => {
    const { body } = await service.get(PATH, { state: 'WI', county })
    return partsOf(body.scopes[0]).get('repeatedId')?.count
  }
  assert.deepEqual([await countOf('Adams'), await countOf('Dodge')], [0, 2])
})

test('totals above land and building are the way of a roll that has them everywhere', async () => {
  const lots = makeLots()
  for (const { properties } of lots.values()) {
    properties.totalMarketValue = Number(properties.totalMarketValue) + 5000
  }
  const odd = lots.get(50)?.properties ?? assert.fail()
  odd.totalMarketValue = 1000
  await load(lots.values(), 8)
  assert.deepEqual(partsOf(await read()).get('valueSum')?.examples, ['55025-P50'])
})

test('no names in the answer; 400 without state, 404 for what is not loaded', async () => {
  const { body } = await service.get(PATH)
  assert.equal(body.scopes.length, 3)
  assert.doesNotMatch(JSON.stringify(body), /VAREK|OAK ST|ELM ST/)
  assert.equal((await service.get(PATH, { county: 'Dane' })).status, 400)
  assert.equal((await service.get(PATH, { state: 'WI', county: 'Iron' })).status, 404)
  assert.equal((await service.get(PATH, { state: 'WI', county: 'Nowhere' })).status, 404)
})

test('an owner may be in the second slot, and the land area may be of the polygon', async () => {
  const lots = makeLots()
  const set = (number: number, more: object) =>
    Object.assign(lots.get(number)?.properties ?? assert.fail(), more)
  set(1, { ownerName1: null, ownerName2: 'VAREK, MARA 1' })
  set(2, { ownerName1: null, ownerName2: null })
  set(3, { acres: null })
  Object.assign(lots.get(4) ?? assert.fail(), { rings: null })
  set(4, { parcelId: 'Q4' })
  set(5, { acres: null, parcelId: 'Q5' })
  Object.assign(lots.get(5) ?? assert.fail(), { rings: null })
  await load(lots.values(), 9)
  const parts = partsOf(await read())
  const named = ['owner', 'land', 'polygon'].map((name) => parts.get(name)?.examples)
  assert.deepEqual(named, [['55025-P2'], ['55025-Q5'], ['55025-Q4', '55025-Q5']])
})
