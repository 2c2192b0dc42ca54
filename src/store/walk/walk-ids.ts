/** Ids of walks along an index, for both stores. */

/** Most index entries that one statement of a walk reads: at worst 3 ms in SQLite, 5 ms else. */
export const EXAMINE = 5000

/**
 * One of several index walks whose union is the answer. `ids`: found so far, ascending and without
 * the known ones. `examined`, `matched`: of the last slice; 0 before the first.
 */
export type OwnerWalk = {
  nextId: number
  ids: number[]
  examined: number
  matched: number
  done: boolean
}

/** Adds the ids that a slice of `examined` entries found; a parcel may occur twice in them. */
export function addIds(
  walk: OwnerWalk,
  found: readonly number[],
  examined: number,
  known: ReadonlySet<number>,
): void {
  const before = walk.ids.length
  let last = walk.ids.at(-1) ?? 0
  for (const id of found) {
    if (id <= last || known.has(id)) continue
    walk.ids.push(id)
    last = id
  }
  walk.examined = examined
  walk.matched = walk.ids.length - before
}

/** Extra entries read, for parcels with the name in both slots. */
export const BOTH_SLOTS = 8

/** Fewest entries of a further slice. */
const NEXT_SLICE = 64
/** A further slice examines more than is likely to be needed, because a statement costs too. */
const MARGIN = 1.25

/** The last slice of a walk: entries that it examined, and wanted ids among them. */
type LastSlice = { examined: number; matched: number }

/**
 * Entries that the next slice examines to find `want` more ids, at most `growth` times those of the
 * one before it. Most walks lack a few ids after the first slice, because couples have the name in
 * both slots. A fixed multiple read several hundred entries for them.
 */
export function sizeNextSlice({ examined, matched }: LastSlice, want: number, growth: number) {
  if (matched === 0) return examined * growth
  const likely = Math.ceil((want * MARGIN * examined) / matched) + BOTH_SLOTS
  return Math.min(examined * growth, Math.max(likely, NEXT_SLICE))
}

/** Merges ascending lists and returns the first ids, each once. */
export function firstOf(lists: number[][], want: number): number[] {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only.slice(0, want)
  return [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, want)
}

const [ZERO, NINE] = [0x30, 0x39]

/** Returns the numbers of `12,15` or `{12,15}`: splitting took longer than the walk itself. */
export function readNumbers(text: string): number[] {
  const numbers: number[] = []
  let number = -1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      number = Math.max(number, 0) * 10 + code - ZERO
    } else if (number >= 0) {
      numbers.push(number)
      number = -1
    }
  }
  if (number >= 0) numbers.push(number)
  return numbers
}
