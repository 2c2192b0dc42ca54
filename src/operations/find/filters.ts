/** The filters of property search and of searches by place. */
import { foldCity, foldUseCode } from '../../base/fold.ts'
import { findCounty } from '../../regions/counties.ts'
import type { FilterValues } from '../../store/columns.ts'
import type { Values } from '../parameters.ts'
import { COUNTY } from '../shared-parameters.ts'

const DAY_MS = 86_400_000

/** Kinds of property by common use codes; see `record/land-use.ts`. */
const PROPERTY_TYPES = {
  any: [],
  SFR: ['1001', '1002'],
  house: ['1001', '1002'],
  CONDO: ['1003'],
  APARTMENT: ['1010', '1011', '1012', '1013', '1020'],
  MOBILE: ['1030', '1031'],
} as const

/** All filters except `state`, which the operations require differently. */
export const PARCEL_FILTERS = {
  county: { ...COUNTY, about: `${COUNTY.about} An unrecognized county finds nothing.` },
  city: { type: 'string', about: 'City of the property.', example: 'Madison' },
  zipCode: {
    type: 'string',
    aliases: ['zip'],
    pattern: { is: /^\d{5}(?:-?\d{4})?$/, says: 'must be five digits, or nine as ZIP+4' },
    about: 'ZIP code of the property, five digits or ZIP+4; only the first five digits are used.',
    example: '53703',
  },
  useCode: {
    type: 'string',
    about: 'Use code as recorded; leading zeros are ignored.',
    example: '1',
  },
  useStandardCode: {
    type: 'string',
    pattern: { is: /^[1-7]\d{3}$/, says: 'must be four digits, as records show it' },
    about: 'Standardized use code, the same for all rolls: four digits.',
    example: '1001',
  },
  propertyType: {
    type: 'choice',
    aliases: ['property_type'],
    values: ['any', 'SFR', 'house', 'CONDO', 'APARTMENT', 'MOBILE'],
    default: 'any',
    about:
      'Kind of property by its standardized use: house and SFR are single-family houses and ' +
      'townhouses, APARTMENT buildings of two units or more. Only `any` includes parcels of ' +
      'unknown use.',
    example: 'house',
  },
  foreclosure: {
    type: 'boolean',
    about:
      'Accepted for compatibility. true: nothing is found, because rolls record no foreclosures.',
    example: false,
  },
  residential: {
    type: 'boolean',
    about:
      'true: only residential property; false: only property that is not residential. Parcels ' +
      'of unknown use match neither.',
    example: true,
  },
  transferedSince: {
    type: 'integer',
    minimum: 1,
    maximum: 36_500,
    aliases: ['transferredSince'],
    about: 'Only parcels whose newest transfer was within this many days.',
    example: 365,
  },
} as const

/**
 * Returns the filters for the store; `undefined` when no parcel can match.
 *
 * A county needs its state. A text that folds to nothing matches nothing, not parcels with unknown
 * city or use. `now`: epoch milliseconds.
 */
export function readFilters(
  values: Values<typeof PARCEL_FILTERS> & { state?: string | undefined },
  now: number,
): Omit<FilterValues, 'assignedOnly'> | undefined {
  const { state, county, city, zipCode, useCode, residential, propertyType } = values
  if (values.foreclosure) return undefined
  const filter: Omit<FilterValues, 'assignedOnly'> = {}
  if (county !== undefined && state !== undefined) {
    const found = findCounty(state, county)
    if (found === undefined) return undefined
    filter.fips = found.fips
  }
  if (city !== undefined) filter.city = foldCity(city)
  if (zipCode !== undefined) filter.zip = zipCode.trim().slice(0, 5)
  if (useCode !== undefined) filter.useCode = foldUseCode(useCode)
  if (residential !== undefined) filter.residential = residential
  if (values.useStandardCode !== undefined) filter.commonUse = values.useStandardCode.trim()
  if (propertyType !== 'any') {
    filter.commonUses = PROPERTY_TYPES[propertyType].map((code) => `${code},`).join('')
  }
  if (values.transferedSince !== undefined) {
    filter.transferredFrom = Math.floor(now / DAY_MS) - values.transferedSince
  }
  return filter.city === '' || filter.useCode === '' ? undefined : filter
}
