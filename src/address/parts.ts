/** The parts of a parsed line. */
import type { StreetNumber } from './parse/number-lists.ts'
import { NO_NUMBER } from './parse/numbers.ts'
import type { UnitPart } from './parse/units.ts'

/** The parts of a line. Empty strings and lists mean absent. */
export type Parts = {
  number: StreetNumber
  predirectional: string
  nameKey: string
  nameShown: string
  suffix: string
  postdirectional: string
  units: UnitPart[]
  /** Whether it is a highway of unknown kind, whose name begins with `HIGHWAY`. */
  bareHighway: boolean
  isBox: boolean
  /** The city before the number, folded: `MACON, 100 MAIN ST`. */
  lead: string
  /** Whether its direction was behind the unit: `MAIN ST #4 NE`. */
  isMoved: boolean
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
    lead: '',
    isMoved: false,
  }
}
