/** Converts planar coordinates to WGS84 degrees. */
import proj4 from 'proj4'
import { CommandError } from '../../base/errors.ts'
import { readTable } from '../../base/tables.ts'

/** Converts easting and northing to degrees; `null` outside the projection's area of use. */
export type Project = {
  (x: number, y: number): [number, number] | null
  /** Why nothing can be placed: the file's system is not known. */
  unknown?: string
  /** What is done to the shapes that a person should know. */
  said?: string
}

/** Throws `CommandError` for EPSG codes but geographic, web Mercator, UTM and state plane ones. */
export function projection(epsg: number): Project {
  if (GEOGRAPHIC.has(epsg)) return degrees
  if (epsg === NAD27) return nad27(undefined)
  const definition = definitionOf(epsg)
  if (definition === undefined) {
    throw new CommandError(
      `EPSG:${epsg} is not among the projections known here: geographic, web Mercator, ` +
        'and those of the United States on NAD83 and NAD27',
    )
  }
  return definition.includes(ON_NAD27)
    ? nad27(definition.replace(ON_NAD27, ''))
    : projector(definition)
}

/** Returns the parameters of PROJ for a code; `undefined` for one that is not known. */
function definitionOf(code: number): string | undefined {
  return WORLD[code] ?? definitions().get(esriTwin(code) ?? code)
}

/** The projection of a .prj file's text. Throws `CommandError` that names `file`. */
export function readPrj(wkt: string, file: string): Project {
  if (/^\s*(?:GEOGCS|GEOGCRS)/i.test(wkt)) return isNad27(wkt) ? nad27(undefined) : degrees
  if (/Mercator_Auxiliary_Sphere|Pseudo[-_ ]Mercator/i.test(wkt)) return projection(3857)
  try {
    return isNad27(wkt) ? nad27(wkt) : projector(wkt)
  } catch (error) {
    throw new CommandError(`${file} holds no projection that can be read`, 1, error)
  }
}

export function hasProjection(code: number): boolean {
  return GEOGRAPHIC.has(code) || code === NAD27 || definitionOf(code) !== undefined
}

/** Reports whether a projection takes degrees as they are. */
export function isDegreesOnly(project: Project): boolean {
  return project === degrees
}

/** Reports whether a text describes the North American Datum of 1927. */
function isNad27(wkt: string): boolean {
  return /North_American(?:_Datum)?_1927|NAD_?27/i.test(wkt.replaceAll(' ', '_'))
}

/**
 * Shifts from NAD27 to WGS 84 in metres: Alaska, and the United States west and east of the
 * Mississippi, good to about 10 m. Source: EPSG 1176, 1175, 1174.
 */
const NAD27_SHIFTS = { alaska: '-5,135,172', west: '-8,159,175', east: '-9,161,179' }

/** Moves by the three parameters of the region. `definition`: WKT or PROJ; absent for degrees. */
function nad27(definition: string | undefined): Project {
  const bare = '+proj=longlat +ellps=clrk66 +no_defs'
  // The target has no datum, so the first step only undoes the projection.
  const flatten = definition && proj4(definition.replace(DATUM, 'DATUM["none"'), bare)
  const shift = (by: string) => proj4(`+proj=longlat +ellps=clrk66 +towgs84=${by}`, 'WGS84')
  const [alaska, west, east] = Object.values(NAD27_SHIFTS).map(shift)
  const project: Project = (x, y) => {
    const [lon = Number.NaN, lat = Number.NaN] = flatten ? flatten.forward([x, y]) : [x, y]
    const found = degrees(lon, lat)
    if (found === null) return null
    const by = lat > 50 ? alaska : lon < -90 ? west : east
    const [longitude = Number.NaN, latitude = Number.NaN] = by?.forward(found) ?? []
    return degrees(longitude, latitude)
  }
  project.said = 'shapes are on NAD27: they are moved by three parameters, to within about 10 m'
  return project
}

const DATUM = /DATUM\s*\["[^"]*"/i

function esriTwin(code: number): number | undefined {
  for (const line of readTable('esri-codes.txt')) {
    for (const run of line.split(' ')) {
      const [from = 0, epsg = 0, length = 0] = run.split(',').map(Number)
      if (code >= from && code < from + length) return epsg + code - from
    }
  }
  return undefined
}

/** WGS84, NAD83 and its realizations, which differ by less than a parcel's width. */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4269, 4152, 4759, 6318, 4979])

/** NAD27 in degrees. */
const NAD27 = 4267
/** Mark of the systems on NAD27 in the table, behind the ellipsoid. */
const ON_NAD27 = ' +datum=NAD27'

const MERCATOR =
  '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs'
/** Web Mercator by its code and those that EPSG, Esri and Google gave it before. */
const WORLD: Record<number, string> = Object.fromEntries(
  [3857, 3785, 102_100, 102_113, 900_913].map((code) => [code, MERCATOR]),
)

let table: Map<number, string> | undefined

function definitions(): Map<number, string> {
  if (table !== undefined) return table
  table = new Map()
  for (const line of readTable('us-projections.txt')) {
    const [codes = '', ...parameters] = line.split(' ')
    const text = `+proj=${parameters.join(' ')}`
    const definition = text.endsWith(ON_NAD27)
      ? `${text} +ellps=clrk66 +no_defs`
      : `${text} +ellps=GRS80 +towgs84=0,0,0 +no_defs`
    for (const code of codes.split(',')) table.set(Number(code), definition)
  }
  return table
}

function projector(definition: string): Project {
  const transform = proj4(definition, 'WGS84')
  return (x, y) => {
    const [longitude = Number.NaN, latitude = Number.NaN] = transform.forward([x, y])
    return degrees(longitude, latitude)
  }
}

function degrees(longitude: number, latitude: number): [number, number] | null {
  const known = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
  return known && (longitude !== 0 || latitude !== 0) ? [longitude, latitude] : null
}
