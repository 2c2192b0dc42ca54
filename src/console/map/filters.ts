/** The map's filters, as tests of facts. */
import { FACT_FILTERS, openWords, readFactTests } from '../../operations/find/fact-filters.ts'
import { readParameters } from '../../operations/parameters.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import type { Filters } from '../filters.ts'

/** Throws *bad request* for a value that is none. */
export function testsOf({ city, zipCode, ...facts }: Filters): FactTest[] {
  const values = readParameters(FACT_FILTERS, new URLSearchParams(facts).toString())
  const words = [
    ['city', city],
    ['zip', zipCode],
  ] as const
  return [
    ...readFactTests(values),
    ...words.flatMap(([fact, text]) =>
      text === undefined ? [] : [{ fact, is: openWords(text.split(',')) }],
    ),
  ]
}
