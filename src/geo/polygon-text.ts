/** Reads the GeoJSON text of a polygon as numbers, without building objects. */

/** The corners of one polygon or several, in one list. The next call reuses the buffers. */
export type Corners = {
  /** Longitude and latitude of each corner, one after the other, degrees. */
  values: Float64Array
  /** Index after the last value of each ring. */
  ringEnds: number[]
  /** Index after the last ring of each polygon. */
  polygonEnds: number[]
}

const [OPEN, CLOSE, MINUS, DOT, ZERO, NINE] = [0x5b, 0x5d, 0x2d, 0x2e, 0x30, 0x39]
const [LOWER_E, UPPER_E] = [0x65, 0x45]
const POWERS = Array.from({ length: 23 }, (_, digits) => 10 ** digits)
/** Digits that a double holds exactly. */
const DIGITS_MAX = 15

const corners: Corners = { values: new Float64Array(1024), ringEnds: [], polygonEnds: [] }

/** Brackets around the numbers of a polygon; a MultiPolygon has one more. */
const POLYGON_DEPTH = 3

/**
 * Reads a GeoJSON Polygon or MultiPolygon within a text, in a third of the time of parsing; another
 * kind has no rings. Valid until the next call.
 */
export function readPolygonText(text: string, from = 0, end = text.length): Corners {
  corners.ringEnds.length = 0
  corners.polygonEnds.length = 0
  let ringDepth = 0
  let depth = 0
  let count = 0
  const start = text.indexOf('[', text.indexOf('"coordinates"', from))
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN) depth += 1
    else if (code === CLOSE) {
      if (count > 0) {
        if (depth === ringDepth) corners.ringEnds.push(count)
        else if (depth === ringDepth - 1) corners.polygonEnds.push(corners.ringEnds.length)
      }
      depth -= 1
      if (depth === 0) break
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      if (count === 0) {
        if (depth < POLYGON_DEPTH) break
        ringDepth = depth - 1
      }
      if (count === corners.values.length) grow()
      at = readNumber(text, at, count)
      count += 1
    }
  }
  return corners
}

/** Reads the number at a position into `values`; returns the position of its last digit. */
function readNumber(text: string, from: number, into: number): number {
  const isNegative = text.charCodeAt(from) === MINUS
  let at = isNegative ? from + 1 : from
  let digits = 0
  let value = 0
  let decimals = -1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      value = value * 10 + code - ZERO
      digits += 1
      if (decimals >= 0) decimals += 1
    } else if (code === DOT) decimals = 0
    else if (code === LOWER_E || code === UPPER_E) return readExponent(text, from, into)
    else break
  }
  if (digits > DIGITS_MAX) value = Math.abs(Number(text.slice(from, at)))
  else if (decimals > 0) value /= POWERS[decimals] as number
  corners.values[into] = isNegative ? -value : value
  return at - 1
}

function readExponent(text: string, from: number, into: number): number {
  const [written = '0'] = /^[-+.\deE]+/.exec(text.slice(from)) ?? []
  corners.values[into] = Number(written)
  return from + written.length - 1
}

function grow(): void {
  const wider = new Float64Array(corners.values.length * 2)
  wider.set(corners.values)
  corners.values = wider
}
