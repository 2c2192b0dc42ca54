/** Compares two stored forms of a parcel, by groups of fields that callers watch. */
import { type ChangeGroup, groupBit } from '../base/model/changes.ts'
import { STORED_FIELDS } from './parcel.ts'
import { FIELD, joinFields, slotOf, splitFields } from './stored.ts'

/** The bit of the group of each stored field, by slot. */
const BITS = STORED_FIELDS.map(([, { changes }]) => groupBit(changes))

/** Fields that change with each import and say nothing about the parcel. */
const IGNORED_FIELDS = new Set(['sourceName', 'sourceLicense'].map(slotOf))

/**
 * Returns the groups whose stored fields differ, as a sum of bits; `other` when only data next to
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

/** A field that differs: its slot, and both JSON texts; `''` for null. */
type FieldChange = { slot: number; before: string; after: string }

/** Lists the stored fields that differ and say something about the parcel, by slot. */
export function listChanges(before: string, after: string): FieldChange[] {
  const [old, now] = [splitFields(before), splitFields(after)]
  return old.flatMap((text, slot) =>
    text === now[slot] || IGNORED_FIELDS.has(slot)
      ? []
      : { slot, before: text, after: now[slot] ?? '' },
  )
}

export function fieldOfSlot(slot: number): { name: string; group: ChangeGroup } {
  const [name, { changes }] = STORED_FIELDS[slot] as (typeof STORED_FIELDS)[number]
  return { name, group: changes }
}

/**
 * Returns what makes `before` of `after`: each differing field as its slot in base 36, a colon and
 * its earlier text. `''` when they are equal. An empty text is a record without fields.
 */
export function packDifference(before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [splitFields(before), splitFields(after)]
  const parts = old.flatMap((text, slot) =>
    text === now[slot] ? [] : `${slot.toString(36)}:${text}`,
  )
  return parts.join(FIELD)
}

/** The inverse of `packDifference`: returns `before`. */
export function unpackDifference(difference: string, after: string): string {
  if (difference === '') return after
  const texts = splitFields(after)
  for (const part of difference.split(FIELD)) {
    const colon = part.indexOf(':')
    texts[Number.parseInt(part.slice(0, colon), 36)] = part.slice(colon + 1)
  }
  return joinFields(texts)
}
