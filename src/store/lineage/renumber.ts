/** Recognizes a roll in which a county has given its parcels other IDs. */
import { LINK_KINDS } from './link.ts'
import type { RollLinker } from './link-rolls.ts'

/** A scope is renumbered when more than this share of its IDs leaves, … */
const LEAVING = 0.2
/** … as many come, but for this share of them, … */
const DIFFERING = 0.1
/** … and this share of those that leave pairs off. */
const PAIRED = 0.9

/** Parcels of a scope: stored before, no longer in the roll, and new in it. */
type Counts = { before: number; removed: number; added: number }

/** Whether so many IDs leave and come that it is worth looking for pairs. */
export function mayBeRenumbered({ before, removed, added }: Counts): boolean {
  return removed > before * LEAVING && Math.abs(added - removed) <= removed * DIFFERING
}

/**
 * Returns the parcels that are the same before and after, by their numbers; none unless the scope
 * is renumbered. `linker` has those that leave and those that come.
 */
export function pairRenumbered(linker: RollLinker, removed: number): [old: number, now: number][] {
  const same = LINK_KINDS.indexOf('renumbered')
  const links = linker.link().filter(({ kind }) => kind === same)
  return links.length < removed * PAIRED ? [] : links.map(({ parent, child }) => [parent, child])
}
