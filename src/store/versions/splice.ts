/** Adds the roll of an earlier day to the versions of a parcel. */
import { carryOver, ownRecord } from '../../record/stored.ts'
import type { RollPair } from '../lineage/sides.ts'
import {
  type Chain,
  makeChain,
  type Place,
  readChain,
  type VersionForm,
  type VersionRow,
} from './versions.ts'

/** The added roll, the next later one, and whether none is earlier. `loadedAt`: epoch seconds. */
export type Splice = { at: Place; next: Place; isFirst: boolean; loadedAt: number }

/** The versions of one id as they are stored; `rows`: newest first. */
type KeptVersions = { id: number; present: VersionForm | undefined; rows: VersionRow[] }

/** Returns where a roll of a day belongs; `undefined` when it is not older than the present one. */
export function placeRoll(
  vintages: readonly Place[],
  day: number,
  { importId, loadedAt }: { importId: number; loadedAt: number },
): Splice | undefined {
  const later = vintages.filter((one) => one.day > day).toSorted(comparePlaces)
  const [next] = later
  if (next === undefined) return undefined
  return {
    at: { day, import: importId },
    next,
    isFirst: later.length === vintages.length,
    loadedAt,
  }
}

type SplicedRows = { id: number; rows: ReturnType<typeof makeChain> }

/**
 * Adds a roll to all ids that a parcel had. The one that held then, or that holds from the next
 * roll on, gets its version, or else the first one. Returns the new rows of the ids that change.
 */
export function spliceParcel(
  ids: readonly KeptVersions[],
  own: VersionForm | undefined,
  splice: Splice,
): SplicedRows[] {
  const holdsAt = (at: Place) => (kept: KeptVersions) => heldAt(kept, { at }).held !== undefined
  const { at, next } = splice
  const holding = ids.find(holdsAt(at)) ?? ids.find(holdsAt(next)) ?? ids[0]
  return ids.flatMap((kept) => {
    const rows = spliceVersions(kept, kept === holding ? own : undefined, splice)
    return rows === undefined ? [] : { id: kept.id, rows }
  })
}

/** The versions of an id, and which of them held at the time of the roll. */
function heldAt({ present, rows }: KeptVersions, { at }: Pick<Splice, 'at'>) {
  const chain = readChain(present, rows)
  // The first whose change is not after the roll.
  const from = chain.findIndex((_, index) => {
    const began = chain[index + 1]?.row
    return began === undefined || comparePlaces(began, at) <= 0
  })
  return { chain, from, held: chain[from]?.form }
}

/** An id's rows with a roll in which it was `own`; `undefined` when nothing changes. */
function spliceVersions(
  kept: KeptVersions,
  own: VersionForm | undefined,
  splice: Splice,
): ReturnType<typeof makeChain> | undefined {
  const { id, rows } = kept
  const { at, next, isFirst, loadedAt } = splice
  const { chain, from, held } = heldAt(kept, splice)
  const form = own && keepPolygon(own, held)
  const row = (place: Place, since = loadedAt): VersionRow => ({
    ...{ id, ...place, what: 'changed', loadedAt: since, difference: '' },
  })
  const ended = chain[from]?.row
  const isChangedNext = ended !== undefined && comparePlaces(ended, next) === 0
  const newer = isChangedNext ? chain.slice(0, from) : chain.slice(0, from + 1)
  const older = isFirst
    ? []
    : [{ form: held, row: row(at, ended?.loadedAt) }, ...chain.slice(from + 1)]
  const spliced: Chain = [...newer, { form, row: row(next) }, ...older]
  const made = makeChain(spliced)
  const isSame =
    JSON.stringify(made.map(keyOf)) === JSON.stringify(rows.map((one) => keyOf({ row: one })))
  return isSame ? undefined : made
}

/** Returns an id's rows without a roll: what held before lasts until `next`. */
export function removeRoll(
  { present, rows }: KeptVersions,
  at: Place,
  next: Place,
): SplicedRows['rows'] {
  const chain = readChain(present, rows)
  const from = chain.findIndex(({ row }) => row !== undefined && comparePlaces(row, at) === 0)
  const before = chain[from]
  if (before?.row === undefined) return makeChain(chain)
  const own = chain[from - 1]
  const isChangedNext = own?.row !== undefined && comparePlaces(own.row, next) === 0
  const newer = chain.slice(0, isChangedNext ? from - 1 : from)
  const row = { ...before.row, ...next }
  return makeChain([...newer, { form: before.form, row }, ...chain.slice(from + 1)])
}

/** Returns an id before and after a roll that changed it. */
export function pairAt({ id, present, rows }: KeptVersions, at: Place): RollPair {
  const chain = readChain(present, rows)
  const from = chain.findIndex(({ row }) => row !== undefined && comparePlaces(row, at) === 0)
  return { id, before: chain[from]?.form, after: chain[from - 1]?.form }
}

function keyOf({ row: { day, import: own, what, difference } }: { row: VersionRow }) {
  return [day, own, what, difference]
}

/** A roll without polygons keeps those of the versions around it, as a refresh does. */
function keepPolygon(own: VersionForm, held: VersionForm | undefined): VersionForm {
  if (own.geometry === '') return { ...own, geometry: null }
  if (own.geometry !== null || held === undefined || held.geometry === null) return own
  const fieldValues = ownRecord(carryOver(held.fieldValues, own.fieldValues, true))
  return { ...own, fieldValues, geometry: held.geometry }
}

function comparePlaces(one: Place, other: Place): number {
  return one.day - other.day || one.import - other.import
}
