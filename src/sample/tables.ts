/** What the sample draws from, of `tables/sample.json`: invented, or generally known. */
import { readTable } from '../base/tables.ts'
import { listOf } from './name-lists.ts'
import type { CountyFacts, Layout, Shape, Use } from './roll-style.ts'

type Shares = readonly (readonly [value: string, share: number])[]

type Tables = {
  counties: readonly Omit<CountyFacts, 'regionalSurnames'>[]
  /**
   * Of each use: its code of `tables/use-codes.tsv`, the usual square feet, and the value of a
   * square foot relative to others. The shares of persons and of trusts among its owners follow;
   * the rest are companies.
   */
  uses: Record<
    Use,
    {
      code: string
      area: number
      worth: number
      owners: readonly [persons: number, trusts: number]
    }
  >
  layouts: Record<Layout, Shape>
  /** Suffixes in the forms of rolls. */
  streetSuffixes: Shares
  companyKinds: Shares
  /** Homes of owners who live elsewhere: the last is the first three digits of the ZIP code. */
  elsewhere: readonly (readonly [city: string, state: string, zip: string])[]
}

const { counties, ...drawn } = JSON.parse(readTable('sample.json').join('\n')) as Tables
export const { uses, layouts, streetSuffixes, companyKinds, elsewhere } = drawn

/** The facts of a state's county. Throws if the tables have none. */
export function factsOf(state: string): CountyFacts {
  const facts = counties.find((county) => county.state === state)
  if (facts === undefined) throw new Error(`tables/sample.json has no county of ${state}`)
  return { ...facts, regionalSurnames: listOf(`${state} surnames`) }
}
