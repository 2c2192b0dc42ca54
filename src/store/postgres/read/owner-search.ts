/**
 * Owner search over postings. The rarest condition drives the walk; the others are tested for each
 * slot that it finds.
 *
 * One statement advances all walks of a question, because the round trip dominates the time.
 * `test/owner-meets.ts` implements the same conditions without an index, and a test compares the
 * two.
 */
import type { OwnerQuestion } from '../../../model/owner.ts'
import { HEAD_KINDS } from '../../parcel-keys.ts'
import type { FoundOwners, OwnerPage, OwnerSearch, StoredParcel } from '../../store.ts'
import { askInRounds, type OwnerRounds } from '../../walk/owner-rounds.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import type { WalkQueue } from '../pool/walk-queue.ts'
import { type OwnerShape, ownerStatement } from './owner-statements.ts'
import { EXAMINE, SQL } from './statements.ts'

type OwnerScope = {
  ask: Ask
  walks: WalkQueue
  state: string
  fips: number | undefined
}

/**
 * Returns matching parcels: exact ones first, each group by ascending id. The parcels of
 * `search.page` come with the first slice if it finds all hits.
 */
export async function searchOwners(
  sources: Pick<OwnerScope, 'ask' | 'walks'>,
  search: OwnerSearch,
): Promise<FoundOwners> {
  const { state, fips, skip, deadline, page } = search
  const scope: OwnerScope = { ...sources, state, fips }
  let shown: StoredParcel[] | undefined
  const rounds: OwnerRounds = {
    async collect(asked, want, known) {
      const plan = await planWalks(scope, asked)
      const isFirst = page !== undefined && known.size === 0
      const wanted = isFirst ? { ...page, from: skip + page.from } : undefined
      const found = await collect(scope, plan, want, known, deadline, wanted)
      shown = found.shown
      return found
    },
    async wordsWith(forms) {
      const rows = await scope.ask<{ word: string }>(SQL.wordsNear, [scope.state, forms])
      return rows.map(({ word }) => word)
    },
  }
  const found = await askInRounds(search, rounds)
  return shown === undefined ? found : { ...found, shown }
}

/**
 * Most surnames tested per slot while walking by word. With more (fuzzy ones) the surnames drive
 * instead.
 */
const HEAD_CHECKS_MAX = 8

/** Most walks advanced by one statement, and most entries that it examines for all of them. */
const WALKS_MAX = 500
/**
 * The first slice reads twice what is wanted, because couples have the surname in both slots of a
 * parcel; later ones read more and more. A second statement costs more than the entries it saves.
 */
const EXAMINE_MIN = 64
const SLOTS = 2
const EXAMINE_GROWTH = 8

/** The kind of a head that both persons and organizations are asked by. */
const ANY_KIND = -1

/** A surname, or the beginning of an organization's name; `''`: any. */
type Head = { head: string; kind: number; given: string; start: string }

/** One of several index walks whose union is the answer. */
type Walk = { head: Head; nextId: number; done: boolean; own: Set<number> }

/** The walks of a question, all by head or all by word, and the other conditions on each slot. */
type Plan = { shape: Omit<OwnerShape, 'page'>; walks: Walk[]; tests: unknown[] }

/** Merges the walks: the first `want` ids of their union, ascending, without the known ones. */
async function collect(
  scope: OwnerScope,
  { shape, walks, tests }: Plan,
  want: number,
  known: ReadonlySet<number>,
  deadline: number,
  page?: OwnerPage,
): Promise<{ ids: number[]; complete: boolean; shown?: StoredParcel[] }> {
  let shown: StoredParcel[] | undefined
  let slices = 0
  const found = new Set<number>()
  let examine = Math.min(EXAMINE, Math.max(EXAMINE_MIN, SLOTS * (want + 1)))
  const isOpen = ({ done, own }: Walk) => !done && own.size < want
  const slice = async (ask: Ask) => {
    const open = walks.filter(isOpen).slice(0, WALKS_MAX)
    const size = Math.max(
      EXAMINE_MIN,
      Math.min(examine, Math.ceil(EXAMINE / Math.max(1, open.length))),
    )
    examine = Math.min(EXAMINE, examine * EXAMINE_GROWTH)
    const rows =
      open.length === 0 ? [] : await askSlice(ask, open, size, slices === 0 ? page : undefined)
    slices += 1
    rows.forEach(({ examined, lastId, ids }, at) => {
      const walk = open[at] as Walk
      for (const id of ids.map(Number)) {
        if (known.has(id)) continue
        walk.own.add(id)
        found.add(id)
      }
      // The slice may have ended between the two slots of its last parcel, which is read again and
      // counted once.
      walk.nextId = lastId
      walk.done = examined < size
    })
    // Ids after the last one wanted are not part of the answer.
    const last = found.size < want ? undefined : firstOf(found, want).at(-1)
    if (last !== undefined) {
      for (const walk of walks) walk.done ||= walk.nextId > last
    }
    if (walks.some(isOpen)) return undefined
    const read = slices === 1 && shown !== undefined ? { shown } : {}
    return { ids: firstOf(found, want), complete: true, ...read }
  }
  async function askSlice(ask: Ask, open: Walk[], size: number, wanted: OwnerPage | undefined) {
    const values = sliceValues(scope, shape, open, size, tests)
    if (wanted === undefined) {
      return ask<SliceRow>(ownerStatement({ ...shape, page: false }), values)
    }
    const text = ownerStatement({ ...shape, page: true })
    const rows = await ask<SliceRow & StoredParcel & { place: number | null }>(text, [
      ...values,
      ...[wanted.from, wanted.count],
    ])
    shown = rows.filter(({ place }) => place === null).map(toParcel)
    shown.sort((a, b) => a.id - b.id)
    return rows
      .filter(({ place }) => place !== null)
      .sort((a, b) => Number(a.place) - Number(b.place))
  }
  return scope.walks.walk(slice, deadline, () => ({ ids: [], complete: false }))
}

function toParcel({ id, loadedAt, leaves, geometry, owned = null }: StoredParcel): StoredParcel {
  return { id, loadedAt, leaves, geometry, owned }
}

type SliceRow = { examined: number; lastId: number; ids: string[] }

function sliceValues(
  { state }: OwnerScope,
  { drive }: Pick<OwnerShape, 'drive'>,
  walks: Walk[],
  examine: number,
  tests: unknown[],
): unknown[] {
  const heads = walks.map(({ head }) => head)
  const [texts, kinds, givens, starts] = columnsOf(heads)
  const own = drive === 'head' ? [kinds, givens, starts] : []
  return [state, examine, texts, walks.map(({ nextId }) => nextId), ...own, ...tests]
}

function columnsOf(heads: Head[]) {
  return [
    heads.map(({ head }) => head),
    heads.map(({ kind }) => kind),
    heads.map(({ given }) => given),
    heads.map(({ start }) => start),
  ] as const
}

function firstOf(found: Set<number>, want: number): number[] {
  return [...found].sort((a, b) => a - b).slice(0, want)
}

async function planWalks(scope: OwnerScope, question: OwnerQuestion): Promise<Plan> {
  const heads = headsOf(question.lastName)
  const words = (question.contains ?? []).map(({ forms }) => [...new Set(forms)])
  const counts = await countWords(scope, words, heads.length > 0)
  const rarest = counts.indexOf(Math.min(...counts))
  const byHead =
    question.lastName !== undefined && !(await wordIsRarer(scope, heads, counts[rarest]))
  const others = byHead ? words : words.filter((_, at) => at !== rarest)
  const driving = byHead ? joinKinds(heads) : (words[rarest] ?? []).map(asWord)
  const asked = byHead ? [] : heads
  return {
    shape: {
      drive: byHead ? 'head' : 'word',
      county: scope.fips !== undefined,
      words: others.length,
      heads: asked.length > 0,
      rest: byHead && heads.some(({ given, start }) => given !== '' || start !== ''),
    },
    walks: driving.map((head) => ({ head, nextId: 0, done: false, own: new Set() })),
    tests: [
      ...(scope.fips === undefined ? [] : [scope.fips]),
      ...others,
      ...(asked.length > 0 ? columnsOf(asked) : []),
    ],
  }
}

/** Joins the walks of a person and an organization with the same head and no further condition. */
function joinKinds(heads: Head[]): Head[] {
  const isPlain = ({ given, start }: Head) => given === '' && start === ''
  const plain = Map.groupBy(heads.filter(isPlain), ({ head }) => head)
  const isBoth = (one: Head) =>
    isPlain(one) && new Set(plain.get(one.head)?.map(({ kind }) => kind)).size > 1
  const both = new Set(heads.filter(isBoth).map(({ head }) => head))
  return [
    ...[...both].map((head) => ({ head, kind: ANY_KIND, given: '', start: '' })),
    ...heads.filter((one) => !isBoth(one)),
  ]
}

function asWord(word: string): Head {
  return { head: word, kind: 0, given: '', start: '' }
}

function headsOf(lastName: OwnerQuestion['lastName']): Head[] {
  if (lastName === undefined) return []
  const { personHeads, givenPrefixes } = lastName
  const person = { kind: HEAD_KINDS.person, start: '' }
  if (givenPrefixes !== undefined) {
    return personHeads.flatMap((head) => givenPrefixes.map((given) => ({ ...person, head, given })))
  }
  const persons = personHeads.map((head) => ({ ...person, head, given: '' }))
  const organizations = lastName.organizationHeads.map(({ head, restStart }) => ({
    head,
    kind: HEAD_KINDS.organization,
    given: '',
    start: restStart === '' ? '' : `${restStart} `,
  }))
  return [...persons, ...organizations]
}

/** Counts the entries of each word in all its forms; skipped when there is no choice. */
async function countWords(
  scope: OwnerScope,
  words: string[][],
  orHeads: boolean,
): Promise<number[]> {
  if (words.length === 0 || (words.length === 1 && !orHeads)) return words.map(() => 0)
  const counts = await countTexts(scope, SQL.wordCounts, words.flat())
  let place = 0
  return words.map((forms) => {
    place += forms.length
    return sum(counts.slice(place - forms.length, place))
  })
}

/**
 * A surname drives unless a word is clearly rarer, because the surname reads fewer rows for the
 * same answer.
 */
async function wordIsRarer(
  scope: OwnerScope,
  heads: Head[],
  rarest: number | undefined,
): Promise<boolean> {
  if (rarest === undefined || heads.length > HEAD_CHECKS_MAX) return false
  const texts = [...new Set(heads.map(({ head }) => head))]
  return rarest < sum(await countTexts(scope, SQL.headCounts, texts))
}

async function countTexts(scope: OwnerScope, text: string, texts: string[]): Promise<number[]> {
  const rows = await scope.ask<{ n: number }>(text, [scope.state, texts])
  return rows.map(({ n }) => n)
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
