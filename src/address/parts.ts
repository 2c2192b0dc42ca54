/** The parts of a parsed line. */
import { NO_NUMBER } from './parse/numbers.ts'
import type { UnitPart } from './parse/units.ts'

export type Parts = ReturnType<typeof emptyParts>

/** Empty strings and lists mean absent. */
export function emptyParts() {
  return {
    number: NO_NUMBER,
    predirectional: '',
    nameKey: '',
    nameShown: '',
    suffix: '',
    postdirectional: '',
    units: [] as UnitPart[],
    /** Whether it is a highway of unknown kind, whose name begins with `HIGHWAY`. */
    bareHighway: false,
    isBox: false,
    /** The city before the number, folded: `MACON, 100 MAIN ST`. */
    lead: '',
    /** Whether its direction was behind the unit: `MAIN ST #4 NE`. */
    isMoved: false,
  }
}
