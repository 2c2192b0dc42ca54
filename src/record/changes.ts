/** Compares two stored forms of a parcel, by groups of fields that callers watch. */

import { type ChangeGroup, groupBit } from '../model/changes.ts'
import { STORED_FIELDS } from './parcel.ts'
import { slotOf, splitFields } from './stored.ts'

const OWNER = /^(?:owner|careOf)/
const ADDRESS =
  /^(?:address|street|unitType|unitNumber|zipCode|alternateAddresses|jurisdiction|municipality$)/
const VALUE = new RegExp(
  '^(?:assessed|total(?:Assessed|Land|Building|Market)|taxable|exemption|homestead' +
    '|marketValue|valueType|tax(?:Year|Amount|RateCodeArea)|assessments)',
)
const BUILDING =
  /^(?:building|unitCount|residentialArea|commercialArea|retailArea|officeArea|condominium)/
const LAND = new RegExp(
  '^(?:acres|calculatedAcres|landArea|frontage|depth|legalDescription|subdivision' +
    '|block|lot|section|township|range|zoning|furtherZoning|historicDistrict|landmark' +
    String.raw`|\w+FloorAreaRatio|propertyUse|localUse|useStandard|residential$|neighborhood` +
    '|ward|censusTract|schoolDistrict)',
)

const RULES: [ChangeGroup, RegExp][] = [
  ['owner', OWNER],
  ['address', ADDRESS],
  ['value', VALUE],
  ['sale', /^transfers$/],
  ['building', BUILDING],
  ['land', LAND],
  ['geometry', /^(?:latitude|longitude)$/],
]

/** The bit of each slot's group. */
const BITS = STORED_FIELDS.map(([name]) =>
  groupBit(RULES.find(([, rule]) => rule.test(name))?.[0] ?? 'other'),
)

/** Fields that change with each import and say nothing about the parcel. */
const SILENT = new Set(['sourceName', 'sourceLicense'].map(slotOf))

/**
 * Returns the groups whose stored fields differ, as a sum of bits; `other` when only data beside
 * the fields differs.
 *
 * Bits are in the order of `CHANGE_GROUPS`; the first one is 1.
 */
export function compareGroups(before: string, after: string, isMoved: boolean): number {
  const [old, now] = [splitFields(before), splitFields(after)]
  let groups = isMoved ? groupBit('geometry') : 0
  for (const [slot, bit] of BITS.entries()) {
    if (old[slot] !== now[slot] && !SILENT.has(slot)) groups |= bit
  }
  return groups === 0 ? groupBit('other') : groups
}
