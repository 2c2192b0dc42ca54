/** Finds the projection that a file names in words, or by a code of EPSG or Esri. */

import type { DegreeBox } from '../../base/model/coverage.ts'
import { readTable } from '../../base/tables.ts'
import { hasProjection, type Project, projection } from './projection.ts'

/**
 * Returns the projection of a name: `EPSG:2263`, `ESRI:102718`, `NAD83 / New York Long Island`,
 * `NAD_1983_StatePlane_Nebraska_FIPS_2600_Feet`, `WGS 84 / UTM zone 14N`. If it is not known,
 * nothing is placed, and `unknown` says why.
 */
export function namedProjection(name: string): Project {
  const code = /(?:EPSG|ESRI)(?:\W[\d.]*\W)?\W*(\d{4,6})\s*$/i.exec(name)?.[1]
  if (code !== undefined && !/ESRI/i.test(name)) return projection(Number(code))
  if (code !== undefined && hasProjection(Number(code))) return projection(Number(code))
  const words = name.replaceAll('_', ' ').toUpperCase().trim()
  const world = WORLD.find(([pattern]) => pattern.test(words))
  if (world !== undefined) return projection(world[1])
  const zone = readZone(words)
  return zone === undefined || zone.systems.length === 0 ? unknown(name) : choose(zone, name)
}

const WORLD: [RegExp, number][] = [
  [/CRS:?84$|^(?:GCS )?WGS ?(?:19)?84$/, 4326],
  [/^(?:GCS )?(?:NAD ?(?:19)?83|NORTH AMERICAN 1983)(?: \d{4}| HARN)?$/, 4269],
  [/^(?:GCS )?(?:NAD ?(?:19)?27|NORTH AMERICAN 1927)$/, 4267],
  [/PSEUDO[- ]MERCATOR|WEB MERCATOR/, 3857],
]

/** A zone of NAD83, with or without its realization; UTM also on WGS 84, which is as near. */
const ZONE = new RegExp(
  String.raw`^(?:NAD ?(?:19)?83 ?\(?(?:HARN|NSRS ?2007|2011|CORS96|HPGN)?\)?` +
    '|WGS ?(?:19)?84(?=.*UTM)) ?/? ?(?:STATE ?PLANE )?(.+)$',
)
const UNIT = / \(?(FT ?US|US ?FT|FEET INTL|FEET|FT)\)?$/

/** The systems of a zone's name, those of the named unit first. */
type Zone = { systems: Extent[]; unit: string }

function readZone(words: string): Zone | undefined {
  const text = ZONE.exec(words)?.[1]
  if (text === undefined) return undefined
  const unit = unitOf(text)
  const key = keyOf(text)
  const systems = EXTENTS.filter((one) => keyOf(one.name.toUpperCase()) === key)
  return { unit, systems: systems.sort((a, b) => rank(a, unit) - rank(b, unit)) }
}

const rank = ({ name }: Extent, unit: string) => (unitOf(name.toUpperCase()) === unit ? 0 : 1)
const keyOf = (text: string) => text.replace(UNIT, '').replace(/ FIPS \d{4}$/, '')

function unitOf(text: string): 'm' | 'ft' | 'us-ft' {
  const unit = UNIT.exec(text)?.[1]
  if (unit === undefined) return 'm'
  return unit === 'FT' || unit === 'FEET INTL' ? 'ft' : 'us-ft'
}

/** Names often lack the unit, so the first point decides: it must be where the zone is. */
function choose({ systems, unit }: Zone, name: string): Project {
  let chosen: Project | undefined
  const project: Project = (x, y) => {
    if (chosen === undefined) {
      const system = systems.find((one) => isIn(one, projection(one.epsg)(x, y), MARGIN))
      if (system === undefined) return null
      chosen = projection(system.epsg)
      if (rank(system, unit) === 1) {
        project.said =
          `shapes are named "${name.slice(0, 80)}", and their numbers are those of ` +
          `EPSG:${system.epsg} ${system.name}: they are placed by it`
      }
    }
    return chosen(x, y)
  }
  project.unknown = `the coordinates are outside the system "${name.slice(0, 80)}"`
  return project
}

/** Degrees that a zone's first point may be outside its area. */
const MARGIN = 0.5

/** Whether a point is in a box or at most some degrees outside; none is nowhere. */
export function isIn(
  { west, south, east, north }: DegreeBox,
  point: readonly [number, number] | null,
  margin: number,
): boolean {
  if (point === null) return false
  const [longitude, latitude] = point
  const isBetween = (value: number, low: number, high: number) =>
    value >= low - margin && value <= high + margin
  return isBetween(longitude, west, east) && isBetween(latitude, south, north)
}

function unknown(name: string): Project {
  const nowhere: Project = () => null
  nowhere.unknown = `the coordinate system "${name.slice(0, 80)}" is not known: give --epsg CODE`
  return nowhere
}

/** A projection with its area of use in degrees; `state` is `--` for several. */
export type Extent = DegreeBox & { epsg: number; state: string; name: string }

export const EXTENTS: readonly Extent[] = readTable('projection-extents.txt').map((line) => {
  const [epsg, state = '', south, west, north, east, ...name] = line.split(' ')
  return {
    epsg: Number(epsg),
    state,
    south: Number(south),
    west: Number(west),
    north: Number(north),
    east: Number(east),
    name: name.join(' '),
  }
})
