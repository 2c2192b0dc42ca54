/** What parsing finds in a line. */
import { NO_NUMBER, type StreetNumber } from './numbers.ts'
import type { UnitPart } from './units.ts'

/** A line's parts. Empty strings and lists: not there. */
export type Parts = {
  number: StreetNumber
  predirectional: string
  /** Words of the name as compared and as shown. */
  nameKey: string
  nameShown: string
  suffix: string
  postdirectional: string
  units: UnitPart[]
  /**
   * Number of a highway whose kind nobody said: `101` of `HWY 101`; the key's name then begins
   * `HIGHWAY`.
   */
  bareHighway: boolean
  isBox: boolean
}

export function emptyParts(): Parts {
  return {
    number: NO_NUMBER,
    predirectional: '',
    nameKey: '',
    nameShown: '',
    suffix: '',
    postdirectional: '',
    units: [],
    bareHighway: false,
    isBox: false,
  }
}
