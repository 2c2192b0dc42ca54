/** Merges the rows of one parcel. */
import type { MergeKind } from '../mapping/mapping.ts'
import { newestFirst, uniteTransfers } from './derive.ts'
import type { Draft } from './normalize.ts'

/** The mapping's rule for several rows of one parcel. */
export type RepeatRule = { merge: MergeKind[]; otherwise: 'reject' | 'first' }

/**
 * Merges rows of one ID into the parcel of the first. `refused`: those that differ from it in more
 * than the mapping merges.
 *
 * Lists are joined and equal members dropped. If `otherwise` is `first`, the first row's values
 * stay and empty ones are filled. Linear in the rows.
 */
export function mergeDrafts(
  first: Draft,
  others: readonly Draft[],
  { merge, otherwise }: RepeatRule,
): { draft: Draft; refused: ReadonlySet<Draft> } {
  const isEqual = merge.length === 0 ? () => false : restComparer(first, merge)
  const added = otherwise === 'first' ? others : others.filter(isEqual)
  const refused = new Set(others).difference(new Set(added))
  if (added.length === 0) return { draft: first, refused }
  const draft: Draft = { ...first, parcel: { ...first.parcel } }
  const { parcel } = draft
  const all = [first, ...added]
  if (merge.includes('owners')) mergeOwners(parcel, all)
  if (merge.includes('buildings')) {
    parcel.buildings = joinLists(all.map((one) => one.parcel.buildings))
    const counted = parcel.buildingCount ?? 0
    if (counted < parcel.buildings.length) parcel.buildingCount = parcel.buildings.length
  }
  if (merge.includes('transfers')) {
    parcel.transfers = uniteTransfers(all.flatMap((one) => one.parcel.transfers)).sort(newestFirst)
    const newest = parcel.transfers[0]
    parcel.ownershipStartDate = newest?.transferDate ?? newest?.recordingDate ?? null
  }
  for (const other of added) fillGaps(draft, other)
  if (merge.includes('addresses')) {
    const lines = added.map(({ line, unit, further }) =>
      line === null ? further : [{ line, unit }, ...further],
    )
    draft.further = joinLists([first.further, ...lines]).filter(
      ({ line, unit }) => line !== draft.line || unit !== draft.unit,
    )
  }
  return { draft, refused }
}

const SETTLED: Record<MergeKind, string[]> = {
  owners: ['ownerName', 'ownerName2', 'careOf', 'ownerOccupied', ...mailing()],
  buildings: ['buildings', 'buildingCount', 'unitCount'],
  transfers: ['transfers', 'ownershipStartDate'],
  addresses: ['addressRaw', 'city', 'zipCode', 'zipCodePlusFour', 'latitude', 'longitude'],
}

function mailing(): string[] {
  return [
    'ownerStreet',
    'ownerCity',
    'ownerState',
    'ownerZipCode',
    'ownerZipCodePlusFour',
    'ownerCountry',
  ]
}

/** Returns the test whether a row is equal to the first in all that is not merged. */
function restComparer(first: Draft, merge: MergeKind[]): (other: Draft) => boolean {
  const settled = new Set([...merge.flatMap((kind) => SETTLED[kind]), 'extra'])
  const rest = ({ parcel, line, unit }: Draft) => {
    const values = Object.entries(parcel).filter(([name]) => !settled.has(name))
    return JSON.stringify(merge.includes('addresses') ? values : [line, unit, ...values])
  }
  const own = rest(first)
  return (other) => rest(other) === own
}

/**
 * Merges all owners into the two available slots. The third and later owners are appended to the
 * second slot by `; `, which the owner engine treats like `&`. When a second row follows, two slots
 * of one row that form one name are joined first.
 */
function mergeOwners(parcel: Draft['parcel'], drafts: readonly Draft[]): void {
  const groups: string[][] = []
  const known = new Set<string>()
  for (const slots of drafts.map(slotsOf)) {
    if (slots.every((text) => known.has(text)) || known.has(joinSlots(slots))) continue
    groups.push(slots)
    for (const text of [...slots, joinSlots(slots)]) known.add(text)
  }
  const [first = [], ...rest] = groups
  const alone = rest.length === 0
  parcel.ownerName = alone ? (first[0] ?? null) : joinSlots(first)
  parcel.ownerName2 = alone ? (first[1] ?? null) : rest.map(joinSlots).join('; ')
}

function slotsOf({ parcel }: Draft): string[] {
  return [parcel.ownerName, parcel.ownerName2].filter((text) => text !== null)
}

/** Joins two slots: by a blank when the second continues the first, else by `; `. */
function joinSlots(slots: string[]): string {
  const [first = '', second] = slots
  if (second === undefined) return first
  return /^&|^AND\b/.test(second) || /(?:&|\bAND)$/.test(first)
    ? `${first} ${second}`
    : `${first}; ${second}`
}

/** Joins lists without what an earlier one holds; a row may have two equal buildings. */
function joinLists<Item>(lists: Item[][]): Item[] {
  const known = new Set<string>()
  return lists.flatMap((list) => {
    const keys = list.map((item) => JSON.stringify(item))
    const added = list.filter((_, at) => !known.has(keys[at] as string))
    for (const key of keys) known.add(key)
    return added
  })
}

function fillGaps(merged: Draft, other: Draft): void {
  const parcel = merged.parcel as Record<string, unknown>
  for (const [name, value] of Object.entries(other.parcel)) {
    if (name === 'ownerName' || name === 'ownerName2') continue
    if (parcel[name] === null) parcel[name] = value
  }
  // A unit belongs to its line: another row's unit makes another address.
  if (merged.line === null) {
    merged.line = other.line
    merged.unit = other.unit
  }
}
