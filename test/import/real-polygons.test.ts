/**
 * Points in the polygons of a real roll, against GDAL's own test of them. Without the rolls beside
 * the checkout, or without gdal-bin with SpatiaLite, this test skips.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IS_LONG } from '../repetitions.ts'
import { startService } from '../service.ts'
import { importRoll, makeFolder } from './small-roll.ts'

const ROLL = fileURLToPath(
  new URL('../../../shared/data/ne-lancaster/shapefiles/Export(13).zip', import.meta.url),
)
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0
const lacks = !existsSync(ROLL)
  ? 'the folder of real rolls is not beside the checkout'
  : !hasOgr && 'ogr2ogr is not installed (Debian: gdal-bin)'
const skip = IS_LONG ? lacks : 'npm run test:long reads real polygons'

const PLACES = 20

test(`ne-lancaster: the polygons at ${PLACES} places are those of ogr2ogr`, { skip }, async (t) => {
  const data = makeFolder(t)
  const layer = join(data, 'lots.gpkg')
  run([layer, `/vsizip/${ROLL}`, 'Ownership Parcels', '-t_srs', 'EPSG:4326', '-nln', 'lots'])
  const inner = 'ST_PointOnSurface(geom)'
  const lots = ask(layer, `SELECT ST_X(${inner}) AS x, ST_Y(${inner}) AS y FROM lots ORDER BY fid`)
  const places = Array.from({ length: PLACES }, (_, place) => {
    return lots[Math.floor((lots.length * (place + 0.5)) / PLACES)] as string[]
  })
  await importRoll(data, [ROLL], { mapping: 'ne-lancaster', geometry: true })
  const service = await startService('', { data })
  const key = await service.keyFor({ responseShape: 'flat' })
  let found = 0
  try {
    for (const [longitude = '', latitude = ''] of places) {
      const point = `MakePoint(${longitude}, ${latitude}, 4326)`
      const held = ask(layer, `SELECT PARCELID FROM lots WHERE ST_Intersects(geom, ${point})`)
      const { body } = await service.get(
        '/public/property/point/',
        { latitude, longitude },
        { key },
      )
      const ids = body.properties.map(({ parcelId }: { parcelId: string }) => parcelId)
      assert.deepEqual(ids.sort(), [...new Set(held.flat())].sort(), `${longitude} ${latitude}`)
      found += ids.length
    }
  } finally {
    // Before its folder is removed.
    await service.close()
  }
  assert.ok(found >= PLACES, `${found} parcels at ${PLACES} places`)
})

/** Rows of a statement of SpatiaLite, without the names of its columns. */
function ask(layer: string, sql: string): string[][] {
  const printed = run(['/vsistdout/', layer, '-dialect', 'sqlite', '-sql', sql], 'CSV')
  const lines = printed.trim().split('\n').slice(1)
  return lines.map((line) => line.replaceAll('"', '').split(','))
}

function run(words: string[], format = 'GPKG'): string {
  const { status, stdout, stderr } = spawnSync('ogr2ogr', ['-f', format, ...words], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout
}
