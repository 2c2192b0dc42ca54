/** Converts planar coordinates to WGS84 degrees. */
import proj4 from 'proj4'
import { CommandError } from '../../base/errors.ts'
import { readTable } from '../../base/tables.ts'

/**
 * Converts easting and northing to longitude and latitude in degrees; `null` outside the
 * projection's area of use.
 */
export type Project = {
  (x: number, y: number): [number, number] | null
  /** Why nothing can be placed: the file's system is not known. */
  unknown?: string
}

/**
 * Returns the projection of an EPSG code: geographic, web Mercator, UTM or state plane. Throws
 * `CommandError` for other codes.
 */
export function projection(epsg: number): Project {
  if (GEOGRAPHIC.has(epsg)) return degrees
  const definition = WORLD[epsg] ?? definitions().get(esriTwin(epsg) ?? epsg)
  if (definition === undefined) {
    throw new CommandError(
      `EPSG:${epsg} is not among the projections known here: geographic, web Mercator, ` +
        'and those of the United States on NAD83',
    )
  }
  return projector(definition)
}

/**
 * Returns the projection of a .prj file's text. Throws `CommandError` naming `file` when the text
 * cannot be parsed.
 */
export function readPrj(wkt: string, file: string): Project {
  if (/^\s*(?:GEOGCS|GEOGCRS)/i.test(wkt)) return isNad27(wkt) ? nad27(undefined) : degrees
  if (/Mercator_Auxiliary_Sphere|Pseudo[-_ ]Mercator/i.test(wkt)) return projection(3857)
  try {
    return isNad27(wkt) ? nad27(wkt) : projector(wkt)
  } catch (error) {
    throw new CommandError(`${file} holds no projection that can be read`, 1, error)
  }
}

/**
 * Returns the projection that a file names in words or by a code of another authority. If it is not
 * known, nothing is placed, and `unknown` says why.
 */
export function namedProjection(name: string): Project {
  const code = /(?:EPSG|ESRI)\W*(\d{4,6})\s*$/i.exec(name)?.[1]
  if (/CRS:?84$|^WGS ?(?:19)?84$/i.test(name)) return degrees
  if (code !== undefined && !/ESRI/i.test(name)) return projection(Number(code))
  const isKnown = code !== undefined && (esriTwin(Number(code)) !== undefined || code in WORLD)
  if (isKnown) return projection(Number(code))
  const nowhere: Project = () => null
  nowhere.unknown = `the coordinate system "${name.slice(0, 80)}" is not known: give --epsg CODE`
  return nowhere
}

/** Reports whether a projection takes degrees as they are. */
export function isDegreesOnly(project: Project): boolean {
  return project === degrees
}

/** Reports whether a text describes the North American Datum of 1927. */
export function isNad27(wkt: string): boolean {
  return /North_American(?:_Datum)?_1927|NAD_?27/i.test(wkt.replaceAll(' ', '_'))
}

/**
 * Shifts from NAD27 to WGS 84 in metres: Alaska, and the United States west and east of the
 * Mississippi, good to about 10 m. Source: EPSG 1176, 1175, 1174.
 */
const NAD27_SHIFTS = { alaska: '-5,135,172', west: '-8,159,175', east: '-9,161,179' }

/** Moves by the three parameters of the region. `wkt`: `undefined` for degrees. */
function nad27(wkt: string | undefined): Project {
  const bare = '+proj=longlat +ellps=clrk66 +no_defs'
  // The target has no datum, so the first step only undoes the projection.
  const flatten = wkt === undefined ? undefined : proj4(wkt.replace(DATUM, 'DATUM["none"'), bare)
  const shift = (by: string) => proj4(`+proj=longlat +ellps=clrk66 +towgs84=${by}`, 'WGS84')
  const [alaska, west, east] = Object.values(NAD27_SHIFTS).map(shift)
  return (x, y) => {
    const [lon = Number.NaN, lat = Number.NaN] = flatten?.forward([x, y]) ?? [x, y]
    const found = degrees(lon, lat)
    if (found === null) return null
    const by = lat > 50 ? alaska : lon < -90 ? west : east
    const [longitude = Number.NaN, latitude = Number.NaN] = by?.forward(found) ?? []
    return degrees(longitude, latitude)
  }
}

const DATUM = /DATUM\s*\["[^"]*"/i

/** Returns the EPSG code of the system that an Esri code means. */
function esriTwin(code: number): number | undefined {
  for (const line of readTable('esri-codes.txt')) {
    for (const run of line.split(' ')) {
      const [from = 0, epsg = 0, length = 0] = run.split(',').map(Number)
      if (code >= from && code < from + length) return epsg + code - from
    }
  }
  return undefined
}

/**
 * WGS84, NAD83 and its realizations, and NAD27. Apart from NAD27 they differ by less than a
 * parcel's width.
 */
const GEOGRAPHIC: ReadonlySet<number> = new Set([4326, 4269, 4152, 4759, 6318, 4979])

const WORLD: Record<number, string> = {
  3857: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs',
  102100:
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs',
}

let table: Map<number, string> | undefined

function definitions(): Map<number, string> {
  if (table !== undefined) return table
  table = new Map()
  for (const line of readTable('us-projections.txt')) {
    const [codes = '', ...parameters] = line.split(' ')
    const definition = `+proj=${parameters.join(' ')} +ellps=GRS80 +towgs84=0,0,0 +no_defs`
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
