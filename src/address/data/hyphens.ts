/**
 * Counties where a hyphen is part of the house number. USPS Publication 28, appendix D1, edition of
 * October 2023, names New York City, Hawaii and areas in southern California.
 * docs/decisions/address-matching.md explains the choice.
 */

/** County FIPS codes, each with its reason. */
export const HYPHENATING_COUNTIES: ReadonlyMap<number, string> = new Map([
  [36_081, 'Queens, New York: block and house, 39-12'],
  [15_001, 'Hawaii: tax zone and house, 73-4460'],
  [15_003, 'Honolulu: tax zone and house, 91-1001'],
  [15_005, 'Kalawao: addressed with Maui'],
  [15_007, 'Kauai: tax zone and house, 4-1345'],
  [15_009, 'Maui: tax zone and house in places, and no ranges'],
  [6_065, 'Riverside, California: Coachella Valley, 78-495'],
])
/** States with such a county. When the county is unknown, both readings are looked up there. */
export const HYPHENATING_STATES: ReadonlySet<string> = new Set(['NY', 'HI', 'CA'])
