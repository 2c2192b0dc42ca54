/** Reads the features of TIGER/Line shapefiles, plain or zipped. */
import { buffer } from 'node:stream/consumers'
import { assemblePolygons } from '../geo/assemble.ts'
import { readPrj } from '../import/geo/projection.ts'
import { centroid, type Ring } from '../import/geo/shapes.ts'
import { type Part, unpack } from '../import/readers/container.ts'
import { openDbf } from '../import/readers/dbf.ts'
import { openRecords, readParts } from '../import/readers/shapefile.ts'
import { explainFile } from '../import/source.ts'
import { type Kind, kindOfArea, kindOfBoundary, kindOfLine, kindOfPlace } from './kinds.ts'

/** Degrees: a point, a line, or the rings of each polygon. */
type Shape =
  | { type: 'point'; at: readonly [number, number] }
  | { type: 'line'; line: Ring }
  | { type: 'polygons'; polygons: Ring[][] }

export type Feature = Kind & { name: string; shape: Shape }

/** By which zoom an area's name is there. */
const NAMES_ZOOM_MAX = 14

/** Corners of a line; longer ones are cut, because each tile reads a line as a whole. */
const CORNERS_MAX = 64

/** Yields a file's features in a state, by its two digits. Throws `CommandError` if damaged. */
export async function* readFeatures(path: string, fips: string): AsyncGenerator<Feature> {
  try {
    for await (const part of unpack(path)) {
      if (/\.shp$/i.test(part.name)) yield* readPart(part, fips)
    }
  } catch (error) {
    throw explainFile(error, path)
  }
}

async function* readPart(part: Part, fips: string): AsyncGenerator<Feature> {
  const dbf = part.beside('.dbf')
  if (dbf === undefined) return
  const project = await readProjection(part)
  // TIGER/Line files are in UTF-8 since 2015, and say so in a .cpg file alone.
  const table = await openDbf(dbf, 'utf-8')
  const records = await openRecords(part)
  const names = table.fields.map(({ name }) => name.toUpperCase())
  try {
    for (;;) {
      const row = await table.next()
      if (row === undefined) return
      const record = await records.next()
      if (row === null) continue
      const value = (name: string) => (row[names.indexOf(name)] ?? '').trim()
      if (names.includes('STATEFP') && value('STATEFP') !== fips) continue
      const parts = readParts(record).map((ring) => projectRing(ring, project))
      if (parts.length > 0) yield* makeFeatures(value, record.readInt32LE(0) % 10 === 5, parts)
    }
  } finally {
    await table.close()
    await records.close()
  }
}

/** TIGER's own is NAD 83, which differs from WGS 84 by less than two metres. */
async function readProjection(part: Part) {
  const prj = part.beside('.prj')
  if (prj === undefined) return (x: number, y: number): [number, number] | null => [x, y]
  return readPrj((await buffer(await prj.open())).toString('latin1'), prj.shown)
}

function projectRing(ring: Ring, project: (x: number, y: number) => readonly number[] | null) {
  return ring.flatMap(([x, y]): Ring => {
    const point = project(x, y)
    const isPlaced = point?.every(Number.isFinite) && Math.abs(point[1] as number) <= 85
    return isPlaced ? [point as unknown as [number, number]] : []
  })
}

type Value = (name: string) => string

function* makeFeatures(value: Value, isArea: boolean, parts: Ring[]): Generator<Feature> {
  const code = value('MTFCC')
  const name = value('FULLNAME') || value('NAME')
  if (!isArea) {
    const kind = kindOfLine(code)
    if (kind !== undefined) yield* cutLines(parts, { ...kind, name })
    return
  }
  const [land, water] = [Number(value('ALAND')), Number(value('AWATER'))]
  const boundary = kindOfBoundary(code)
  if (boundary !== undefined) yield* cutLines(parts, { ...boundary, name })
  if (/^G4[12]10$/.test(code)) {
    const kind = kindOfPlace(code, land, value('PCICBSA') === 'Y')
    const at = [Number(value('INTPTLON')), Number(value('INTPTLAT'))] as const
    if (at.every((one) => one !== 0 && Number.isFinite(one))) {
      yield { ...kind, name, shape: { type: 'point', at } }
    }
    return
  }
  const kind = kindOfArea(code, Math.max(land || 0, water || 0))
  const geometry = kind && assemblePolygons(parts)
  if (kind === undefined || geometry == null) return
  const polygons = (
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  ) as Ring[][]
  yield { ...kind, name: '', shape: { type: 'polygons', polygons } }
  // An area is in many tiles, and its name would be in each.
  const at = name === '' ? null : centroid(polygons.flat())
  const zoom = Math.min(NAMES_ZOOM_MAX, kind.zoom + 2)
  if (at !== null)
    yield { layer: 'places', kind: kind.layer, zoom, name, shape: { type: 'point', at } }
}

function* cutLines(lines: Ring[], about: Kind & { name: string }): Generator<Feature> {
  for (const line of lines) {
    for (let from = 0; from + 1 < line.length; from += CORNERS_MAX - 1) {
      const cut = line.slice(from, from + CORNERS_MAX)
      yield { ...about, shape: { type: 'line', line: cut } }
    }
  }
}
