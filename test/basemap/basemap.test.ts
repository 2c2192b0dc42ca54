/** `platbook basemap` over invented shapefiles of the Census's layout, and what its tiles show. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { CommandError } from '../../src/base/errors.ts'
import { openBasemaps } from '../../src/basemap/archives.ts'
import { listFiles } from '../../src/basemap/census-files.ts'
import { basemapCommand } from '../../src/cli/commands/rolls/basemap.ts'
import { tileAt } from '../../src/geo/tile.ts'
import { runCommand } from '../command.ts'
import { writeTiger } from './tiger.ts'

const TOWN = { fips: '55025', at: [-89.42, 43.05] as [number, number], blocks: 30, width: 0.0025 }
const MIDDLE: [number, number] = [-89.3825, 43.0763]

let folder: string
let data: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'platbook-basemap-'))
  data = join(folder, 'data')
  mkdirSync(data)
  writeTiger(join(folder, 'tiger'), TOWN)
  // As typed, so that the words of the command line reach it.
  const words = ['src/cli/main.ts', 'basemap', join(folder, 'tiger'), '--state', 'WI']
  const made = spawnSync(process.execPath, [...words, '--data', data], { encoding: 'utf8' })
  assert.match(made.stdout, /^WI: 1 land, 1 water, 2 streams, \d+ boundaries, \d+ roads, 3 places/)
})
after(() => rmSync(folder, { recursive: true }))

type Shown = { kind: string; name?: string; type: number }

/** Returns what a tile shows by layer. */
async function readTile(at: [number, number], z: number): Promise<Record<string, Shown[]>> {
  const basemaps = openBasemaps(data)
  try {
    const bytes = await basemaps.tile('WI', tileAt(at, z))
    if (bytes === undefined) return {}
    const { layers } = new VectorTile(new PbfReader(gunzipSync(bytes)))
    return Object.fromEntries(
      Object.entries(layers).map(([name, layer]) => [
        name,
        Array.from({ length: layer.length }, (_, at) => {
          const { properties, type } = layer.feature(at)
          return { ...properties, type } as Shown
        }),
      ]),
    )
  } finally {
    await basemaps.close()
  }
}

const namesOf = (shown: Shown[] | undefined) => new Set(shown?.map(({ name }) => name))

test('streets, water, land, places and outlines are drawn as lines, areas and points', async () => {
  const { roads, water, land } = await readTile([-89.364, 43.0837], 14)
  assert.ok(namesOf(roads).has('N 23TH ST'))
  assert.deepEqual(water, [{ kind: 'water', type: 3 }])
  assert.equal(land, undefined)
  const park = await readTile([-89.394, 43.08], 14)
  assert.deepEqual(park.land, [{ kind: 'park', type: 3 }])
  assert.deepEqual(park.places, [{ kind: 'land', name: 'Pioneers Park', type: 1 }])
  const near = await readTile(MIDDLE, 12)
  assert.ok(near.places?.some(({ kind, name }) => kind === 'city' && name === 'Wrenfield'))
  const { streams } = await readTile([-89.3825, 43.0636], 12)
  assert.deepEqual(streams?.[0], { kind: 'stream', name: 'Salt Crk', type: 2 })
  const far = await readTile(MIDDLE, 6)
  assert.deepEqual([...namesOf(far.roads)], ['I- 80'])
  assert.deepEqual(
    far.boundaries?.map(({ kind }) => kind),
    ['county'],
  )
})

test('small roads begin at the zoom that can show them, and letters stay whole', async () => {
  const kinds = async (z: number) =>
    [...new Set((await readTile([-89.4195, 43.0505], z)).roads?.map(({ kind }) => kind))].sort()
  assert.deepEqual(await kinds(7), ['motorway'])
  assert.deepEqual(await kinds(10), ['main'])
  assert.deepEqual(await kinds(12), ['main', 'street'])
  assert.deepEqual(await kinds(14), ['main', 'path', 'street'])
  const { roads } = await readTile([-89.4195, 43.0505], 14)
  assert.ok(namesOf(roads).has('Cañon Path'))
})

test('a line that crosses a tile is cut at its edges and goes on in the next one', async () => {
  const basemaps = openBasemaps(data)
  const tile = tileAt(MIDDLE, 14)
  const endsOf = async (x: number) => {
    const bytes = (await basemaps.tile('WI', { ...tile, x })) as Buffer
    const { roads } = new VectorTile(new PbfReader(gunzipSync(bytes))).layers
    const across = Array.from({ length: roads?.length ?? 0 }, (_, at) => roads?.feature(at))
      .filter((road) => road?.properties.kind === 'motorway')
      .flatMap(
        (road) =>
          road
            ?.loadGeometry()
            .flat()
            .map((corner) => corner.x) ?? [],
      )
    return [Math.min(...across), Math.max(...across)]
  }
  assert.deepEqual(await endsOf(tile.x), [-64, 4160])
  assert.deepEqual(await endsOf(tile.x + 1), [-64, 4160])
  await basemaps.close()
})

test('another run replaces the archive, and a failed one leaves it', async () => {
  const basemaps = openBasemaps(data)
  const [before] = await basemaps.list()
  assert.deepEqual([before?.state, before?.maxZoom], ['WI', 14])
  await assert.rejects(
    runCommand(
      basemapCommand,
      ['--state', 'WI', '--county', 'Rock', join(folder, 'tiger', 'ROADS')],
      {
        data,
      },
    ),
    /none of the 0 files has streets, water or places of WI/,
  )
  await assert.rejects(
    runCommand(basemapCommand, ['--state', 'WI', join(folder, 'nowhere')], { data }),
    /nowhere does not exist/,
  )
  for (const [name, bytes] of [
    ['cut.zip', 'PK\u0003\u0004cut'],
    ['cut.shp', 'cut'],
  ] as const) {
    writeFileSync(join(folder, name), bytes)
    writeFileSync(join(folder, 'cut.dbf'), bytes)
    await assert.rejects(
      runCommand(basemapCommand, ['--state', 'WI', join(folder, name)], { data }),
      (error: Error) =>
        error instanceof CommandError &&
        /cut\.\w+ is (?:not a dBASE|cut short)/.test(error.message),
      name,
    )
  }
  assert.deepEqual((await basemaps.list())[0]?.mark, before?.mark)
  const again = await runCommand(
    basemapCommand,
    ['--state', 'WI', '--json', join(folder, 'tiger', 'ROADS')],
    { data },
  )
  assert.deepEqual(Object.keys(again.json().features as object), ['roads'])
  const [now] = await basemaps.list()
  assert.notEqual(now?.mark, before?.mark)
  assert.equal(await basemaps.tile('IA', tileAt(MIDDLE, 12)), undefined)
  assert.equal(await basemaps.tile('../WI', tileAt(MIDDLE, 12)), undefined)
  await basemaps.close()
  assert.deepEqual(readdirSync(join(data, 'basemap')), ['WI.pmtiles'])
  // Other users of the machine may not read it.
  assert.equal(statSync(join(data, 'basemap', 'WI.pmtiles')).mode & 0o077, 0)
})

test('an address that ends in a slash is read as the site of the Census is laid out', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    try {
      response.end(readFileSync(join(folder, 'tiger', request.url ?? '')))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const words = ['--state', 'WI', '--county', 'Dane', '--county', 'Rock', '--allow-private', base]
  const { out, err } = await runCommand(basemapCommand, words, { data })
  server.close()
  assert.match(out, /^WI: 1 land, 1 water, 2 streams/)
  assert.match(err, /3 files are not there, such as .*tl_2025_55105_areawater\.zip/)
  assert.equal(asked.length, 9)
  assert.deepEqual(readdirSync(join(data, 'downloads')), [])
})

test('without a source the files of all counties are those of the Census', () => {
  const files = listFiles([], { state: 'DE', fips: '10', counties: [], year: '2025' })
  assert.equal(files.length, 3 * 3 + 3)
  assert.ok(files.every((file) => file.startsWith('https://www2.census.gov/geo/tiger/TIGER2025/')))
  assert.ok(files.some((file) => file.endsWith('/ROADS/tl_2025_10001_roads.zip')))
  assert.ok(files.some((file) => file.endsWith('/COUNTY/tl_2025_us_county.zip')))
})
