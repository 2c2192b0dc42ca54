/** `/ogc/` answers as OGC API Features Part 1, 2, 3 and 5, and Tiles Part 1. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { isLike, readPattern } from '../../../src/http/ogc/cql2/like.ts'
import { readItems } from '../../../src/http/ogc/walk.ts'
import type { Ranked } from '../../../src/operations/questions/pick.ts'
import { openStore } from '../../../src/store/open.ts'
import { startService } from '../../service.ts'
import { LOTS, ROLL, SOUTH, WEST } from './roll.ts'

const service = await startService('')
await service.importRoll(ROLL, { geometry: true })
after(() => service.close())

const ITEMS = '/ogc/collections/parcels-wi/items'
type Query = Record<string, string | number>
// biome-ignore lint/suspicious/noExplicitAny: documents of any shape
type Json = any

const key = await service.keyFor()

async function get(path: string, query: Query = {}, headers: Record<string, string> = {}) {
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(toText(query))}`
  const answer = await fetch(`${service.address}${path}${search}`, {
    headers: { authorization: key, ...headers },
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  const json: Json = isJson ? JSON.parse(text) : undefined
  return { status: answer.status, headers: answer.headers, text, json }
}

/** Numbers of the lots on all pages. */
async function lots(query: Query = {}): Promise<number[]> {
  const numbers: number[] = []
  let next: string | undefined = `${ITEMS}?${new URLSearchParams({ limit: '7', ...toText(query) })}`
  while (next !== undefined) {
    const { status, json } = await get(next.replace(service.address, ''))
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal(json.numberReturned, json.features.length)
    for (const { id } of json.features) numbers.push(Number(/LOT\/(\d+)$/.exec(id)?.[1] ?? -1))
    next = json.links.find(({ rel }: Json) => rel === 'next')?.href
  }
  return numbers
}

function toText(query: Query): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, one]) => [name, String(one)]))
}

const ALL = Array.from({ length: LOTS }, (_, at) => at + 1)
const all = (holds: (number: number) => boolean) => ALL.filter(holds)

test('the landing page leads to everything, and every address of it answers', async () => {
  const { json } = await get('/ogc/')
  const rels = json.links.map(({ rel }: Json) => rel)
  for (const rel of ['self', 'service-desc', 'conformance', 'data']) assert.ok(rels.includes(rel))
  for (const { href, type } of json.links) {
    const found = await get(href.replace(service.address, ''))
    assert.equal(found.status, 200, href)
    assert.ok(found.headers.get('content-type')?.startsWith(type.split(';')[0]), href)
  }
  assert.equal((await get('/ogc')).status, 200)
})

test('HEAD answers as GET does, without a body', async () => {
  const tile = '/ogc/tiles/WebMercatorQuad/0/0/0'
  const paths = [
    ...['/ogc/', '/ogc/conformance', '/ogc/api', '/ogc/collections', '/ogc/collections/parcels-wi'],
    ...[ITEMS, `${ITEMS}?limit=60`, `${ITEMS}?f=html`, `${ITEMS}?limit=no`, tile, '/ogc/nothing'],
    ...['/ogc/collections/parcels-zz', '/ogc/collections/parcels-wi/queryables'],
  ]
  // The length of a page that streams is not known; the client closes connections after HEAD.
  const own = new Set([
    ...['date', 'x-request-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'],
  ])
  for (const path of paths) {
    for (const authorization of [key, 'pb_none']) {
      const [full, head] = await Promise.all(
        ['GET', 'HEAD'].map(async (method) => {
          const answer = await fetch(`${service.address}${path}`, {
            ...{ method, headers: { authorization } },
          })
          const headers = [...answer.headers].filter(([name]) => !own.has(name))
          return { status: answer.status, headers, size: (await answer.arrayBuffer()).byteLength }
        }),
      )
      assert.deepEqual([head?.status, head?.headers], [full?.status, full?.headers], path)
      assert.deepEqual([head?.size, (full?.size ?? 0) > 0], [0, true], path)
    }
  }
  const refused = await fetch(`${service.address}${ITEMS}`, { method: 'PUT' })
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'])
})

test('each loaded state is a collection, with its extent and its time', async () => {
  const { json } = await get('/ogc/collections')
  assert.deepEqual(
    json.collections.map(({ id }: Json) => id),
    ['parcels-ia', 'parcels-wi'],
  )
  const wisconsin = json.collections[1]
  const [[west, south, east, north]] = wisconsin.extent.spatial.bbox
  assert.ok(west > WEST && south > SOUTH && east < WEST + 0.01 && north < SOUTH + 0.007)
  assert.deepEqual(wisconsin.extent.temporal.interval, [
    ['2019-01-01T00:00:00Z', '2025-12-31T23:59:59Z'],
  ])
  assert.equal((await get('/ogc/collections/parcels-wi')).json.id, 'parcels-wi')
  for (const id of ['parcels-tx', 'parcels-zz', 'parcels-WI', 'wi']) {
    assert.equal((await get(`/ogc/collections/${id}`)).status, 404, id)
  }
})

test('items come once each, in one order, by links to the next page', async () => {
  assert.deepEqual(await lots(), [...ALL, -1])
  const { json } = await get(ITEMS, { limit: LOTS + 1 })
  assert.equal(json.numberMatched, LOTS + 1)
  assert.ok(json.links.every(({ rel }: Json) => rel !== 'next'))
  assert.equal((await get(ITEMS)).json.numberReturned, 10)
})

test('an item is the same feature as in the list', async () => {
  const { json } = await get(ITEMS, { limit: 1 })
  const [{ id, geometry, properties }] = json.features
  const { json: own, status } = await get(`${ITEMS}/${encodeURIComponent(id)}`)
  assert.equal(status, 200)
  assert.deepEqual([own.geometry, own.properties], [geometry, properties])
  assert.equal(properties.transferDate, '2020-02-15')
  for (const other of ['55025-NONE', 'x', encodeURIComponent('19001-A-1')]) {
    const missing = await get(`${ITEMS}/${other}`)
    assert.equal(missing.status, 404)
    assert.equal(missing.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  }
})

test('a bbox selects the shapes that it meets, in every CRS', async () => {
  // From within lot 11 to within lot 12, and the row above.
  const [a, b, c, d] = [WEST + 0.0017, SOUTH + 0.0012, WEST + 0.0023, SOUTH + 0.0022] as const
  const expected = [11, 12, 22]
  assert.deepEqual(await lots({ bbox: [a, b, c, d].join() }), expected)
  assert.deepEqual(await lots({ bbox: [a, b, -5, c, d, 5].join() }), expected)
  const epsg = 'http://www.opengis.net/def/crs/EPSG/0/'
  assert.deepEqual(await lots({ bbox: [b, a, d, c].join(), 'bbox-crs': `${epsg}4326` }), expected)
  const mercator = ([x, y]: [number, number]) => [
    (x * 20037508.342789244) / 180,
    (Math.log(Math.tan(((90 + y) * Math.PI) / 360)) * 20037508.342789244) / Math.PI,
  ]
  const box = [...mercator([a, b]), ...mercator([c, d])].join()
  assert.deepEqual(await lots({ bbox: box, 'bbox-crs': `${epsg}3857` }), expected)
  // Lot 21 has only a point, which is outside.
  assert.deepEqual(await lots({ bbox: '0,0,1,1' }), [])
})

test('coordinates are written in the asked CRS, which the answer names', async () => {
  const id = { filter: "parcelId = 'LOT/007'" }
  const point = async (crs: string) => {
    const { json, headers } = await get(ITEMS, { ...id, crs })
    assert.equal(headers.get('content-crs'), `<${crs}>`)
    return json.features[0].geometry.coordinates
  }
  const [x, y] = await point('http://www.opengis.net/def/crs/OGC/1.3/CRS84')
  assert.deepEqual(await point('http://www.opengis.net/def/crs/EPSG/0/4326'), [y, x])
  const [east, north] = await point('http://www.opengis.net/def/crs/EPSG/0/3857')
  assert.ok(Math.abs(east - (x * 20037508.342789244) / 180) < 0.002)
  const up = Math.log(Math.tan(((90 + y) * Math.PI) / 360)) / Math.PI
  assert.ok(Math.abs(north - up * 20037508.342789244) < 0.002)
})

const SQUARE = `POLYGON((${WEST} ${SOUTH}, ${WEST + 0.0029} ${SOUTH}, ${WEST + 0.0029} ${
  SOUTH + 0.0009
}, ${WEST} ${SOUTH + 0.0009}, ${WEST} ${SOUTH}))`

const FILTERS: [text: string, holds: (number: number) => boolean][] = [
  ["city = 'MADISON'", (n) => n % 2 === 0],
  ["city <> 'MADISON'", (n) => n % 2 === 1],
  ["city = 'madison'", () => false],
  ["CASEI(city) = CASEI('madison')", (n) => n % 2 === 0],
  ["ACCENTI(CASEI(city)) LIKE 'OAK CRE%'", (n) => n % 2 === 1],
  ["parcelId LIKE 'LOT/_1_'", (n) => n >= 10 && n < 20],
  ["parcelId NOT LIKE 'LOT/0%'", () => false],
  ['totalMarketValue >= 55000', (n) => n >= 55],
  ['55000 <= totalMarketValue AND 58 > acres', (n) => n >= 55],
  ['yearBuilt IN (1903, 1907, 1910) OR acres = 1.2', (n) => n === 3 || n === 7 || n === 12],
  ["transferDate = '2020-02-15'", (n) => n % 3 !== 0 && n % 9 === 1],
  ["residential = TRUE AND city = 'MADISON'", () => false],
  ['totalMarketValue between 3000 and 5000', (n) => n >= 3 && n <= 5],
  ['totalMarketValue NOT BETWEEN 3000 AND 60000', (n) => n < 3],
  ['yearBuilt IS NULL', (n) => n % 5 === 0],
  ['NOT (yearBuilt > 1930)', (n) => n % 5 !== 0 && n <= 30],
  ['yearBuilt > 1950 OR yearBuilt IS NULL', (n) => n % 5 === 0 || n > 50],
  ["zipCode IN ('53703', '99999') AND acres < 1", (n) => n % 2 === 0 && n < 10],
  ["transferDate >= DATE('2020-08-01')", (n) => n % 3 !== 0 && n % 9 >= 7],
  ["transferDate < TIMESTAMP('2020-02-01T00:00:00Z')", (n) => n % 3 !== 0 && n % 9 === 0],
  ["transferDate < TIMESTAMP('2020-02-01T')", (n) => n % 3 !== 0 && n % 9 === 0],
  [`S_INTERSECTS(geometry, ${SQUARE})`, (n) => n <= 2],
  [`S_INTERSECTS(geometry, POINT(${WEST + 0.0014} ${SOUTH + 0.0004}))`, (n) => n === 1],
  [
    `S_INTERSECTS(geometry, BBOX(${WEST}, ${SOUTH}, ${WEST + 0.0002}, ${SOUTH + 0.0012}))`,
    (n) => n === 10,
  ],
  ['"city" = \'MADISON\' AND NOT (acres > 0.3)', (n) => n === 2],
]

test('filters in CQL2 text select what they say', async () => {
  for (const [filter, holds] of FILTERS) {
    const found = (await lots({ filter })).filter((number) => number !== -1)
    assert.deepEqual(found, all(holds), filter)
  }
})

test('every order comes once each over pages, parcels without the value last', async () => {
  const years = all((n) => n % 5 !== 0)
  const without = [...all((n) => n % 5 === 0), -1]
  assert.deepEqual(await lots({ sortby: 'yearBuilt' }), [...years, ...without])
  assert.deepEqual(await lots({ sortby: '-yearBuilt' }), [...years.reverse(), ...without])
  const filter = "city = 'MADISON' AND acres >= 5"
  assert.deepEqual(await lots({ sortby: '-acres', filter }), [60, 58, 56, 54, 52, 50])
  const box = [WEST, SOUTH, WEST + 0.0025, SOUTH + 0.0005].join()
  assert.deepEqual(await lots({ sortby: '-totalMarketValue', bbox: box }), [2, 1])
  const { json } = await get(ITEMS, { sortby: '-acres', limit: 5 })
  const next = json.links.find(({ rel }: Json) => rel === 'next').href
  const other = next.replace('sortby=-acres', 'sortby=acres').replace(service.address, '')
  assert.equal((await get(other)).status, 400)
})

test('filters in CQL2 JSON select the same', async () => {
  const json = {
    op: 'and',
    args: [
      { op: 'in', args: [{ property: 'zipCode' }, ['53703', '53704']] },
      { op: 'between', args: [{ property: 'acres' }, 1, 2] },
      { op: 'not', args: [{ op: 'isNull', args: [{ property: 'yearBuilt' }] }] },
    ],
  }
  const query = { filter: JSON.stringify(json), 'filter-lang': 'cql2-json' }
  assert.deepEqual(
    await lots(query),
    all((n) => n % 2 === 0 && n >= 10 && n <= 20 && n % 5 !== 0),
  )
})

test('filters that are not understood are refused, and say where', async () => {
  const wrong = [
    "city == 'X'",
    "city = 'X",
    "nothing = 'X'",
    'city > 5',
    "city = 'X' AND",
    '(((city',
    "T_AFTER(transferDate, DATE('2020-01-01'))",
    'S_TOUCHES(geometry, LINESTRING(0 0, 1 1))',
    'S_INTERSECTS(geometry, POINT(500 0))',
    'S_INTERSECTS(geometry, MULTIPOINT(((0 0))))',
    "buildings = 'X'",
    "transferDate > DATE('2020-13-01')",
    "transferDate > DATE('2023-02-29')",
    `${'('.repeat(200)}city = 'X'${')'.repeat(200)}`,
  ]
  for (const filter of wrong) {
    const { status, json } = await get(ITEMS, { filter })
    assert.equal(status, 400, filter)
    assert.ok(json.detail.length > 10, filter)
  }
  for (const filter of [
    '{',
    '[]',
    'null',
    '{"op":"and"}',
    '{"op":"and","args":[]}',
    '{"op":"=","args":[null,1]}',
    // Names that every object has are operators no more than others.
    ...['constructor', 'hasOwnProperty', 'valueOf', '__proto__', '__defineGetter__'].flatMap(
      (op) => [
        `{"op":"${op}","args":[{"property":"city"},"x"]}`,
        `{"op":"${op}","args":["x",{"property":"city"}]}`,
        `{"op":"not","args":[{"op":"${op}","args":[{"property":"city"},"x"]}]}`,
      ],
    ),
    // An object that cannot be written as a text.
    ...['{"op":{"toString":1},"args":[1,2]}', '{"op":{"toString":1},"args":[1,2],"coordinates":1}'],
    ...['property', 'date', 'timestamp'].map(
      (name) => `{"op":"=","args":[{"${name}":{"toString":1,"valueOf":1}},1]}`,
    ),
    '5',
    '{}',
  ]) {
    const { status } = await get(ITEMS, { filter, 'filter-lang': 'cql2-json' })
    assert.equal(status, 400, filter)
  }
})

test('a property may be asked for by its name, and datetime by the year of the roll', async () => {
  assert.deepEqual(await lots({ city: 'MADISON', yearBuilt: 1904 }), [4])
  assert.deepEqual(await lots({ datetime: '2019-06-01' }), [-1])
  assert.deepEqual(await lots({ datetime: '2020-01-01T00:00:00Z/..' }), ALL)
  assert.deepEqual(await lots({ datetime: '../2018-12-31' }), [])
})

test('unknown and malformed parameters are refused', async () => {
  const wrong: Query[] = [
    ...[{ nothing: 1 }, { limit: 0 }, { limit: 'x' }, { bbox: '1,2,3' }, { bbox: '1,2,3,x' }],
    ...[{ bbox: '0,5,1,2' }, { crs: 'EPSG:2000' }, { 'bbox-crs': 'x' }, { datetime: 'today' }],
    ...[{ properties: 'nothing' }, { cursor: 'x' }, { f: 'xml' }, { 'filter-lang': 'ecql' }],
    ...[{ sortby: 'ownerName' }, { datetime: '2021-01-01/2020-01-01' }, { bbox: '0,0,999,1' }],
    ...[{ datetime: '2023-02-29' }, { datetime: '../..' }, { datetime: '/' }],
  ]
  for (const query of wrong) {
    const { status, json, headers } = await get(ITEMS, query)
    assert.equal(status, 400, JSON.stringify(query))
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
    assert.deepEqual([json.status, typeof json.title], [400, 'string'])
  }
  const unknown = { filter: 'nothing = 1', properties: 'acres,nothing', sortby: 'nothing' }
  for (const [name, value] of Object.entries(unknown)) {
    const { json } = await get(ITEMS, { [name]: value })
    assert.match(json.title, new RegExp(`^${name}: "nothing" is not a property`))
  }
  assert.match(
    (await get(ITEMS, { sortby: 'acres,_id' })).json.title,
    /^sortby must be one property/,
  )
  assert.match(
    (await get(ITEMS, { sortby: '-acres,address' })).json.title,
    /^sortby must be one property/,
  )
  assert.equal((await get(ITEMS, { limit: 99_999 })).status, 200)
  assert.equal((await get('/ogc/collections', { limit: 1 })).status, 400)
})

test('what is refused before a page is known is a problem too', async () => {
  const posted = await fetch(`${service.address}${ITEMS}`, { method: 'POST', body: '{}' })
  assert.equal(posted.headers.get('allow'), 'GET, HEAD')
  assert.equal(posted.headers.get('content-type'), 'application/problem+json')
  assert.match(await posted.text(), /"status":405/)
})

test('the OpenAPI document is valid, and declares what a request may have', async () => {
  const { json } = await get('/ogc/api')
  const { valid, errors } = await new Validator().validate(json)
  assert.ok(valid, JSON.stringify(errors))
  const named = (path: string) =>
    new Map(json.paths[path].get.parameters.map((one: Json) => [one.name, one])) as Map<
      string,
      Json
    >
  const items = named('/collections/parcels-wi/items')
  const { schema, style, explode, required } = items.get('bbox')
  assert.deepEqual(
    [schema.minItems, schema.maxItems, style, explode, required],
    [4, 6, 'form', false, false],
  )
  assert.equal(items.get('limit').schema.maximum, 10_000)
  for (const name of [
    'datetime',
    'filter',
    'filter-lang',
    'filter-crs',
    'crs',
    'bbox-crs',
    'city',
  ]) {
    assert.equal(items.get(name)?.in, 'query', name)
  }
  const tile = named('/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}')
  const types = ['tileMatrix', 'tileRow', 'tileCol'].map((name) => tile.get(name).schema.type)
  assert.deepEqual(types, ['string', 'integer', 'integer'])
  assert.deepEqual(json.security, [{ apiKey: [] }, { basic: [] }])
})

test('a shape of a filter is read in its CRS', async () => {
  const [x, y] = [WEST + 0.0014, SOUTH + 0.0004]
  const crs = 'http://www.opengis.net/def/crs/EPSG/0/'
  const at = (a: number, b: number) => `S_INTERSECTS(geometry, POINT(${a} ${b}))`
  assert.deepEqual(await lots({ filter: at(x, y) }), [1])
  assert.deepEqual(await lots({ filter: at(y, x), 'filter-crs': `${crs}4326` }), [1])
  const down = (Math.log(Math.tan(((90 + y) * Math.PI) / 360)) * 20037508.342789244) / Math.PI
  const mercator = at((x * 20037508.342789244) / 180, down)
  assert.deepEqual(await lots({ filter: mercator, 'filter-crs': `${crs}3857` }), [1])
  assert.equal((await get(ITEMS, { filter: at(x, y), 'filter-crs': `${crs}2154` })).status, 400)
})

test('a filter, a box, a time and a property hold together', async () => {
  const bbox = [WEST, SOUTH, WEST + 0.0099, SOUTH + 0.0009].join()
  assert.deepEqual(await lots({ bbox, filter: 'acres > 0.4' }), [5, 6, 7, 8, 9])
  const query = { bbox, filter: 'acres > 0.4', city: 'MADISON', datetime: '2025-06-01' }
  assert.deepEqual(await lots(query), [6, 8])
  assert.deepEqual(await lots({ ...query, datetime: '2019-06-01' }), [])
})

test('errors are problems, also of paths that do not exist', async () => {
  for (const path of ['/ogc/nothing', '/ogc/collections/parcels-wi/nothing', '/ogc/tiles/a/b']) {
    const { status, headers, json } = await get(path)
    assert.equal(status, 404, path)
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, path)
    assert.deepEqual([json.status, typeof json.title], [404, 'string'])
  }
})

test('only the asked properties are shown', async () => {
  const { json } = await get(ITEMS, { properties: 'city,yearBuilt', limit: 1 })
  assert.deepEqual(Object.keys(json.features[0].properties).sort(), ['city', 'yearBuilt'])
})

test('HTML is written for browsers, and escapes what is recorded', async () => {
  const page = await get(ITEMS, {}, { accept: 'text/html,application/xhtml+xml,*/*' })
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page.text, /QUILLFEATHER 3.*rel|next/s)
  const filter = "city <> '<script>'"
  const shown = await get(ITEMS, { filter, f: 'html' })
  assert.ok(!shown.text.includes('<script>'))
})

test('queryables and schema name what can be asked for and what is shown', async () => {
  const { json } = await get('/ogc/collections/parcels-wi/queryables')
  assert.equal(json.properties.acres.type, 'number')
  assert.ok(json.properties.geometry && json.properties.buildings === undefined)
  const schema = (await get('/ogc/collections/parcels-wi/schema')).json
  assert.ok(schema.properties.buildings)
  const { json: page } = await get(ITEMS, { limit: 1 })
  const shown = Object.keys(page.features[0].properties)
  assert.deepEqual(
    shown,
    Object.keys(schema.properties).filter((name) => name !== 'geometry'),
  )
})

test('a key is taken alone or as the password of HTTP Basic', async () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const status = async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await fetch(`${service.address}/ogc/collections`, { headers })
    const challenge = answer.headers.get('www-authenticate')
    assert.equal(challenge !== null, answer.status === 401)
    if (challenge !== null) assert.match(challenge, /^Basic realm=/)
    return answer.status
  }
  assert.equal(await status(key), 200)
  assert.equal(await status(basic(`anything:${key}`)), 200)
  assert.equal(await status(basic('anything:wrong')), 401)
  assert.equal(await status(undefined), 401)
})

test('pages without data need no key, and all others do', async () => {
  const { paths } = (await get('/ogc/api')).json
  const open: string[] = []
  for (const path of Object.keys(paths)) {
    const asked = path.replace('{collectionId}', 'parcels-wi').replaceAll(/\{\w+\}/g, '0')
    const { status } = await fetch(`${service.address}/ogc${asked}`)
    if (status === 200) open.push(path)
    else assert.equal(status, 401, path)
  }
  assert.deepEqual(open, ['/', '/conformance'])
})

test('tiles are those of the service, by row and column', async () => {
  const sets = (await get('/ogc/collections/parcels-wi/tiles')).json
  const set = (await get(sets.tilesets[0].links[0].href.replace(service.address, ''))).json
  assert.equal(set.tileMatrixSetURI.endsWith('WebMercatorQuad'), true)
  const [z, x, y] = [14, 4123, 6013]
  const template = set.links.find(({ rel }: Json) => rel === 'item').href
  const path = template
    .replace('{tileMatrix}', z)
    .replace('{tileRow}', y)
    .replace('{tileCol}', x)
    .replace(service.address, '')
  const [own, other] = [await get(path), await get(`/public/tiles/${z}/${x}/${y}`)]
  assert.equal(own.status, other.status)
  assert.equal(own.text, other.text)
  assert.equal((await get('/ogc/tiles/Other/1/1/1')).status, 404)
  assert.equal((await get('/ogc/tiles/WebMercatorQuad/1/9/9')).status, 400)
  assert.equal((await get('/ogc/tiles/WebMercatorQuad/16/1/1')).status, 204)
  assert.equal((await get('/ogc/tiles/WebMercatorQuad/99/1/1')).status, 404)
})

/** Reads all pages with a filter that takes 4 ms a parcel. */
async function readSlowly(searchTimeMs: number) {
  const store = openStore(service.config)
  const ids: number[] = []
  let [pages, pauses] = [0, 0]
  let after: Ranked | undefined
  const pause = async () => {
    pauses += 1
  }
  do {
    const asked = {
      ...{ state: 'WI', limit: 1000, after, order: undefined, facts: [], boxes: undefined },
      test() {
        for (const until = performance.now() + 4; performance.now() < until; );
        return true
      },
    }
    const queueSearch = (work: (given: typeof pause) => unknown) => work(pause)
    const context = { parcels: store.parcels, searchTimeMs, queueSearch }
    after = undefined
    for await (const { items, next } of readItems(asked as never, context as never)) {
      ids.push(...items.map(({ parcel }) => parcel.id))
      after = next
    }
    pages += 1
  } while (after !== undefined)
  await store.close()
  return { ids, pages, pauses }
}

test('a slow filter gives way after each parcel, and continues where its time ended', async () => {
  const count = (await lots()).length
  const { ids, pauses } = await readSlowly(600_000)
  assert.equal(ids.length, count)
  assert.ok(pauses >= count)
  const cut = await readSlowly(15)
  assert.ok(cut.pages > 3)
  assert.deepEqual(cut.ids, ids)
})

test('% and _ stand for characters, without time that grows with their number', () => {
  assert.ok(isLike('A%B', readPattern('A\\%B')) && !isLike('AxB', readPattern('A\\%B')))
  assert.ok(
    isLike('', readPattern('%')) &&
      !isLike('', readPattern('_')) &&
      isLike('abcabd', readPattern('%abd')),
  )
  assert.ok(!isLike('a'.repeat(4000), readPattern(`${'%a'.repeat(400)}b`)))
})
