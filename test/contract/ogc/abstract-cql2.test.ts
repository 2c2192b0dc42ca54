/**
 * The abstract tests of CQL2 (OGC 21-065r2, annex A), for every queryable. `docs/ogc.md` names them
 * by their number.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { IS_LONG } from '../../repetitions.ts'
import { startService } from '../../service.ts'
import { ROLL } from './roll.ts'

const service = await startService('')
await service.importRoll(ROLL, { geometry: true })
after(() => service.close())
const headers = { authorization: await service.keyFor() }
const BASE = '/ogc/collections/parcels-wi'

async function ask(path: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams(query).toString()
  const answer = await fetch(`${service.address}${BASE}${path}?${search}`, { headers })
  return { status: answer.status, json: JSON.parse(await answer.text()) }
}

type Kind = 'text' | 'number' | 'boolean' | 'date' | 'moment'
type Property = { type?: string; format?: string }

const { properties } = (await ask('/queryables')).json
const kinds = Object.entries(properties as Record<string, Property>).map(
  ([name, { type, format }]): [name: string, kind: Kind | undefined] => {
    if (type === 'integer' || type === 'number') return [name, 'number']
    if (type === 'boolean') return [name, 'boolean']
    if (type !== 'string') return [name, undefined]
    return [name, format === 'date' ? 'date' : format === 'date-time' ? 'moment' : 'text']
  },
)
const LITERALS: Record<Kind, string> = {
  text: "'foo'",
  boolean: 'true',
  number: '3.14',
  date: "DATE('2022-04-14')",
  moment: "TIMESTAMP('2022-04-14T14:48:46Z')",
}
/** The queryables of some types; of many each 24th, unless the long tests run. */
function ofKind(...some: Kind[]) {
  const own = kinds.filter(([, kind]) => kind !== undefined && some.includes(kind))
  return IS_LONG ? own : own.filter((_, at) => at % 24 === 0)
}

/** The ids of what a filter selects; every filter must be understood. */
async function select(filter: string): Promise<Set<string>> {
  const { status, json } = await ask('/items', { filter, limit: '1000', properties: 'propertyId' })
  assert.equal(status, 200, `${filter}: ${JSON.stringify(json)}`)
  return new Set(json.features.map(({ id }: { id: string }) => id))
}

const apart = async (a: string, b: string) => {
  const [first, second] = [await select(a), await select(b)]
  assert.ok(first.isDisjointFrom(second), `${a}, ${b}`)
}
const same = async (a: string, b: string) => assert.deepEqual(await select(a), await select(b), a)

test('basic-test: every queryable has a type, and some are scalars', () => {
  assert.ok(kinds.length > 100)
  assert.deepEqual(
    kinds.flatMap(([name, kind]) => (kind === undefined ? [name] : [])),
    ['geometry'],
  )
})

test('comparison: every operator is understood for every queryable', async () => {
  for (const [name, kind] of ofKind('text', 'boolean', 'number', 'date', 'moment')) {
    const value = LITERALS[kind as Kind]
    await apart(`${name} = ${value}`, `${name} <> ${value}`)
    await apart(`${name} > ${value}`, `${name} <= ${value}`)
    await apart(`${name} < ${value}`, `${name} >= ${value}`)
  }
})

test('is-null, boolean', async () => {
  for (const [name] of ofKind('text', 'boolean', 'number', 'date', 'moment')) {
    await apart(`${name} IS NULL`, `${name} is not null`)
  }
  assert.equal((await select('true')).size, 61)
  assert.equal((await select('false')).size, 0)
})

test('logical: conditions are joined by AND, OR and NOT', async () => {
  const [a, b] = ["city = 'MADISON'", 'acres > 2']
  const [first, second] = [await select(a), await select(b)]
  assert.deepEqual(await select(`${a} AND ${b}`), first.intersection(second))
  assert.deepEqual(await select(`${a} or ${b}`), first.union(second))
  assert.deepEqual(await select(`NOT (${a} OR NOT ${b})`), second.difference(first))
})

test('like, between, in: of every queryable of their types', async () => {
  for (const [name] of ofKind('text')) {
    await apart(`${name} like '_%'`, `${name} like ''`)
    await same(`${name} LIKE '%'`, `${name} like '%%'`)
    await select(`${name} like '\\\\%\\\\_'`)
    await select(`${name} in ('foo', 'bar')`)
  }
  for (const [name] of ofKind('number')) {
    await select(`${name} BETWEEN 0 AND 100`)
    assert.equal((await select(`${name} between 100.0 and 1.0`)).size, 0)
    await select(`${name} IN (1, 2, 3)`)
  }
  for (const [name] of ofKind('boolean')) await select(`${name} in (true)`)
  for (const [name] of ofKind('date')) await select(`${name} in ('2022-04-14', '2022-04-15')`)
  for (const [name] of ofKind('moment')) {
    await select(`${name} in ('2022-04-14T14:52:56Z', '2022-04-14T15:52:56Z')`)
  }
})

test('casei, casei-like, accenti, accenti-like, accenti-casei, accenti-casei-like', async () => {
  for (const [name] of ofKind('text')) {
    await apart(`CASEI(${name}) = casei('foo')`, `CASEI(${name}) <> casei('FOO')`)
    await same(`CASEI(${name}) LIKE casei('foo%')`, `CASEI(${name}) LIKE casei('FOO%')`)
    await apart(`ACCENTI(${name}) = accenti('äöü')`, `ACCENTI(${name}) <> accenti('aou')`)
    await same(`ACCENTI(${name}) LIKE accenti('Ä%')`, `ACCENTI(${name}) LIKE accenti('A%')`)
    const folded = `ACCENTI(CASEI(${name}))`
    await same(`${folded} = accenti(casei('ÄÉ'))`, `${folded} = accenti(casei('ae'))`)
    await same(`${folded} LIKE accenti(casei('Ä%'))`, `${folded} LIKE accenti(casei('a%'))`)
  }
  assert.ok((await select("ACCENTI(CASEI(city)) LIKE accenti(casei('öak CRÈ%'))")).size > 0)
})

const [X, Y] = [-89.4, 43.07]

test('s_intersects: every geometry of the standard, and no wrong coordinates', async () => {
  const meets = async (geometry: string) =>
    (await select(`S_INTERSECTS(geometry,${geometry})`)).size
  // One parcel has no place.
  assert.equal(await meets('BBOX(-180,-90,180,90)'), 60)
  assert.equal(await meets('POINT(7.02 49.92)'), 0)
  const hole = '(-120 -50, -100 -50, -100 -40, -120 -40, -120 -50)'
  const outer = '(-180 -90, -90 -90, -90 90, -180 90, -180 -90)'
  const square = '(0 0, 10 0, 10 10, 0 10, 0 0)'
  for (const [geometry, count] of [
    ['LINESTRING(-180 -45, 0 -45)', 0],
    ['MULTILINESTRING((-180 -45, 0 -45), (0 45, 180 45))', 0],
    [`POLYGON(${outer}, ${hole})`, 0],
    [`MULTIPOLYGON((${outer}, ${hole}),(${square}))`, 0],
    [`GEOMETRYCOLLECTION(POINT(7.02 49.92), POLYGON(${square}))`, 0],
    // Through the lots 1 and 2, along their middles; from within lot 1; only the gap between them.
    [`LINESTRING(${X} ${Y + 0.0004}, ${X + 0.0029} ${Y + 0.0004})`, 2],
    [`LINESTRING(${X + 0.0012} ${Y + 0.0002}, ${X + 0.0014} ${Y + 0.0003})`, 1],
    [`LINESTRING(${X + 0.0019} ${Y - 1}, ${X + 0.0019} ${Y + 1})`, 0],
    [`MULTIPOINT(${X + 0.0014} ${Y + 0.0004}, ${X + 0.0024} ${Y + 0.0004}, 7 7)`, 2],
    [`MULTIPOINT((${X + 0.0014} ${Y + 0.0004}))`, 1],
    [`GEOMETRYCOLLECTION(POINT(${X + 0.0014} ${Y + 0.0004}), LINESTRING(0 0, 1 1))`, 1],
  ] as const) {
    assert.equal(await meets(geometry), count, geometry)
  }
  for (const geometry of [
    ...['POINT(90 180)', 'MULTIPOINT(7.02 49.92, 90 180)', 'LINESTRING(0 0)'],
    ...['POLYGON((0 0, 1 1, 0 0))', 'GEOMETRYCOLLECTION()', 'CIRCLE(0 0, 1)'],
  ]) {
    const { status } = await ask('/items', { filter: `S_INTERSECTS(geometry,${geometry})` })
    assert.equal(status, 400, geometry)
  }
  const line = {
    type: 'LineString',
    coordinates: [
      [X, Y + 0.0004],
      [X + 0.0029, Y + 0.0004],
    ],
  }
  for (const geometry of [line, { type: 'GeometryCollection', geometries: [line] }]) {
    const filter = JSON.stringify({
      op: 's_intersects',
      args: [{ property: 'geometry' }, geometry],
    })
    const { json } = await ask('/items', { filter, 'filter-lang': 'cql2-json' })
    assert.equal(json.numberReturned, 2)
  }
})

test('escaping: quotes are doubled or escaped, and other characters stay', async () => {
  for (const text of ["O''BRIEN", "O\\'BRIEN", 'A\tB\nC\u0007\u0008\u000b\u000c\r']) {
    assert.equal((await select(`address <> '${text}' OR address IS NULL`)).size, 61)
  }
  // A backslash elsewhere is itself.
  assert.equal((await select("address = 'A\\B' OR city = 'MADISON'")).size, 30)
})
