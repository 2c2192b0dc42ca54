/** Changes of parcels by imports. */

/** Groups of fields, in the order of their bits. */
export const CHANGE_GROUPS = [
  'owner',
  'address',
  'value',
  'sale',
  'building',
  'land',
  'geometry',
  'other',
] as const

/** A group of fields that callers watch together. */
export type ChangeGroup = (typeof CHANGE_GROUPS)[number]

/** The bit of a group: 1 for the first of `CHANGE_GROUPS`, then doubled. */
export function groupBit(group: ChangeGroup): number {
  return 1 << CHANGE_GROUPS.indexOf(group)
}

export function groupsOf(bits: number): ChangeGroup[] {
  return CHANGE_GROUPS.filter((group) => (bits & groupBit(group)) !== 0)
}
