/** Records the steps of a lookup for an explanation. Only created on request. */
import type { TailReading } from '../base/model/address.ts'
import type { SitusHit } from '../store/store.ts'

/** Names of the steps, in the order of `lookup.ts`. */
export type StepName =
  | 'exact'
  | 'recorded-alternate'
  | 'asked-alternate'
  | 'directional'
  | 'suffix'
  | 'spacing'
  | 'forgiven'

export type TracedStep = {
  step: StepName
  reading: TailReading
  /** Strict keys that were looked up, or the loose key of the forgiving steps. */
  keys: string[]
  found: readonly SitusHit[]
  /** Hits that the step accepts; for a forgiving step those with the one difference it forgives. */
  accepted: SitusHit[]
  /** Accepted hits in the asked county, city and ZIP. */
  placed: readonly SitusHit[]
}

/** Filled by `lookUpAddress`; the last step is the one that decided, if any did. */
export type LookupTrace = { steps: TracedStep[] }

/** Explanation of each word of `X-Match`. */
export const MATCHES: Record<string, string> = {
  exact: 'it has the requested address',
  'unit-added': 'it is the only parcel there, and has a unit that was not requested',
  'unit-dropped':
    'no parcel there has the requested unit, and this parcel has the address without a unit',
  'one-of-many': 'it is the first of several that fit the request equally well',
  range: 'a range of numbers includes it',
  highway: 'it is the same highway by another name',
  directional: 'only a direction is missing, or on the other side of the name',
  suffix: 'only the street type is missing on one side',
  spacing: 'only the spacing of the words differs',
  forgiven: 'it has the requested address without the unknown words',
}
