/** Converts planar coordinates to WGS84 degrees. */
import proj4 from 'proj4'
import { CommandError } from '../../base/errors.ts'
import { readTable } from '../../base/tables.ts'

/**
 * Converts easting and northing to longitude and latitude in degrees; `null` outside the
 * projection's area of use.
 */
export type Project = (x: number, y: number) => [number, number] | null

/**
 * Returns the projection of an EPSG code: geographic, web Mercator, UTM or state plane. Throws
 * `CommandError` for other codes.
 */
export function projection(epsg: number): Project {
  if (GEOGRAPHIC.has(epsg)) return degrees
  const definition = WORLD[epsg] ?? definitions().get(epsg)
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
  if (/^\s*GEOGCS/i.test(wkt)) return degrees
  if (/Mercator_Auxiliary_Sphere|Pseudo[-_ ]Mercator/i.test(wkt)) return projection(3857)
  try {
    return projector(wkt)
  } catch (error) {
    throw new CommandError(`${file} holds no projection that can be read`, 1, error)
  }
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
