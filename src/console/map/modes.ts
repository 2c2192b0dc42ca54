/** What the map colours parcels by: numbers or words from the columns of facts. */
import { DAY_MS } from '../../base/days.ts'
import { nextTurn } from '../../base/event-loop.ts'
import { eachBlock } from '../../operations/questions/pick.ts'
import { withTables } from '../../operations/questions/question.ts'
import { factsOf, type Selection } from '../../operations/questions/select.ts'
import { FACTS, type FactName } from '../../record/facts.ts'
import { USE_CODES } from '../../record/use-codes.ts'
import { numberAt, wordAt } from '../../store/facts/chunk.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'

/** Sales of so many years before the roll count for a ratio, as in ratio studies. */
const RATIO_YEARS = 2
const PRICE_MIN = 1000

/** NaN: unknown. */
type ReadNumber = (block: FactBlock, place: number) => number
/** `''`: unknown. */
type ReadWord = (block: FactBlock, place: number) => string

const factOf =
  (fact: FactName): ReadNumber =>
  ({ columns }, place) => {
    const column = columns[fact]
    return column === undefined ? Number.NaN : numberAt(column, place)
  }
const [market, assessed, acres] = [factOf('marketValue'), factOf('assessedValue'), factOf('acres')]
const [sold, built, price] = [factOf('transferDay'), factOf('yearBuilt'), factOf('salePrice')]
const [priced, county] = [factOf('saleDate'), factOf('county')]
const [livesThere, isElsewhere] = [factOf('ownerOccupied'), factOf('outOfStateOwner')]

const dollarsOf: ReadNumber = (block, place) => {
  const value = market(block, place)
  return Number.isNaN(value) ? assessed(block, place) : value
}

export const MODE_FACTS = [
  ...(['marketValue', 'assessedValue', 'acres', 'transferDay', 'yearBuilt', 'salePrice'] as const),
  ...(['saleDate', 'county', 'ownerOccupied', 'outOfStateOwner', 'ownerType', 'useCode'] as const),
]

type Modes = { numbers: Record<string, ReadNumber>; words: Record<string, ReadWord> }

/** Returns how each mode is read. `counties`: the loaded ones, with the years of their rolls. */
export function openModes(counties: readonly CountyCoverage[]): Modes {
  const since = new Map(
    counties.map(({ fips, rollYear }) => [
      fips,
      Date.UTC((rollYear ?? new Date().getUTCFullYear()) - RATIO_YEARS, 0) / DAY_MS,
    ]),
  )
  return {
    numbers: {
      value: dollarsOf,
      valuePerAcre(block, place) {
        const area = acres(block, place)
        return area > 0 ? Math.round(dollarsOf(block, place) / area) : Number.NaN
      },
      saleYear: (block, place) => new Date(sold(block, place) * DAY_MS).getUTCFullYear(),
      yearBuilt: built,
      /** Per cent. */
      ratio(block, place) {
        const first = since.get(county(block, place)) ?? 0
        if (!(priced(block, place) >= first) || !(price(block, place) >= PRICE_MIN)) {
          return Number.NaN
        }
        return Math.round((100 * dollarsOf(block, place)) / price(block, place))
      },
    },
    words: {
      use: (block, place) => wordOf(block, 'useCode', place),
      ownerKind: (block, place) => wordOf(block, 'ownerType', place),
      absentee(block, place) {
        if (livesThere(block, place) === 1) return 'lives there'
        const away = isElsewhere(block, place)
        if (away === 1) return 'in another state'
        return away === 0 && livesThere(block, place) === 0 ? 'elsewhere in the state' : ''
      },
    },
  }
}

function wordOf({ columns }: FactBlock, fact: FactName, place: number): string {
  const column = columns[fact]
  return column === undefined ? '' : wordAt(column, place)
}

export function titleOf(mode: string, word: string): string {
  return mode === 'use' ? (USE_CODES.get(word)?.description ?? word) : word
}

type Walk = Selection & { states: readonly string[]; facts: readonly FactName[] }

/** Takes one parcel after the other; `result`: what they came to. */
type Visitor<Result> = {
  visit(block: FactBlock, place: number, state: string): void
  result: Result
}

/** A dot without a name shows no more than the outlines of parcels. */
const isPlace = (fact: FactName) => fact === 'x' || fact === 'y'

/**
 * Visits each parcel that meets a selection; `begin` is called again when an import commits
 * meanwhile. While a suppression is not in effect yet, facts that one can hide are read as unknown.
 * Parcels that are chosen by them are left out.
 */
export async function eachFact<Result>(
  parcels: ParcelReader,
  { states, facts, ...selection }: Walk,
  begin: () => Visitor<Result>,
): Promise<Result> {
  const isHidden = (fact: FactName) =>
    parcels.isGuarded === true && 'hiddenWith' in FACTS[fact] && !isPlace(fact)
  if (selection.tests.some(({ fact }) => isHidden(fact))) return begin().result
  const wanted = [...factsOf(selection), ...facts.filter((fact) => !isHidden(fact))]
  const limits = { pause: nextTurn, deadline: Number.POSITIVE_INFINITY }
  return withTables(states, { parcels }, async (tables) => {
    const { visit, result } = begin()
    for (const [state, table] of tables) {
      for await (const selected of eachBlock(table, selection, wanted, limits)) {
        if (selected === undefined) break
        const { block, list, length } = selected
        for (let at = 0; at < length; at += 1) visit(block, list[at] as number, state)
      }
    }
    return result
  })
}
