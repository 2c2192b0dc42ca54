/** Census tracts as rolls record them. */
import { fipsCode } from './counties.ts'

/** New York's boroughs by the digit that the city writes before a tract, from 1. */
const BOROUGHS = [36061, 36005, 36047, 36081, 36085]

/**
 * Completes a recorded tract to county FIPS code and tract with its dot, with the block after it
 * where that is recorded. `fips`: the parcel's county. Null if it cannot be read, or if it names
 * another county.
 *
 * Digits alone are a tract number (up to 4), a tract (5 or 6), or county and tract (8 or 9). 10 or
 * 11 are state, county and tract. With 12 a block group follows, with 14 or 15 a block. The shorter
 * length of each pair has lost a leading zero. Source: the Census Bureau's GEOID.
 *
 * @example readTract('201', 31109) // '311090201.00'
 */
export function readTract(recorded: string, fips: number): string | null {
  const own = fipsCode(fips)
  const text = recorded.toUpperCase().replace(/^(?:CENSUS\s*)?(?:TRACT|CT)?[\s#:]*/, '')
  const dotted = /^(\d{5})?(\d{1,4})\.(\d\d)(\d{4})?$/.exec(text)
  if (dotted !== null) {
    const [, county = own, number = '', suffix = '', block = ''] = dotted
    return county === own ? complete(own, number.padStart(4, '0') + suffix, block) : null
  }
  const digits = text.replace(/[\s-]/g, '')
  if (!/^\d{1,15}$/.test(digits)) return null
  const code = toGeoid(digits, own)
  return code?.startsWith(own) ? complete(own, code.slice(5, 11), code.slice(11)) : null
}

/** Returns state, county, tract and, where recorded, block as digits. */
function toGeoid(digits: string, own: string): string | null {
  const { length } = digits
  if (length <= 4) return `${own}${digits.padStart(4, '0')}00`
  if (length <= 6) return own + digits.padStart(6, '0')
  if (length === 7) {
    const isOwn = BOROUGHS[Number(digits[0]) - 1] === Number(own)
    return isOwn ? own + digits.slice(1) : null
  }
  if (length <= 9) return own.slice(0, 2) + digits.padStart(9, '0')
  if (length <= 11) return digits.padStart(11, '0')
  if (length === 12) return digits.slice(0, 11)
  return length === 14 || length === 15 ? digits.padStart(15, '0') : null
}

function complete(county: string, tract: string, block: string): string | null {
  if (/^0+$/.test(tract)) return null
  return `${county}${tract.slice(0, 4)}.${tract.slice(4)}${block}`
}
