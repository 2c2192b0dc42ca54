/** An ArcGIS layer comes whole, each row once, or not at all, whatever its server does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { CommandError } from '../../src/base/errors.ts'
import { UNREAD } from '../../src/import/batch.ts'
import { downloadLayer, type LayerJob } from '../../src/import/sources/arcgis/download.ts'
import { makeWeb, type Web } from '../../src/import/sources/web.ts'
import { makeFolder } from '../import/small-roll.ts'
import { repetitions } from '../repetitions.ts'
import { type ArcgisServer, type Faults, type Feature, startArcgis } from './arcgis-server.ts'

const RUNS = repetitions(30)

const WEB: Partial<Web> = { allowPrivate: true, pause: async () => {}, idleMs: 2000 }

const parcels = (count: number, step = 1): Feature[] =>
  Array.from({ length: count }, (_, at) => ({
    id: 1 + at * step,
    attributes: { PIN: `P${at}`, CLASS: at % 3 === 0 ? 'R' : 'X' },
  }))

type Come = { pins: unknown[]; lost: string[]; lines: Record<string, unknown>[] }

async function download(folder: string, server: ArcgisServer, job: Partial<LayerJob & Web> = {}) {
  const { geometry = false, force = false, ...web } = job
  const { files } = await downloadLayer(makeWeb({ ...WEB, ...web }), {
    address: server.address,
    ...job,
    folder,
    geometry,
    force,
  })
  return read(files)
}

function read(files: string[]): Come {
  const texts = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
  const lines = texts.map((text) => JSON.parse(text))
  const rows = lines.filter((line) => line[UNREAD] === undefined)
  return {
    lines,
    pins: rows.map(({ attributes }) => attributes.PIN),
    lost: lines.flatMap((line) => line[UNREAD] ?? []),
  }
}

async function serve(t: TestContext, features: Feature[], faults: Partial<Faults> = {}) {
  const server = await startArcgis(features, faults)
  t.after(() => server.close())
  return server
}

const pinsOf = (features: Feature[]) => features.map(({ attributes }) => attributes.PIN)

/** Faults from which a layer is had whole all the same. */
const MENDED: [string, Partial<Faults>][] = [
  ['no fault', {}],
  ['no paging', { supportsPagination: false, refusesOffset: true }],
  ['paging that is told and refused', { refusesOffset: true }],
  ['an offset that is ignored', { ignoresOffset: true }],
  ['an offset that is ignored, and no list of ids', { ignoresOffset: true, refusesIds: true }],
  ['no paging, no list of ids', { supportsPagination: false, refusesIds: true }],
  [
    'no list of ids, no statistics',
    { supportsPagination: false, refusesIds: true, refusesStatistics: true },
  ],
  ['a bound lower than told', { reallyAtMost: 7 }],
  [
    'a bound lower than told and no flag',
    { reallyAtMost: 7, hidesLimit: true, ignoresOffset: true },
  ],
  ['short pages', { shortEvery: 2 }],
  ['empty pages with the flag', { emptyEvery: 3 }],
  ['errors under status 200', { errorEvery: 3 }],
  ['web pages', { htmlEvery: 3 }],
  ['cut JSON', { cutEvery: 4 }],
  ['503 with Retry-After', { busyEvery: 3 }],
  ['broken connections', { dropEvery: 3 }],
  ['another id field', { idField: 'GIS.VECTOR.Parcels.FID_1' }],
  ['an id field that rows shorten', { idField: 'GIS.Parcels.FID_1', shortIdName: true }],
  ['a server that does not count', { refusesCount: true }],
  ['a server that heeds no condition', { ignoresWhere: true }],
  ['outSR refused', { refusesOutSr: true }],
]

for (const [name, faults] of MENDED) {
  test(`every row comes once: ${name}`, async (t) => {
    const features = parcels(230, 3)
    const server = await serve(t, features, faults)
    const { pins, lost } = await download(makeFolder(t), server)
    assert.deepEqual(pins.toSorted(), pinsOf(features).toSorted())
    assert.deepEqual(lost, [])
  })
}

test('rows that can be neither counted nor listed are loaded with --force alone', async (t) => {
  const server = await serve(t, parcels(120), { refusesCount: true, refusesIds: true })
  await assert.rejects(download(makeFolder(t), server), /neither counts nor lists its rows/)
  assert.equal((await download(makeFolder(t), server, { force: true })).pins.length, 120)
})

test('a row that breaks every answer becomes a reject, and all others come', async (t) => {
  for (const faults of [
    {},
    { supportsPagination: false },
    { supportsPagination: false, refusesIds: true },
  ]) {
    const features = parcels(120)
    const server = await serve(t, features, { ...faults, poison: [17, 99] })
    const { pins, lost } = await download(makeFolder(t), server)
    assert.equal(lost.length, 2)
    assert.match(lost[0] ?? '', /17: error 500 Bad geometry/)
    assert.deepEqual(
      pins.toSorted(),
      pinsOf(features.filter(({ id }) => id !== 17 && id !== 99)).toSorted(),
    )
  }
})

test('a server that stops giving rows ends the download with a sentence', async (t) => {
  const poison = parcels(200).map(({ id }) => id)
  const server = await serve(t, parcels(200), { poison })
  await assert.rejects(download(makeFolder(t), server), /does not give its rows/)
})

test('a layer that changes while read stops the import; --force loads the rows read', async (t) => {
  const faults = { growsAfter: 6 }
  const server = await serve(t, parcels(300), faults)
  await assert.rejects(
    download(makeFolder(t), server),
    /changed while it was read: 300 rows before, 301 after/,
  )
  const other = await serve(t, parcels(300), faults)
  assert.ok((await download(makeFolder(t), other, { force: true })).pins.length >= 300)
})

test('a token is passed on and asked for, and no message shows it', async (t) => {
  const server = await serve(t, parcels(10), { token: 'hush-1' })
  const address = `${server.address}?token=hush-1`
  assert.equal((await download(makeFolder(t), server, { address })).pins.length, 10)
  const wrong = download(makeFolder(t), server, { address: `${server.address}?token=hush-2` })
  await assert.rejects(wrong, (error: Error) => {
    assert.ok(error instanceof CommandError)
    assert.match(error.message, /not public \(499 Token Required\)/)
    assert.doesNotMatch(error.message, /hush/)
    return true
  })
})

test('a group layer names the layers that have rows', async (t) => {
  const server = await serve(t, [], { group: true })
  await assert.rejects(download(makeFolder(t), server), /without fields.*: 3 \(Parcels\)/)
})

test('polygons are asked for with --geometry alone, points always', async (t) => {
  const polygon = await serve(t, parcels(3))
  await download(makeFolder(t), polygon)
  assert.ok(polygon.requests.every(({ returnGeometry }) => returnGeometry !== 'true'))
  await download(makeFolder(t), polygon, { geometry: true })
  assert.ok(
    polygon.requests.some(
      ({ returnGeometry, outSR }) => returnGeometry === 'true' && outSR === '4326',
    ),
  )
  const point = await serve(t, parcels(3), { geometryType: 'esriGeometryPoint' })
  await download(makeFolder(t), point)
  assert.ok(point.requests.some(({ returnGeometry }) => returnGeometry === 'true'))
})

const RING = [
  [-96, 40],
  [-96, 41],
  [-95, 41],
  [-96, 40],
]
const drawn = (count: number) =>
  parcels(count).map((one) => ({ ...one, geometry: { rings: [RING] } }))
const isShown = ({ geometry }: Record<string, unknown>) => geometry !== null

/** Refusals that no way of asking for shapes is to blame for. */
const OTHER_REFUSALS: [string, Partial<Faults>][] = [
  ['offsets', { refusesOffset: true }],
  ['an order by ids', { refusesOrder: true }],
  [
    'lists and statistics',
    { supportsPagination: false, refusesIds: true, refusesStatistics: true },
  ],
  ['outSR and offsets', { refusesOffset: true, refusesOutSr: true }],
  ['pages with many shapes', { mostShapes: 20 }],
  ['pages with many shapes, read by ids', { mostShapes: 20, supportsPagination: false }],
]

for (const [name, faults] of OTHER_REFUSALS) {
  test(`a server that refuses ${name} gives its polygons all the same`, async (t) => {
    const features = drawn(120)
    const server = await serve(t, features, faults)
    const { pins, lost, lines } = await download(makeFolder(t), server, { geometry: true })
    assert.deepEqual(pins.toSorted(), pinsOf(features).toSorted())
    assert.deepEqual(lost, [])
    assert.equal(lines.filter(isShown).length, 120)
  })
}

test('rows that come twice are not asked for once more without shapes', async (t) => {
  const faults = { ignoresOffset: true, refusesIds: true, refusesStatistics: true }
  const server = await serve(t, drawn(120), faults)
  await assert.rejects(download(makeFolder(t), server, { geometry: true }), /rows twice/)
  const bare = server.requests.filter(
    ({ outFields, returnGeometry }) => outFields === '*' && returnGeometry === 'false',
  )
  assert.equal(bare.length, 0)
})

test('a download without shapes that was broken off is not continued with them', async (t) => {
  const folder = makeFolder(t)
  const server = await serve(t, drawn(400), { mostShapes: 0 })
  const bare = () => server.requests.filter(({ returnGeometry }) => returnGeometry === 'false')
  const isStopped = () => bare().some(({ resultOffset }) => Number(resultOffset) >= 100)
  await assert.rejects(download(folder, server, { geometry: true, isStopped }), /stopped/)
  server.faults.mostShapes = 1000
  const { lines } = await download(folder, server, { geometry: true })
  assert.equal(lines.filter(isShown).length, 400)
})

test('a server that refuses every shape gives its rows without', async (t) => {
  const server = await serve(t, parcels(60), { mostShapes: 0 })
  const { pins, lost } = await download(makeFolder(t), server, { geometry: true })
  assert.deepEqual([pins.length, lost], [60, []])
})

test('a server that refuses outSR gives its own projection, which becomes degrees', async (t) => {
  const features = parcels(2).map((one) => ({ ...one, geometry: { x: -10_757_000, y: 4_982_000 } }))
  const faults = { refusesOutSr: true, geometryType: 'esriGeometryPoint' }
  const server = await serve(t, features, faults)
  const { lines } = await download(makeFolder(t), server)
  const { x = 0, y = 0 } = (lines[0]?.geometry ?? {}) as { x?: number; y?: number }
  assert.ok(Math.abs(x + 96.632) < 0.01 && Math.abs(y - 40.799) < 0.01, `${x} ${y}`)
})

test('texts of a coded-value domain are a column next to their codes', async (t) => {
  const server = await serve(t, parcels(2))
  const { lines } = await download(makeFolder(t), server)
  const [first, second] = lines.map(({ attributes }) => attributes as Record<string, unknown>)
  assert.deepEqual([first?.CLASS, first?.d_CLASS], ['R', 'Residential'])
  assert.deepEqual([second?.CLASS, second?.d_CLASS], ['X', null])
})

for (const faults of [{}, { supportsPagination: false }]) {
  test(`a download that was broken off goes on (${JSON.stringify(faults)})`, async (t) => {
    const folder = makeFolder(t)
    const server = await serve(t, parcels(400), faults)
    let asked = 0
    const isStopped = () => {
      asked += 1
      return asked > 9
    }
    const stopped = download(folder, server, { isStopped })
    await assert.rejects(stopped, /stopped/)
    const before = server.requests.length
    const { pins } = await download(folder, server)
    assert.deepEqual(pins.toSorted(), pinsOf(server.features).toSorted())
    const rowQueries = server.requests.slice(before).filter(({ outFields }) => outFields === '*')
    assert.ok(rowQueries.length < 8, `${rowQueries.length} of 8 pages`)
  })
}

const every = fc.constantFrom(0, 0, 0, 2, 3, 5, 7)
const anyFaults: fc.Arbitrary<Partial<Faults>> = fc.record({
  idField: fc.constantFrom('OBJECTID', 'FID', 'GIS.A.OID_'),
  shortIdName: fc.boolean(),
  maxRecordCount: fc.integer({ min: 1, max: 60 }),
  reallyAtMost: fc.constantFrom(1, 4, 1000, 1000),
  supportsPagination: fc.boolean(),
  ignoresOffset: fc.boolean(),
  ignoresOrder: fc.boolean(),
  ignoresWhere: fc.boolean(),
  refusesOffset: fc.boolean(),
  refusesIds: fc.boolean(),
  refusesStatistics: fc.boolean(),
  refusesCount: fc.boolean(),
  refusesOutSr: fc.boolean(),
  hidesLimit: fc.boolean(),
  shortEvery: every,
  emptyEvery: every,
  errorEvery: every,
  htmlEvery: every,
  cutEvery: every,
  busyEvery: every,
  dropEvery: every,
  poison: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }),
  withheld: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 2 }),
  growsAfter: fc.constantFrom(0, 0, 0, 9),
})

test(`with any faults, each row is read once or the read stops (${RUNS} runs)`, async (t) => {
  let whole = 0
  await fc.assert(
    fc.asyncProperty(
      anyFaults,
      fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 120 }),
      async (faults, ids) => {
        const features = ids.map((id) => ({ id, attributes: { PIN: `P${id}` } }))
        const server = await startArcgis(features, faults)
        try {
          const { pins, lost } = await download(makeFolder(t), server)
          whole += 1
          const known = new Set(pinsOf(server.features))
          assert.equal(new Set(pins).size, pins.length, 'no row twice')
          assert.ok(
            pins.every((pin) => known.has(pin)),
            'no row that is not there',
          )
          assert.equal(pins.length + lost.length, server.features.length, 'no row is missing')
        } catch (error) {
          assert.ok(error instanceof CommandError, String((error as Error).stack))
        } finally {
          await server.close()
        }
      },
    ),
    { numRuns: RUNS },
  )
  assert.ok(whole > RUNS / 10, `${whole} of ${RUNS} came whole`)
  t.diagnostic(`${whole} of ${RUNS} came whole, the others stopped with a sentence`)
})
