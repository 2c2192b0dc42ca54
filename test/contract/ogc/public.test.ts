/** Public mode: what anybody may read through `/ogc/` without a key, and nothing else. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { suppressAdd } from '../../../src/cli/commands/rolls/suppress.ts'
import { EVERYTHING } from '../../../src/http/ogc/fields.ts'
import { PAGES } from '../../../src/http/ogc/routes.ts'
import { runCommand } from '../../command.ts'
import { startService } from '../../service.ts'
import { LOTS, ROLL, SOUTH, WEST } from './roll.ts'

const PUBLIC = ['address', 'city', 'yearBuilt', 'geometry']
const service = await startService('', { publicFields: PUBLIC, publicRate: 100_000 })
await service.importRoll(ROLL, { geometry: true })
after(() => service.close())

const ITEMS = '/ogc/collections/parcels-wi/items'
/** Words of owners, mailing addresses and other fields that are not public. */
const SECRET = /QUILLFEATHER|HIDDEN|ELSEWHERE|53703|totalMarketValue|ownerName/

async function get(path: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams(query).toString()
  const answer = await fetch(`${service.address}${path}${search === '' ? '' : `?${search}`}`)
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
}

test('no path shows anything else, in any format', async () => {
  const values: Record<string, string> = {
    ...{ collectionId: 'parcels-wi', propertyId: '55025-LOT%2F001' },
    ...{ tileMatrixSetId: 'WebMercatorQuad', tileMatrix: '16' },
    ...{ tileRow: '24055', tileCol: '16493' },
  }
  for (const { path } of PAGES) {
    const own = `/ogc${path.replaceAll(/:(\w+)/g, (_, name) => values[name] ?? name)}`
    for (const f of ['json', 'html']) {
      const { status, text } = await get(own, { f })
      assert.ok(status === 200 || status === 204, `${own} ${f}: ${status}`)
      assert.doesNotMatch(text, SECRET, `${own} ${f}`)
    }
  }
})

test('tiles have the shapes and only the public texts', async () => {
  const column = Math.floor(((WEST + 0.002 + 180) / 360) * 2 ** 16)
  const sine = Math.sin(((SOUTH + 0.001) * Math.PI) / 180)
  const row = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** 16)
  const { status, text } = await get(`/ogc/tiles/WebMercatorQuad/16/${row}/${column}`)
  assert.equal(status, 200)
  assert.match(text, /MAPLE ST/)
  assert.match(text, /parcels/)
  // Numbers of the values are written after the names of the layer's properties.
  const own = await fetch(`${service.address}/ogc/tiles/WebMercatorQuad/16/${row}/${column}`, {
    headers: { authorization: await service.keyFor() },
  })
  assert.ok((await own.arrayBuffer()).byteLength > text.length)
})

test('no filter, order, property or time may ask about another field', async () => {
  const hidden = EVERYTHING.fields.filter(
    ({ name }) => name !== 'propertyId' && !PUBLIC.includes(name),
  )
  assert.ok(hidden.length > 100)
  for (const { name } of hidden) {
    const asked = [
      { filter: `${name} IS NULL` },
      { filter: `address = 'X' OR NOT (${name} = '1')` },
      {
        filter: JSON.stringify({ op: 'isNull', args: [{ property: name }] }),
        'filter-lang': 'cql2-json',
      },
      ...[{ sortby: name }, { sortby: `-${name}` }, { properties: name }, { [name]: '1' }],
    ]
    for (const query of asked) {
      // The order of first loads is no field's.
      if (name === '_id' && 'sortby' in query && query.sortby === '_id') continue
      const { status, text } = await get(ITEMS, query)
      assert.equal(status, 400, JSON.stringify(query))
      assert.doesNotMatch(text, /QUILLFEATHER|HIDDEN LN/)
    }
    const { status } = await get(`${ITEMS}/55025-LOT%2F001`, { properties: name })
    assert.equal(status, 400, name)
  }
  assert.equal((await get(ITEMS, { datetime: '2025-01-01' })).status, 400)
})

test('public fields can be asked for', async () => {
  const query = { filter: "city = 'MADISON' AND yearBuilt < 1905", sortby: '-yearBuilt' }
  const { status, text } = await get(ITEMS, query)
  assert.equal(status, 200)
  const { features } = JSON.parse(text)
  const names = features.map(({ properties }: { properties: object }) => Object.keys(properties))
  assert.deepEqual(
    names,
    [1, 2].map(() => ['propertyId', 'address', 'city', 'yearBuilt']),
  )
  assert.equal((await get(ITEMS, { bbox: '-90,43,-89,44' })).status, 200)
})

test('other paths, and wrong keys, need a key as before', async () => {
  assert.equal((await get('/public/property/search/', { state: 'WI' })).status, 401)
  const wrong = { headers: { authorization: 'wrong' } }
  assert.equal((await fetch(`${service.address}${ITEMS}`, wrong)).status, 401)
})

test('without geometry among the fields there are no shapes, boxes and tiles', async (t) => {
  const plain = await startService(ROLL, { publicFields: ['city'], publicRate: 5, workers: 1 })
  t.after(() => plain.close())
  const ask = async (path: string) => fetch(`${plain.address}${path}`)
  const { features } = JSON.parse(await (await ask(ITEMS)).text())
  assert.equal(features[0].geometry, null)
  const around = encodeURIComponent('S_INTERSECTS(geometry, POINT(0 0))')
  assert.equal((await ask(`${ITEMS}?bbox=-90,43,-89,44`)).status, 400)
  assert.equal((await ask(`${ITEMS}?filter=${around}`)).status, 400)
  assert.equal((await ask('/ogc/tiles/WebMercatorQuad/16/24055/16493')).status, 400)
  // Five requests a minute for an address; those with a key are not among them.
  await ask('/ogc/collections')
  const limited = await ask('/ogc/collections')
  assert.deepEqual([limited.status, limited.headers.has('retry-after')], [429, true])
  const authorization = await plain.keyFor()
  const keyed = await fetch(`${plain.address}/ogc/collections`, { headers: { authorization } })
  assert.equal(keyed.status, 200)
})

test('what is suppressed is in no list, count, order, filter, item and tile', async (t) => {
  const publicFields = ['address', 'city', 'ownerName', 'acres', 'yearBuilt', 'geometry']
  const own = await startService('', { publicFields, publicRate: 100_000 })
  t.after(() => own.close())
  await own.importRoll(ROLL, { geometry: true })
  const suppress = async (...words: string[]) => {
    await runCommand(suppressAdd, [...words, '--basis', 'a law'], { data: own.config.data })
  }
  await suppress('--property', '55025-LOT/012', '--scope', 'both')
  await suppress('--property', '55025-LOT/022', '--scope', 'owner')
  await suppress('--property', '55025-LOT/032', '--scope', 'address')
  // Takes effect within a second.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  const ask = async (path: string, query: Record<string, string> = {}) => {
    const answer = await fetch(`${own.address}${path}?${new URLSearchParams(query)}`)
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    return { status: answer.status, text }
  }
  const lists: Record<string, string>[] = [
    ...[{}, { sortby: '-yearBuilt' }, { bbox: '-90,43,-89,44' }, { filter: 'acres > 0.1' }],
    ...[{ filter: "propertyId = '55025-LOT/012'" }, { filter: "ownerName LIKE 'QUILL%'" }],
    ...[{ filter: "address LIKE '%MAPLE%' OR address IS NULL" }, { city: 'MADISON' }],
    { filter: 'S_INTERSECTS(geometry, BBOX(-90, 43, -89, 44)) AND acres >= 0' },
  ]
  for (const query of lists) {
    for (const f of ['json', 'html']) {
      const { status, text } = await ask(ITEMS, { ...query, f, limit: '1000' })
      assert.equal(status, 200)
      const told = JSON.stringify(query)
      assert.doesNotMatch(text, /"55025-LOT\/012"|>55025-LOT\/012<|QUILLFEATHER 12\b/, told)
      assert.doesNotMatch(text, /QUILLFEATHER 22\b|[^0-9]32 MAPLE/, told)
    }
  }
  // Numbers tell nothing either: one parcel less, and no owner, address or shape that matches.
  const counts: [Record<string, string>, number][] = [
    [{}, LOTS],
    [{ filter: "propertyId = '55025-LOT/012'" }, 0],
    [{ filter: "ownerName = 'QUILLFEATHER 22'" }, 0],
    [{ filter: "address = '32 MAPLE ST'" }, 0],
    [{ filter: 'S_INTERSECTS(geometry, BBOX(-180,-90,180,90))' }, LOTS - 2],
  ]
  for (const [query, count] of counts) {
    const { numberReturned, numberMatched } = JSON.parse(
      (await ask(ITEMS, { ...query, limit: '1000' })).text,
    )
    assert.equal(numberReturned, count, JSON.stringify(query))
    assert.ok(numberMatched === undefined || numberMatched === count)
  }
  assert.equal((await ask(`${ITEMS}/55025-LOT%2F012`)).status, 404)
  assert.doesNotMatch((await ask(`${ITEMS}/55025-LOT%2F022`)).text, /QUILLFEATHER/)
  const column = Math.floor(((WEST + 0.0014 + 180) / 360) * 2 ** 16)
  const sine = Math.sin(((SOUTH + 0.0014) * Math.PI) / 180)
  const row = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** 16)
  const { status, text } = await ask(`/ogc/tiles/WebMercatorQuad/16/${row}/${column}`)
  assert.equal(status, 200)
  assert.match(text, /55025-LOT\/011/)
  assert.doesNotMatch(text, /55025-LOT\/012|32 MAPLE|QUILLFEATHER/)
})

test('pages for anybody tell nothing of what is loaded', async () => {
  const paths = ['/openapi.json', '/llms.txt', '/sitemap.xml', '/robots.txt', '/ogc/', '/ogc/api']
  for (const path of [...paths, '/releases/', '/healthz', '/readyz', '/ogc/nothing']) {
    const { text } = await get(path)
    assert.doesNotMatch(text, /QUILLFEATHER|HIDDEN LN|MAPLE ST|LOT\/0/, path)
  }
})

test('a name that is no field stops the start', async () => {
  await assert.rejects(startService('', { publicFields: ['ownerNam'] }), /is not a field/)
})
