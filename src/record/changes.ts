/** Compares two stored forms of a parcel, by groups of fields that callers watch. */

import { groupBit } from '../base/model/changes.ts'
import { STORED_FIELDS } from './parcel.ts'
import { slotOf, splitFields } from './stored.ts'

/** The bit of the group of each stored field, by slot. */
const BITS = STORED_FIELDS.map(([, { changes }]) => groupBit(changes))

/** Fields that change with each import and say nothing about the parcel. */
const IGNORED_FIELDS = new Set(['sourceName', 'sourceLicense'].map(slotOf))

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
    if (old[slot] !== now[slot] && !IGNORED_FIELDS.has(slot)) groups |= bit
  }
  return groups === 0 ? groupBit('other') : groups
}
