/**
 * Owner search over postings. The rarest condition drives the walk; the others are tested for each
 * slot found. A test compares it with `test/owner-meets.ts`, without an index.
 */
import type { SQLInputValue } from 'node:sqlite'
import { HEAD_KINDS } from '../../parcel-keys.ts'
import type { OwnerHit, OwnerSearch } from '../../store.ts'
import { ANY_KIND, type Head, type OwnerPlan, planWalks } from '../../walk/owner-plan.ts'
import { askInRounds, type OwnerRounds } from '../../walk/owner-rounds.ts'
import {
  addIds,
  BOTH_SLOTS,
  EXAMINE,
  firstOf,
  type OwnerWalk,
  readNumbers,
  sizeNextSlice,
} from '../../walk/walk-ids.ts'
import type { Prepare } from './prepare.ts'
import { type OwnerDrive, ownerSql, SQL } from './statements.ts'
import type { WalkQueue } from './walk-queue.ts'

type Found = { hits: OwnerHit[]; complete: boolean }

/** Returns matching parcels: exact ones first, each group by ascending id. */
export function searchOwners(
  { prepare, walks }: { prepare: Prepare; walks: WalkQueue },
  search: OwnerSearch,
): Promise<Found> {
  const { state, deadline } = search
  const count = countKeys(prepare, state)
  const rounds: OwnerRounds = {
    async collect(asked, want, known) {
      const plan = await planWalks(asked, count)
      const union = openWalks(plan, search)
      return walks.walk(
        () => advance(prepare, union, want, known),
        deadline,
        () => ({ ids: [], complete: false }),
      )
    },
    wordsWith(forms) {
      const near = prepare(SQL.wordsNear)
      return near.all<[word: string]>(state, JSON.stringify(forms)).map(([word]) => word)
    },
  }
  return askInRounds(search, rounds)
}

/** Counts the entries of heads and of words in a state, at most 1,000 each. */
export function countKeys(prepare: Prepare, state: string) {
  const count = (text: string, keys: string[]) =>
    keys.map((key) => prepare(text).get<[n: number]>(state, key)?.[0] ?? 0)
  return (names: string[], words: string[]) => ({
    names: count(SQL.headCount, names),
    words: count(SQL.wordCount, words),
  })
}

/** Cost of a statement, expressed in entries. */
const STATEMENT = 50

/** Fewest entries that the first slice of a walk examines. */
const FIRST_SLICE = 128
/** A slice examines at most this many times the entries of the slice before it. */
const GROWTH = 4

/** `tests`: values before the first id and the number to examine. */
type Walk = OwnerWalk & { sql: string; tests: SQLInputValue[] }

/** Merges the walks: the first `want` ids of their union, ascending, without the known ones. */
function advance(prepare: Prepare, union: Walk[], want: number, known: ReadonlySet<number>) {
  const isOpen = ({ done, ids }: Walk) => !done && ids.length < want
  // Walks of rare words take microseconds, so many of them share one slice.
  for (let spent = 0; spent < EXAMINE; ) {
    const walk = union.find(isOpen)
    if (walk !== undefined) spent += STATEMENT + step(prepare, walk, want, known)
    if (!union.some(isOpen)) {
      const lists = union.map(({ ids }) => ids)
      return { ids: firstOf(lists, want), complete: true }
    }
  }
  return undefined
}

type SliceColumns = [ids: string | null, examined: number, lastId: number | null]

/** Adds the next ids of one walk; returns how many entries were examined. Ids may repeat. */
function step(prepare: Prepare, walk: Walk, want: number, known: ReadonlySet<number>): number {
  const examine = Math.min(EXAMINE, sizeSlice(walk, want - walk.ids.length))
  const slice = prepare(walk.sql).get<SliceColumns>(...walk.tests, walk.nextId, examine)
  const [ids, examined, lastId] = slice as SliceColumns
  // A slice may end between a parcel's two slots: it is read again, and counted once.
  walk.nextId = lastId ?? walk.nextId
  walk.done = examined < examine
  addIds(walk, readNumbers(ids ?? ''), examine, known)
  return examined
}

function sizeSlice(walk: Walk, want: number): number {
  if (walk.examined === 0) return Math.max(want + BOTH_SLOTS, FIRST_SLICE)
  return sizeNextSlice(walk, want, GROWTH)
}

function openWalks(plan: OwnerPlan, { state, fips }: OwnerSearch): Walk[] {
  const { byHead, driving, words, heads } = plan
  const county = fips !== undefined
  const counts = words.map((forms) => padded(forms.length))
  const forms = words.flatMap((all, at) => {
    const spare = Array<string>((counts[at] ?? 0) - all.length).fill(all[0] ?? '')
    return [state, ...all, ...spare]
  })
  const tested = heads.flatMap((head) => [state, head.head, ...valuesOf(head)])
  const own = county ? [fips] : []
  const shape = { county, words: counts, heads: heads.map(driveOf) }
  return driving.map((head) => ({
    sql: ownerSql({ drive: byHead ? driveOf(head) : 'word', ...shape }),
    tests: [...forms, ...tested, ...(byHead ? valuesOf(head) : []), ...own, state, head.head],
    ...{ nextId: 0, ids: [], examined: 0, matched: 0, done: false },
  }))
}

/** How `owner_heads` is walked or tested for a head. */
function driveOf({ kind, given, start }: Head): Exclude<OwnerDrive, 'word'> {
  if (kind === ANY_KIND) return 'either'
  if (kind === HEAD_KINDS.person) return given === '' ? 'person' : 'given'
  return start === '' ? 'organization' : 'restStart'
}

function valuesOf({ given, start }: Head): string[] {
  if (start !== '') return [start, start]
  return given === '' ? [] : [given]
}

/** Rounds the number of forms up to a power of two, so that few statements serve all. */
function padded(forms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, forms)))
}
