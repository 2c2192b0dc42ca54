/** Merges the rows of one parcel. */
import type { MergeKind } from '../mapping/mapping.ts'
import { newestFirst } from './derive.ts'
import type { Draft } from './normalize.ts'

/** The mapping's rule for several rows of one parcel. */
export type RepeatRule = { merge: MergeKind[]; otherwise: 'reject' | 'first' }

/**
 * Merges a row into the parcel made from earlier rows of the same ID. Returns `undefined` when they
 * differ in more than the mapping merges.
 *
 * Lists are joined and equal members dropped. If `otherwise` is `first`, the first row's values
 * stay and empty ones are filled.
 */
export function mergeDrafts(first: Draft, other: Draft, rule: RepeatRule): Draft | undefined {
  if (rule.merge.length === 0 && rule.otherwise === 'reject') return undefined
  if (rule.otherwise === 'reject' && differsElsewhere(first, other, rule.merge)) return undefined
  const merged: Draft = { ...first, parcel: { ...first.parcel }, further: [...first.further] }
  if (rule.merge.includes('owners')) mergeOwners(merged, other)
  const { parcel } = merged
  if (rule.merge.includes('buildings')) {
    parcel.buildings = joinLists(parcel.buildings, other.parcel.buildings)
    const counted = parcel.buildingCount ?? 0
    if (counted < parcel.buildings.length) parcel.buildingCount = parcel.buildings.length
  }
  if (rule.merge.includes('transfers')) {
    parcel.transfers = joinLists(parcel.transfers, other.parcel.transfers).sort(newestFirst)
    const newest = parcel.transfers[0]
    parcel.ownershipStartDate = newest?.transferDate ?? newest?.recordingDate ?? null
  }
  if (rule.merge.includes('addresses')) {
    const { line, unit } = other
    const lines = line === null ? other.further : [{ line, unit }, ...other.further]
    merged.further = joinLists(merged.further, lines).filter(
      (one) => one.line !== merged.line || one.unit !== merged.unit,
    )
  }
  fillGaps(merged, other)
  return merged
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

function differsElsewhere(first: Draft, other: Draft, merge: MergeKind[]): boolean {
  const settled = new Set(merge.flatMap((kind) => SETTLED[kind]))
  const rest = (draft: Draft) =>
    JSON.stringify(
      Object.entries(draft.parcel).filter(([name]) => !settled.has(name) && name !== 'extra'),
    )
  if (!merge.includes('addresses') && (first.line !== other.line || first.unit !== other.unit)) {
    return true
  }
  return rest(first) !== rest(other)
}

/**
 * Merges all owners into the two available slots. The third and later owners are appended to the
 * second slot by `; `, which the owner engine treats like `&`. When a second row follows, two slots
 * of one row that form one name are joined first.
 */
function mergeOwners(merged: Draft, other: Draft): void {
  const { parcel } = merged
  const groups = merged.ownerGroups ?? [slotsOf(merged)]
  const added = slotsOf(other)
  const known = new Set(groups.flatMap((group) => [...group, joinSlots(group)]))
  if (added.every((text) => known.has(text)) || known.has(joinSlots(added))) return
  merged.ownerGroups = [...groups, added].filter((group) => group.length > 0)
  const [first = [], ...rest] = merged.ownerGroups
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

function joinLists<Item>(one: Item[], two: Item[]): Item[] {
  const known = new Set(one.map((item) => JSON.stringify(item)))
  return [...one, ...two.filter((item) => !known.has(JSON.stringify(item)))]
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
