/** Shapefiles without a .prj file: polygons need a stated projection, and inspect suggests one. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { makeDbf, makeShp } from './make-files.ts'
import { importRoll, makeFolder, openLoaded, readParcel, TODAY, write } from './small-roll.ts'

/** 30 squares south-west of Portland, in feet of EPSG:2913 or in degrees. */
function makeRoll(t: TestContext, [x, y, step]: [number, number, number]) {
  const data = makeFolder(t)
  const corners = Array.from({ length: 30 }, (_, at): [number, number] => [
    x + at * step,
    y + at * step,
  ])
  const rings = corners.map(([east, north]): [number, number][][] => [
    [
      [east, north],
      [east, north + step / 2],
      [east + step / 2, north + step / 2],
      [east + step / 2, north],
      [east, north],
    ],
  ])
  const shp = makeShp(rings)
  for (const [at, value] of [x, y, x + 30 * step, y + 30 * step].entries()) {
    shp.writeDoubleLE(value, 36 + 8 * at)
  }
  const rows = corners.map((_, at) => [`1S1-${1000 + at}`, `CARVER MARY ${at}`])
  write(
    data,
    'lots.dbf',
    makeDbf(
      [
        ['TAXLOT', 12],
        ['OWNER', 30],
      ],
      rows,
    ),
  )
  return { data, file: write(data, 'lots.shp', shp) }
}

const FEET: [number, number, number] = [7_600_000, 650_000, 400]
const place = { state: 'OR', county: 'Washington' }
const mapping = { ...loadMapping('platbook'), name: 'x', fields: { parcelId: 'TAXLOT' } }

test('polygons without a .prj file are refused, and the sentence names --epsg', async (t) => {
  const { data, file } = makeRoll(t, FEET)
  const options = { mapping, ...place, geometry: true }
  await assert.rejects(importRoll(data, [file], options), {
    message: /lots\.shp has no \.prj file.*--epsg CODE.*7600000 to 7612000 east/,
  })
  const degrees = makeRoll(t, [-122.9, 45.4, 0.001])
  await assert.rejects(importRoll(degrees.data, [degrees.file], options), {
    message: /looks like degrees: 4326/,
  })
  const withEpsg = { ...options, mapping: { ...mapping, epsg: 2913 } }
  assert.equal((await importRoll(data, [file], withEpsg)).loaded, 30)
  const parcel = await readParcel(openLoaded(t, data), 'OR', 41067, '1S11000')
  assert.ok((parcel.latitude ?? 0) > 45 && (parcel.latitude ?? 0) < 46, String(parcel.latitude))
})

test('inspect guesses the zone by the extent and drafts it', async (t) => {
  const { file } = makeRoll(t, FEET)
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...place })
  const epsg = draft.settings.find(({ name }) => name === 'epsg')
  assert.ok([2913, 2269].includes(Number(epsg?.value)), String(epsg?.value))
  assert.match(draft.warnings.join('\n'), /no \.prj file.*EPSG:\d+, .*Give --epsg \d+/)
})
