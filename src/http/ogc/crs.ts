/** Coordinate systems of requests and answers: CRS84, EPSG:4326 and EPSG:3857. */
import { refuse } from '../../base/errors.ts'
import type { Point } from '../../geo/sphere.ts'

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const EPSG = 'http://www.opengis.net/def/crs/EPSG/0/'

/** The systems in which collections are offered, the stored one first. */
export const CRS_LIST = [CRS84, `${EPSG}4326`, `${EPSG}3857`]

export type Crs = {
  uri: string
  /** Converts longitude and latitude to the system's coordinates, in its order of axes. */
  write(point: Point): Point
  /** The inverse. */
  read(point: Point): Point
}

const HALF_METERS = 20_037_508.342789244
const RADIANS = Math.PI / 180
/** Web Mercator ends here. */
const LATITUDE_MAX = 85.0511287798066

const SYSTEMS: readonly Crs[] = [
  { uri: CRS84, write: (point) => point, read: (point) => point },
  { uri: `${EPSG}4326`, write: ([x, y]) => [y, x], read: ([y, x]) => [x, y] },
  { uri: `${EPSG}3857`, write: toMercator, read: fromMercator },
]

/** Finds a system by its URI, or a short form as `EPSG:3857`. Throws *bad request*. */
export function readCrs(name: string, text: string | undefined): Crs {
  const asked = (text ?? CRS84).trim().replace(/^<|>$|^\[|\]$/g, '')
  const short = /^EPSG:(\d+)$/i.exec(asked)
  const uri = short === null ? asked.replace(/^https:/, 'http:') : `${EPSG}${short[1]}`
  const found = SYSTEMS.find((one) => one.uri === uri || (uri === 'OGC:CRS84' && one.uri === CRS84))
  if (found !== undefined) return found
  throw refuse.badRequest(`${name} must be one of ${CRS_LIST.join(', ')}`)
}

/** Millimetres, as 1e-8 degree is. */
function toMercator([longitude, latitude]: Point): Point {
  const bounded = Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude))
  const y = Math.log(Math.tan((90 + bounded) * (RADIANS / 2))) / RADIANS
  return [round((longitude * HALF_METERS) / 180), round((y * HALF_METERS) / 180)]
}

function fromMercator([x, y]: Point): Point {
  const latitude = Math.atan(Math.sinh((y / HALF_METERS) * Math.PI)) / RADIANS
  return [(x / HALF_METERS) * 180, latitude]
}

function round(meters: number): number {
  return Math.round(meters * 1000) / 1000
}
