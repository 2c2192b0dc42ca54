/** Watches of searches: whether one record meets the filters of property search. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { openFacts } from '../../record/facts.ts'
import { findCounty } from '../../regions/counties.ts'
import type { EncodedKeys } from '../../store/parcel-keys.ts'
import type { VersionForm } from '../../store/versions/versions.ts'
import { readFactTests } from '../find/fact-filters.ts'
import { readParameters } from '../parameters.ts'
import { readCircle } from '../places/area.ts'
import { readSearchFilter, SEARCH_PARAMETERS } from '../property-search.ts'
import { selectionOf } from '../questions/question.ts'
import type { FactTest, Selection } from '../questions/select.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import type { SearchCondition } from './draft.ts'

type SearchMatch = {
  state: string
  /** FIPS code of the county, if one is asked. */
  fips: number | undefined
  /** `now`: epoch milliseconds, for filters by days before it. */
  fits(form: VersionForm, now: number): boolean
}

/** Parameters that name single parcels, or another day. */
const REFUSED = ['address', 'query', 'asOf'] as const

/** Reads the filters of a query string. Throws *bad request* as property search does. */
export function openSearch({ search, useCodes }: SearchCondition): SearchMatch {
  const values = readParameters(SEARCH_PARAMETERS, search, undefined, UNSUPPORTED_FILTERS)
  for (const name of REFUSED) {
    if (values[name] !== undefined) throw refuse.badRequest(`a watch's search takes no ${name}`)
  }
  const { state } = values
  if (state === undefined) throw refuse.badRequest('state is required in search')
  const circle = readCircle(values)
  const tests = readFactTests(values)
  const found = values.county === undefined ? undefined : findCounty(state, values.county)
  if (values.county !== undefined && found === undefined) {
    throw refuse.badRequest('county does not match any county in the given state')
  }
  const account = { facts: { useCodes } }
  let made: { day: number; selection: Selection | undefined } | undefined
  /** Filters by days before it change from day to day. */
  const selectAt = (now: number) => {
    const day = Math.floor(now / DAY_MS)
    if (made?.day === day) return made.selection
    const filter = readSearchFilter({ ...values, state }, { now, account })
    const { state: _, ...others } = filter ?? { state }
    const scope = { states: [state], filter: { assignedOnly: false, ...others }, area: circle }
    made = { day, selection: filter && selectionOf(scope, tests) }
    return made.selection
  }
  selectAt(0)
  return {
    state,
    fips: found === undefined ? undefined : Number(found.fips),
    fits(form, now) {
      const selection = selectAt(now)
      return selection !== undefined && meets(form, state, selection)
    },
  }
}

function meets(form: VersionForm, state: string, { tests, holds }: Selection): boolean {
  const keys: EncodedKeys = JSON.parse(form.keys)
  const { fieldValues } = form
  const read = openFacts({ state, fieldValues, owner: 0, unit: keys.s[0]?.[2] ?? '' })
  if (!tests.every((test) => meetsTest(test, read(test.fact)))) return false
  const degrees = (fact: 'x' | 'y') => Number(read(fact)) / UNITS_PER_DEGREE
  return holds === undefined || holds([degrees('x'), degrees('y')])
}

function meetsTest(test: FactTest, value: number | string): boolean {
  if ('is' in test) return typeof value === 'string' && value !== '' && test.is(value)
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = test
  return typeof value === 'number' && value >= from && value <= to
}
