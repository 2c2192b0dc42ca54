/** The filters on facts, each declared once: parameters, documents and tests follow from it. */
import { dayOf } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { foldLetters } from '../../base/fold.ts'
import type { FactName } from '../../record/facts.ts'
import type { Values } from '../parameters.ts'
import type { FactTest } from '../questions/select.ts'
import { param, ZIP_CODE } from '../shared-parameters.ts'

/** How a filter tests a fact; `day`: the value is a date. */
type Tested = { fact: FactName; by: 'from' | 'to' | 'dayFrom' | 'dayTo' | 'flag' | 'words' }

type Range = { type: 'number' | 'integer'; tests: Tested }

/** The filters of a number, `acresMin` and `acresMax`. */
function range<Fact extends FactName>(fact: Fact, type: Range['type'] = 'number') {
  const least: Range = { type, tests: { fact, by: 'from' } }
  const most: Range = { type, tests: { fact, by: 'to' } }
  const filters: Record<string, Range> = { [`${fact}Min`]: least, [`${fact}Max`]: most }
  return filters as Record<`${Fact}${'Min' | 'Max'}`, Range>
}

const day = (by: 'dayFrom' | 'dayTo') =>
  ({ ...param.day, tests: { fact: 'saleDate', by } }) as const
const flag = (fact: FactName) => ({ type: 'boolean', tests: { fact, by: 'flag' } }) as const
const words = (fact: FactName) => ({ type: 'words', tests: { fact, by: 'words' } }) as const
const codes = (fact: FactName) => ({ ...words(fact), commas: true }) as const

export const FACT_FILTERS = {
  ...range('acres'),
  ...range('sqft', 'integer'),
  ...range('beds'),
  ...range('baths'),
  ...range('stories'),
  ...range('units'),
  ...range('yearBuilt', 'integer'),
  ...range('marketValue'),
  ...range('assessedValue'),
  ...range('landValue'),
  ...range('tax'),
  ...range('salePrice'),
  saleDateFrom: day('dayFrom'),
  saleDateTo: day('dayTo'),
  ownerType: {
    type: 'words',
    values: ['individual', 'company', 'trust', 'government'],
    tests: { fact: 'ownerType', by: 'words' },
  },
  ownerOccupied: flag('ownerOccupied'),
  vacant: flag('vacant'),
  hasBuilding: flag('hasBuilding'),
  hasSitus: flag('hasSitus'),
  outOfStateOwner: flag('outOfStateOwner'),
  ownerState: codes('ownerState'),
  ownerZipCode: codes('ownerZipCode'),
  zoningCode: words('zoningCode'),
  subdivision: words('subdivision'),
  neighborhood: words('neighborhood'),
  schoolDistrict: words('schoolDistrict'),
  municipality: words('municipality'),
} as const

type Name = keyof typeof FACT_FILTERS
const isName = (name: string): name is Name => Object.hasOwn(FACT_FILTERS, name)

/** Returns the tests of the given filters. Throws *bad request* for a range that is crossed. */
export function readFactTests(values: Values<typeof FACT_FILTERS>): FactTest[] {
  const ranges = new Map<FactName, { from?: number; to?: number; names: Name[] }>()
  const others: FactTest[] = []
  // Most requests have none, and reading forty absent values takes as long as a lookup by key.
  for (const name of Object.keys(values).filter(isName)) {
    const value = values[name]
    if (value === undefined) continue
    const { fact, by }: Tested = FACT_FILTERS[name].tests
    if (by === 'flag') others.push({ fact, from: Number(value), to: Number(value) })
    else if (by === 'words') {
      const asked = value as string[]
      others.push({ fact, is: openWords(fact === 'ownerZipCode' ? asked.map(cutZip) : asked) })
    } else {
      const range = ranges.get(fact) ?? { names: [] }
      const number = Number(typeof value === 'string' ? dayOf(value.trim()) : value)
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

/** Nine digits are cut to the five that are stored. */
const cutZip = (text: string) => ZIP_CODE.pattern.is.exec(text)?.[1] ?? text

/** Compares without case, accents and repeated blanks. */
export function openWords(asked: readonly string[]): (word: string) => boolean {
  const folded = new Set(asked.map(foldWord))
  return (word) => folded.has(foldWord(word))
}

function foldWord(text: string): string {
  return foldLetters(text).trim().replace(/\s+/g, ' ')
}
