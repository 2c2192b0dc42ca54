/** The filters of property search and of searches by place. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { foldCity, foldUseCode } from '../../base/fold.ts'
import type { AccountFacts } from '../../base/model/account.ts'
import { listUseCodes, PROPERTY_TYPES } from '../../record/use-codes.ts'
import { findCounty } from '../../regions/counties.ts'
import type { FilterValues } from '../../store/columns.ts'
import type { Values } from '../parameters.ts'
import { param, USE_STANDARD_CODE, ZIP_CODE } from '../shared-parameters.ts'

/** All filters except `state`, which the operations require differently. */
export const PARCEL_FILTERS = {
  county: param.text,
  city: param.text,
  zipCode: ZIP_CODE,
  useCode: param.texts,
  useStandardCode: USE_STANDARD_CODE,
  propertyType: {
    type: 'choice',
    aliases: ['property_type'],
    values: ['any', 'SFR', 'house', 'CONDO', 'APARTMENT', 'MOBILE'],
    default: 'any',
  },
  foreclosure: param.yesNo,
  residential: param.yesNo,
  transferedSince: {
    type: 'integer',
    minimum: 1,
    maximum: 36_500,
    aliases: ['transferredSince'],
  },
} as const

type Asking = { now: number; account: { facts: Pick<AccountFacts, 'useCodes'> } }

type Filters = Omit<FilterValues, 'assignedOnly'>

/**
 * Returns the store's filters; `undefined` when no parcel can match. A county needs its state; a
 * text that folds to nothing matches nothing. `now`: epoch milliseconds.
 */
export function readFilters(
  values: Values<typeof PARCEL_FILTERS> & { state?: string | undefined },
  { now, account }: Asking,
): Filters | undefined {
  const { state, county, city, zipCode, residential } = values
  if (values.foreclosure) return undefined
  const filter: Filters = {}
  if (county !== undefined && state !== undefined) {
    const found = findCounty(state, county)
    if (found === undefined) return undefined
    filter.fips = found.fips
  }
  if (city !== undefined) filter.city = foldCity(city)
  if (zipCode !== undefined) filter.zip = zipCode.trim().slice(0, 5)
  if (residential !== undefined) filter.residential = residential
  if (values.transferedSince !== undefined) {
    filter.transferredFrom = Math.floor(now / DAY_MS) - values.transferedSince
  }
  return filter.city === '' || !addUse(filter, values, account.facts.useCodes) ? undefined : filter
}

/** Adds the filters by use. Returns false when no parcel can match. */
function addUse(
  filter: Filters,
  { useCode, useStandardCode, propertyType }: Values<typeof PARCEL_FILTERS>,
  vocabulary: AccountFacts['useCodes'],
): boolean {
  const lists: (readonly string[])[] = []
  if (useCode !== undefined && vocabulary === 'contract') lists.push(listUseCodes(useCode))
  if (useCode !== undefined && vocabulary === 'recorded' && !addLocal(filter, useCode)) return false
  if (useStandardCode !== undefined) lists.push(listUseCodes(useStandardCode))
  if (propertyType !== 'any') lists.push(PROPERTY_TYPES[propertyType])
  const [first, ...others] = lists
  if (first === undefined) return true
  const codes = first.filter((code) => others.every((list) => list.includes(code)))
  if (codes.length === 1) filter.useCode = codes[0] as string
  else filter.useCodes = codes.map((code) => `${code},`).join('')
  return codes.length > 0
}

/** Sorts after every text that begins as it does. */
const LAST = '\u{10ffff}'

/** Adds a filter by codes as recorded. Returns false when no parcel can match. */
function addLocal(filter: Filters, asked: string): boolean {
  const codes = asked.split(',').map(foldUseCode)
  const [code = ''] = codes
  if (codes.length === 1 && code.length > 1 && code.endsWith('*')) {
    filter.localUseFrom = code.slice(0, -1)
    filter.localUseTo = filter.localUseFrom + LAST
  } else if (codes.some((one) => one.endsWith('*'))) {
    throw refuse.badRequest('useCode takes several codes, or one beginning as R1*')
  } else if (codes.length === 1) filter.localUse = code
  else filter.localUses = `\n${codes.filter((one) => one !== '').join('\n')}\n`
  return codes.some((one) => one !== '')
}
