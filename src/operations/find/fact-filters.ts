/**
 * The filters on facts, each declared once: its name, its type, and the fact that it tests.
 * Parameters, the OpenAPI document, MCP tools and the tests that the store's columns are put to
 * follow from this table.
 */
import { dayOf } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { foldLetters } from '../../base/fold.ts'
import type { FactName } from '../../record/facts.ts'
import type { Values } from '../parameters.ts'
import type { FactTest } from '../questions/select.ts'

/** How a filter tests a fact; `day`: the value is a date. */
type Tested = { fact: FactName; by: 'from' | 'to' | 'dayFrom' | 'dayTo' | 'flag' | 'words' }

const least = (fact: FactName, about: string, example: number) =>
  ({
    type: 'number',
    about: `Least ${about}, included. Parcels without it never match.`,
    example,
    tests: { fact, by: 'from' },
  }) as const
const most = (fact: FactName, about: string, example: number) =>
  ({
    type: 'number',
    about: `Greatest ${about}, included. Parcels without it never match.`,
    example,
    tests: { fact, by: 'to' },
  }) as const
const leastWhole = (fact: FactName, about: string, example: number) =>
  ({ ...least(fact, about, example), type: 'integer', minimum: 0 }) as const
const mostWhole = (fact: FactName, about: string, example: number) =>
  ({ ...most(fact, about, example), type: 'integer', minimum: 0 }) as const
const day = (by: 'dayFrom' | 'dayTo', about: string, example: string) =>
  ({
    type: 'string',
    pattern: { is: /^\d{4}-\d{2}-\d{2}$/, says: 'must be a date such as 2024-02-29' },
    about,
    example,
    tests: { fact: 'saleDate', by },
  }) as const
const flag = (fact: FactName, about: string) =>
  ({
    type: 'boolean',
    about: `${about} Parcels of which it is unknown match neither true nor false.`,
    example: true,
    tests: { fact, by: 'flag' },
  }) as const
const words = (fact: FactName, about: string, example: string) =>
  ({
    type: 'words',
    about: `${about}, as recorded, in any case. Repeat it for several: any of them matches.`,
    example,
    tests: { fact, by: 'words' },
  }) as const

const codes = (fact: FactName, about: string, example: string) =>
  ({
    type: 'words',
    commas: true,
    about: `${about}. Repeat it, or separate several by commas: any of them matches.`,
    example,
    tests: { fact, by: 'words' },
  }) as const

const SALE = 'of the newest transfer with a price'

export const FACT_FILTERS = {
  acresMin: least('acres', 'land area in acres (by the polygon where none is recorded)', 2),
  acresMax: most('acres', 'land area in acres (by the polygon where none is recorded)', 10),
  sqftMin: leastWhole('sqft', 'building area in square feet', 1000),
  sqftMax: mostWhole('sqft', 'building area in square feet', 3000),
  bedsMin: least('beds', 'number of bedrooms', 3),
  bedsMax: most('beds', 'number of bedrooms', 4),
  bathsMin: least('baths', 'number of bathrooms; half baths count 0.5', 1.5),
  bathsMax: most('baths', 'number of bathrooms; half baths count 0.5', 3),
  storiesMin: least('stories', 'number of stories', 2),
  storiesMax: most('stories', 'number of stories', 3),
  unitsMin: least('units', 'number of dwellings, or of units of all uses', 2),
  unitsMax: most('units', 'number of dwellings, or of units of all uses', 4),
  yearBuiltMin: leastWhole('yearBuilt', 'year built', 1950),
  yearBuiltMax: mostWhole('yearBuilt', 'year built', 1990),
  marketValueMin: least('marketValue', 'total market value in US dollars', 200000),
  marketValueMax: most('marketValue', 'total market value in US dollars', 500000),
  assessedValueMin: least('assessedValue', 'total assessed value in US dollars', 200000),
  assessedValueMax: most('assessedValue', 'total assessed value in US dollars', 500000),
  landValueMin: least('landValue', 'market value of the land in US dollars', 50000),
  landValueMax: most('landValue', 'market value of the land in US dollars', 100000),
  taxMin: least('tax', 'property tax of the year in US dollars', 2000),
  taxMax: most('tax', 'property tax of the year in US dollars', 6000),
  salePriceMin: least('salePrice', `price ${SALE} in US dollars`, 200000),
  salePriceMax: most('salePrice', `price ${SALE} in US dollars`, 400000),
  saleDateFrom: day('dayFrom', `First date ${SALE}, included.`, '2024-01-01'),
  saleDateTo: day('dayTo', `Last date ${SALE}, included.`, '2024-12-31'),
  ownerType: {
    type: 'words',
    values: ['individual', 'company', 'trust', 'government'],
    about: 'Kind of owner. Repeat it, or separate several by commas: any of them matches.',
    example: 'company',
    tests: { fact: 'ownerType', by: 'words' },
  },
  ownerOccupied: flag('ownerOccupied', 'Whether the owner lives there.'),
  vacant: flag(
    'vacant',
    'Whether the land is vacant, by its use or else because it has no building.',
  ),
  hasBuilding: flag('hasBuilding', 'Whether a building, or a value of one, is recorded.'),
  hasSitus: flag('hasSitus', 'Whether it has a street number and name.'),
  outOfStateOwner: flag('outOfStateOwner', "Whether the owner's mailing address is elsewhere."),
  ownerState: codes('ownerState', "State of the owner's mailing address", 'CA'),
  ownerZipCode: codes('ownerZipCode', "ZIP code of the owner's mailing address", '90210'),
  zoningCode: words('zoningCode', 'Zoning code', 'TR-C1'),
  subdivision: words('subdivision', 'Subdivision', 'MAPLE HEIGHTS'),
  neighborhood: words('neighborhood', "The assessor's neighborhood", '120'),
  schoolDistrict: words('schoolDistrict', 'School district', 'MADISON SCHOOLS'),
  municipality: words('municipality', 'Municipality that taxes the parcel', 'MIDDLETON'),
} as const

type Name = keyof typeof FACT_FILTERS
const NAMES = Object.keys(FACT_FILTERS) as Name[]

/** Returns the tests of the given filters. Throws *bad request* for a range that is crossed. */
export function readFactTests(values: Values<typeof FACT_FILTERS>): FactTest[] {
  const ranges = new Map<FactName, { from?: number; to?: number; names: Name[] }>()
  const others: FactTest[] = []
  for (const name of NAMES) {
    const value = values[name]
    if (value === undefined) continue
    const { fact, by }: Tested = FACT_FILTERS[name].tests
    if (by === 'flag') others.push({ fact, from: Number(value), to: Number(value) })
    else if (by === 'words') others.push({ fact, is: openWords(value as string[]) })
    else {
      const range = ranges.get(fact) ?? { names: [] }
      const number = typeof value === 'string' ? readDay(name, value.trim()) : Number(value)
      range[by === 'from' || by === 'dayFrom' ? 'from' : 'to'] = number
      range.names.push(name)
      ranges.set(fact, range)
    }
  }
  for (const { from, to, names } of ranges.values()) {
    if (from === undefined || to === undefined || from <= to) continue
    throw refuse.badRequest(`${names[0]} is above ${names[1]}`)
  }
  const tests = [...ranges].map(([fact, { names: _, ...range }]) => ({ fact, ...range }))
  return [...tests, ...others]
}

/** Compares without case, accents and repeated blanks. */
export function openWords(asked: readonly string[]): (word: string) => boolean {
  const folded = new Set(asked.map(foldWord))
  return (word) => folded.has(foldWord(word))
}

function foldWord(text: string): string {
  return foldLetters(text).trim().replace(/\s+/g, ' ')
}

/** Days since 1970-01-01. Throws *bad request* for a day that no calendar has. */
function readDay(name: string, text: string): number {
  const day = dayOf(text)
  if (day === undefined) throw refuse.badRequest(`${name} must be a date such as 2024-02-29`)
  return day
}
