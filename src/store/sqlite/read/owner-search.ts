/**
 * Owner search over postings. The rarest condition drives the walk; the others are tested for each
 * slot that it finds. `test/owner-meets.ts` implements the same conditions without an index, and a
 * test compares the two.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { OwnerQuestion } from '../../../base/model/owner.ts'
import type { OwnerHit, OwnerSearch } from '../../store.ts'
import { askInRounds, type OwnerRounds } from '../../walk/owner-rounds.ts'
import { BOTH_SLOTS, firstOf, readNumbers, sizeNextSlice } from '../../walk/walk-ids.ts'
import type { Prepare } from './prepare.ts'
import { EXAMINE, type OwnerDrive, type OwnerShape, ownerSql, SQL } from './statements.ts'
import type { WalkQueue } from './walk-queue.ts'

type OwnerScope = {
  prepare: Prepare
  walks: WalkQueue
  state: string
  fips: number | undefined
}

type Found = { hits: OwnerHit[]; complete: boolean }

/** Returns matching parcels: exact ones first, each group by ascending id. */
export function searchOwners(
  sources: Pick<OwnerScope, 'prepare' | 'walks'>,
  search: OwnerSearch,
): Promise<Found> {
  const { state, fips, deadline } = search
  const scope: OwnerScope = { ...sources, state, fips }
  const rounds: OwnerRounds = {
    collect: (asked, want, known) => collect(scope, probesOf(scope, asked), want, known, deadline),
    wordsWith(forms) {
      const near = scope.prepare(SQL.wordsNear)
      return near.all<[word: string]>(scope.state, JSON.stringify(forms)).map(([word]) => word)
    },
  }
  return askInRounds(search, rounds)
}

/**
 * Most surnames tested per slot while walking by word. With more (fuzzy ones) the surnames drive
 * instead.
 */
const HEAD_CHECKS_MAX = 8

/** Cost of a statement, expressed in entries. */
const STATEMENT = 50

/** Fewest entries that the first slice of a walk examines. */
const FIRST_SLICE = 128
/** A slice examines at most this many times the entries of the slice before it. */
const GROWTH = 4

/** One of several index walks whose union is the answer. */
type Probe = {
  key: string
  sql: string
  /** Values before those of the slice: state, key, first id, examine. */
  tests: SQLInputValue[]
  nextId: number
  /** Entries that the last slice examined (0 before the first), and wanted ids among them. */
  examined: number
  matched: number
  done: boolean
}

/** Merges the walks: the first `want` ids of their union, ascending, without the known ones. */
async function collect(
  scope: OwnerScope,
  probes: Probe[],
  want: number,
  known: ReadonlySet<number>,
  deadline: number,
): Promise<{ ids: number[]; complete: boolean }> {
  const walks = probes.map((probe) => ({ probe, ids: [] as number[] }))
  /** Entries examined since the loop last yielded, including the cost of the statements. */
  let spent = 0
  const slice = () => {
    const walk = walks.find(({ probe, ids }) => !probe.done && ids.length < want)
    if (walk !== undefined) {
      let last = walk.ids.at(-1) ?? 0
      const before = walk.ids.length
      const { ids, examined } = step(scope, walk.probe, want - walk.ids.length)
      spent += examined + STATEMENT
      for (const id of ids) {
        if (id <= last || known.has(id)) continue
        walk.ids.push(id)
        last = id
      }
      walk.probe.matched = walk.ids.length - before
    }
    const open = walks.some(({ probe, ids }) => !probe.done && ids.length < want)
    if (open) return undefined
    const lists = walks.map(({ ids }) => ids)
    return { ids: firstOf(lists, want), complete: true }
  }
  const several = () => {
    // Walks of rare words take microseconds, so many of them share one slice.
    spent = 0
    for (;;) {
      const result = slice()
      if (result !== undefined || spent >= EXAMINE) return result
    }
  }
  return scope.walks.walk(several, deadline, () => ({ ids: [], complete: false }))
}

/** The columns of `ownerSql`. */
type SliceColumns = [ids: string | null, examined: number, lastId: number | null]

/** Returns the next ids of one walk. A parcel has an entry per slot, so ids may repeat. */
function step(scope: OwnerScope, probe: Probe, want: number): { ids: number[]; examined: number } {
  const examine = Math.min(EXAMINE, sizeSlice(probe, want))
  const slice = scope
    .prepare(probe.sql)
    .get<SliceColumns>(...probe.tests, scope.state, probe.key, probe.nextId, examine)
  const [ids, examined, lastId] = slice as SliceColumns
  // The slice may have ended between the two slots of its last parcel, which is read again and
  // counted once.
  probe.nextId = lastId ?? probe.nextId
  probe.examined = examine
  probe.done = examined < examine
  return { ids: readNumbers(ids ?? ''), examined }
}

function sizeSlice(probe: Probe, want: number): number {
  if (probe.examined === 0) return Math.max(want + BOTH_SLOTS, FIRST_SLICE)
  return sizeNextSlice(probe, want, GROWTH)
}

/** A walk of `owner_heads` by surname or by the beginning of an organization's name. */
type HeadProbe = { drive: Exclude<OwnerDrive, 'word'>; head: string; values: SQLInputValue[] }

function probesOf(scope: OwnerScope, question: OwnerQuestion): Probe[] {
  const heads = headProbes(question.lastName)
  const words = (question.contains ?? []).map(({ forms }) => [...new Set(forms)])
  const rarest = rarestWord(scope, words)
  const byHead = question.lastName !== undefined && !wordIsRarer(scope, heads, words, rarest)
  if (byHead) return heads.map((head) => headDriven(scope, head, words))
  const others = words.filter((_, at) => at !== rarest)
  return (words[rarest] ?? []).map((word) => wordDriven(scope, word, others, heads))
}

function headProbes(lastName: OwnerQuestion['lastName']): HeadProbe[] {
  if (lastName === undefined) return []
  const { personHeads, organizationHeads, givenPrefixes } = lastName
  if (givenPrefixes !== undefined) {
    return personHeads.flatMap((head) =>
      givenPrefixes.map((prefix): HeadProbe => ({ drive: 'given', head, values: [prefix] })),
    )
  }
  const bare = new Set(
    organizationHeads.filter(({ restStart }) => restStart === '').map(({ head }) => head),
  )
  // A surname is usually also searched as an organization's first word; one walk finds both.
  const persons = personHeads.map(
    (head): HeadProbe => ({ drive: bare.has(head) ? 'either' : 'person', head, values: [] }),
  )
  const asked = new Set(personHeads)
  const organizations = organizationHeads
    .filter(({ head, restStart }) => restStart !== '' || !asked.has(head))
    .map(
      ({ head, restStart }): HeadProbe =>
        restStart === ''
          ? { drive: 'organization', head, values: [] }
          : { drive: 'restStart', head, values: [`${restStart} `, `${restStart} `] },
    )
  return [...persons, ...organizations]
}

function headDriven(scope: OwnerScope, head: HeadProbe, words: string[][]): Probe {
  return {
    key: head.head,
    sql: ownerSql(shapeOf(scope, head.drive, words, [])),
    tests: [...wordValues(scope, words), ...head.values, ...countyValues(scope)],
    nextId: 0,
    examined: 0,
    matched: 0,
    done: false,
  }
}

function wordDriven(
  scope: OwnerScope,
  word: string,
  others: string[][],
  heads: HeadProbe[],
): Probe {
  const headValues = heads.flatMap(({ head, values }) => [scope.state, head, ...values])
  return {
    key: word,
    sql: ownerSql(shapeOf(scope, 'word', others, heads)),
    tests: [...wordValues(scope, others), ...headValues, ...countyValues(scope)],
    nextId: 0,
    examined: 0,
    matched: 0,
    done: false,
  }
}

function shapeOf(
  scope: OwnerScope,
  drive: OwnerDrive,
  words: string[][],
  heads: HeadProbe[],
): OwnerShape {
  return {
    drive,
    county: scope.fips !== undefined,
    words: words.map((forms) => padded(forms.length)),
    heads: heads.map((head) => head.drive),
  }
}

function countyValues(scope: OwnerScope): SQLInputValue[] {
  return scope.fips === undefined ? [] : [scope.fips]
}

function wordValues(scope: OwnerScope, words: string[][]): SQLInputValue[] {
  return words.flatMap((forms) => {
    const spare = Array<string>(padded(forms.length) - forms.length).fill(forms[0] ?? '')
    return [scope.state, ...forms, ...spare]
  })
}

/** Rounds the number of forms up to a power of two, so that few statements serve all. */
function padded(forms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, forms)))
}

function rarestWord(scope: OwnerScope, words: string[][]): number {
  if (words.length < 2) return 0
  const counts = words.map((forms) => countForms(scope, SQL.wordCount, forms))
  return counts.indexOf(Math.min(...counts))
}

/**
 * A surname drives unless a word is clearly rarer, because the surname reads fewer rows for the
 * same answer.
 */
function wordIsRarer(
  scope: OwnerScope,
  heads: HeadProbe[],
  words: string[][],
  rarest: number,
): boolean {
  const forms = words[rarest]
  if (forms === undefined || heads.length > HEAD_CHECKS_MAX) return false
  const byHead = countForms(scope, SQL.headCount, [...new Set(heads.map(({ head }) => head))])
  return countForms(scope, SQL.wordCount, forms) < byHead
}

function countForms(scope: OwnerScope, sql: string, forms: string[]): number {
  const statement = scope.prepare(sql)
  return forms.reduce(
    (sum, form) => sum + (statement.get<[n: number]>(scope.state, form)?.[0] ?? 0),
    0,
  )
}
