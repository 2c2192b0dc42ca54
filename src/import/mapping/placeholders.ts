/**
 * Decides what is a placeholder: a number or text that a roll writes where it knows nothing.
 * Source: docs/mappings.md.
 */
import { readTable, wordSet } from '../../base/tables.ts'
import type { Reading } from '../../record/fields.ts'

/** Amounts that some rolls write below zero: credits, and exemptions that are subtracted. */
const BELOW_ZERO: ReadonlySet<string> = new Set([
  'taxAmount',
  'exemptionAmount',
  'homesteadExemption',
])

/** The fewest nines that mean unknown, by property; `99` bedrooms are none, 99 feet are. */
const NINES: Record<string, number> = {
  ...{ bedrooms: 2, bathrooms: 2, stories: 2, garageCount: 2, fireplaceCount: 2 },
  ...{ rooms: 3, buildingCount: 3, buildingFrontage: 3, buildingDepth: 3 },
  ...{ unitCount: 4, totalUnitCount: 4, frontage: 4, depth: 4 },
}
/** The same for the other properties, by how they are read: a price of $999,999 is real. */
const NINES_READ: Partial<Record<Reading, number>> = {
  ...{ number: 2, acres: 4, integer: 4, area: 7, money: 8, cents: 8 },
}

/** Texts in which zeros of any length say nothing: there is no lot 0, and no buyer of that name. */
const NO_ZERO: ReadonlySet<string> = new Set([
  ...['lot', 'block', 'section', 'township', 'range', 'subdivision', 'zoningCode', 'censusTract'],
  ...['book', 'page', 'documentNumber', 'taxAccountNumber', 'localUseCode2'],
  ...['legalDescription', 'propertyUseDescription', 'zoningDescription', 'grantor', 'grantee'],
  ...['jurisdiction', 'ownerCountry'],
])

/** Sizes of land: no parcel has none. */
const SIZES: ReadonlySet<string> = new Set(['landArea', 'acres', 'frontage', 'depth'])

/** Returns the test of a property's numbers; `undefined` for a property of another kind. */
export function numberPlaceholder(
  property: string,
  reading: Reading,
): ((number: number, text: string) => boolean) | undefined {
  const least = NINES[property] ?? NINES_READ[reading]
  if (least === undefined) return undefined
  const mayBeNegative = BELOW_ZERO.has(property)
  const isSize = SIZES.has(property)
  return (number, text) =>
    (number < 0 && !mayBeNegative) || (isSize && number === 0) || countNines(text) >= least
}

/** Texts in which `NONE` and the like say nothing, but a zero may. */
const NO_WORD = wordSet('neighborhood ward schoolDistrict taxRateCodeArea documentType')

/** Returns the test of a property's texts; `undefined` when every text is a value. */
export function textPlaceholder(property: string): ((text: string) => boolean) | undefined {
  if (NO_WORD.has(property)) return isNothing
  if (!NO_ZERO.has(property)) return undefined
  // No zoning is a fact.
  return property.startsWith('zoning') ? isZeros : (text) => isZeros(text) || isNothing(text)
}

/** Texts that say that there is none or that nobody knows. */
const NOTHING = new Set(readTable('no-names.txt'))
const LONGEST = Math.max(...[...NOTHING].map((text) => text.length))

const isNothing = (text: string) => text.length <= LONGEST && NOTHING.has(text.toUpperCase())

/** Reports whether a text is zeros only: `0`, `0000`, `00.0`. */
export function isZeros(text: string): boolean {
  return text.charCodeAt(0) === 48 && /^0+(?:\.0+)?$/.test(text)
}

/** Returns the nines before the decimal point of a number that has no other digit; 0 for others. */
function countNines(text: string): number {
  // Nine in ten numbers begin with another digit.
  const first = text.charCodeAt(0)
  if (first > 47 && first < 57) return 0
  const digits = /^[$(\s-]*([9,]+)(?:\.(?:0*|9+))?\)?$/.exec(text)?.[1] ?? ''
  return digits.replaceAll(',', '').length
}
