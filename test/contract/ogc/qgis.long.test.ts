/** QGIS opens a collection and the tiles with a key. Skipped without QGIS's Python. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../../service.ts'
import { LOTS, lot, ROLL } from './roll.ts'

/** Debian's; another Python does not find QGIS. */
const PYTHON = '/usr/bin/python3'
const hasQgis = spawnSync(PYTHON, ['-c', 'import qgis.core']).status === 0
const skip = hasQgis ? false : 'QGIS is not installed (Debian: python3-qgis)'

/** Around the lots, in EPSG:3857. */
const BOX = '-9951962,5322632,-9950849,5323546'

const service = await startService('')
await service.importRoll(ROLL, { geometry: true })
after(() => service.close())

type Item = { propertyId: string; shape: { coordinates: unknown } | null }

async function read(key: string, box: string) {
  const home = service.config.data
  const program = join(import.meta.dirname, 'read-with-qgis.py')
  const { stdout } = await promisify(execFile)(
    PYTHON,
    [program, service.address, 'parcels-wi', box],
    {
      timeout: 120_000,
      env: {
        ...{ PATH: '/usr/bin:/bin', HOME: home, QGIS_CUSTOM_CONFIG_PATH: home },
        ...{ QT_QPA_PLATFORM: 'offscreen', PLATBOOK_API_KEY: key },
      },
    },
  )
  return JSON.parse(stdout) as { crs: string; items: Item[]; filtered: Item[]; drawn: number }
}

test('QGIS reads every parcel over pages, filters them, and draws the tiles', {
  skip,
}, async () => {
  const { items, filtered, drawn } = await read(await service.keyFor(), BOX)
  assert.equal(new Set(items.map(({ propertyId }) => propertyId)).size, LOTS + 1)
  for (const { propertyId, shape } of items) {
    const number = Number(/^55025-LOT\/(\d+)$/.exec(propertyId)?.[1] ?? Number.NaN)
    if (Number.isNaN(number) || number % 7 === 0) continue
    const { coordinates } = JSON.parse(String(lot(number).geometry))
    assert.deepEqual(shape?.coordinates, coordinates, propertyId)
  }
  assert.equal(filtered.length, LOTS / 2)
  assert.ok(drawn > 1000, `${drawn} pixels`)
  const far = await read(await service.keyFor(), '0,0,1000,1000')
  assert.equal(far.drawn, 0)
})

test('QGIS opens nothing with another key', { skip }, async () => {
  await assert.rejects(read('pb_none', BOX), /QGIS opens no layer/)
})
