/** GDAL's driver of OGC API Features reads what an export writes. Skipped without `ogr2ogr`. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { runExport } from '../../../src/export/run.ts'
import { openExport } from '../../../src/store/open-rolls.ts'
import { startService } from '../../service.ts'
import { LOTS, ROLL, SOUTH, WEST } from './roll.ts'

const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0
const skip = hasGdal ? false : 'ogr2ogr is not installed (Debian: gdal-bin)'

const service = await startService('')
await service.importRoll(ROLL, { geometry: true })
after(() => service.close())
const key = await service.keyFor()

type Feature = { geometry: { type: string; coordinates: unknown } | null; properties: Values }
type Values = Record<string, unknown>

/** Reads all items with GDAL, as GeoJSON. */
async function read(...options: string[]): Promise<Feature[]> {
  const out = join(service.config.data, `gdal-${options.length}-${Date.now()}.json`)
  const login = ['GDAL_HTTP_USERPWD', `any:${key}`, 'GDAL_HTTP_AUTH', 'BASIC']
  const config = [0, 2].flatMap((at) => ['--config', ...login.slice(at, at + 2)])
  const source = `OAPIF:${service.address}/ogc`
  const words = [...config, '-f', 'GeoJSON', '-oo', 'PAGE_SIZE=7', out, source, 'parcels-wi']
  const debug = ['--config', 'CPL_DEBUG', 'OAPIF']
  const { stderr } = await promisify(execFile)('ogr2ogr', [...debug, ...words, ...options])
  assert.doesNotMatch(stderr, /evaluated on client side/)
  return JSON.parse(readFileSync(out, 'utf8')).features
}

async function readExport(): Promise<Feature[]> {
  const path = join(service.config.data, 'export.geojsonl')
  const reader = await openExport(service.config)
  const scope = { state: 'WI', fips: undefined, changedSince: undefined }
  const onProgress = () => {}
  const form = { format: 'geojsonl', layout: 'flat', overwrite: true, loaded: [] } as const
  await runExport(reader, { scope, path, onProgress, ...form })
  await reader.close()
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

const idOf = ({ properties }: Feature) => String(properties.propertyId)

test('GDAL reads every parcel over pages, as it is exported', { skip }, async () => {
  const [found, exported] = [await read(), await readExport()]
  assert.deepEqual(found.map(idOf), exported.map(idOf))
  assert.equal(found.length, LOTS + 1)
  const names = [
    'parcelId',
    'address',
    'city',
    'ownerName',
    'totalMarketValue',
    'acres',
    'yearBuilt',
  ]
  for (const [at, { geometry, properties }] of found.entries()) {
    const other = exported[at] as Feature
    assert.deepEqual(geometry, other.geometry)
    for (const name of names) assert.equal(properties[name] ?? null, other.properties[name], name)
  }
})

test('GDAL filters by attributes and by boxes at the service', { skip }, async () => {
  const found = await read('-where', "city = 'MADISON' AND totalMarketValue >= 50000")
  assert.deepEqual(
    found.map(({ properties }) => properties.totalMarketValue),
    [50_000, 52_000, 54_000, 56_000, 58_000, 60_000],
  )
  const places = await read('-where', "city ILIKE 'madi%' AND acres < 1 OR address = '7 MAPLE ST'")
  assert.deepEqual(
    places.map(({ properties }) => properties.acres),
    [0.2, 0.4, 0.6, 0.7, 0.8],
  )
  const box = [WEST + 0.0017, SOUTH + 0.0012, WEST + 0.0023, SOUTH + 0.0022].map(String)
  const near = await read('-spat', ...box)
  assert.deepEqual(near.map(idOf).sort(), ['55025-LOT/011', '55025-LOT/012', '55025-LOT/022'])
})
