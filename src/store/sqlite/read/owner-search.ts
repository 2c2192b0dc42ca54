/**
 * Owner search over postings: the rarest condition drives, the others are probed for each slot it
 * finds. What meets a question is stated once more, without an index, by `test/owner-meets.ts`; a
 * test holds the two together.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { OwnerQuestion, OwnerTrace } from '../../../model/owner.ts'
import type { OwnerHit } from '../../store.ts'
import { askInRounds, type OwnerRounds } from '../../walk/owner-rounds.ts'
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

/** Parcels that meet the question, exact ones first, each group by ascending id. */
export function searchOwners(
  scope: OwnerScope,
  question: OwnerQuestion,
  skip: number,
  limit: number,
  deadline: number,
  trace?: OwnerTrace,
): Promise<Found> {
  const rounds: OwnerRounds = {
    collect: (asked, want, known) => collect(scope, probesOf(scope, asked), want, known, deadline),
    wordsWith(forms) {
      const near = scope.prepare(SQL.wordsNear)
      return near.all<[word: string]>(scope.state, JSON.stringify(forms)).map(([word]) => word)
    },
  }
  return askInRounds(question, skip, limit, rounds, trace)
}

/**
 * Surnames that a walk by word checks on each slot; with more of them (fuzzy ones) they drive
 * instead.
 */
const HEAD_CHECKS_MAX = 8

/** Entries read beyond those wanted, for parcels that have the name in both slots. */
const BOTH_SLOTS = 8

/** What a statement costs beside its entries, in entries. */
const STATEMENT = 50

/**
 * The first slice examines at least so many; each further one four times as many, up to `EXAMINE`.
 */
const FIRST_SLICE = 128

/** One index walk of several whose results together are the answer. */
type Probe = {
  key: string
  sql: string
  /** Values before the slice's own: state, key, first id, examine. */
  tests: SQLInputValue[]
  nextId: number
  /** Entries that the next slice examines; 0: as many as are wanted. */
  examine: number
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
  /** Entries examined since the loop was given back, and what the statements cost, in entries. */
  let spent = 0
  const slice = () => {
    const walk = walks.find(({ probe, ids }) => !probe.done && ids.length < want)
    if (walk !== undefined) {
      let last = walk.ids.at(-1) ?? 0
      const { ids, examined } = step(scope, walk.probe, want - walk.ids.length)
      spent += examined + STATEMENT
      for (const id of ids) {
        if (id <= last || known.has(id)) continue
        walk.ids.push(id)
        last = id
      }
    }
    const open = walks.some(({ probe, ids }) => !probe.done && ids.length < want)
    if (open) return undefined
    const lists = walks.map(({ ids }) => ids)
    return { ids: firstOf(lists, want), complete: true }
  }
  const several = () => {
    // Rare words are done in microseconds each: many walks share one slice.
    spent = 0
    for (;;) {
      const result = slice()
      if (result !== undefined || spent >= EXAMINE) return result
    }
  }
  return scope.walks.walk(several, deadline, () => ({ ids: [], complete: false }))
}

/** The first of all, ascending and each once; every list is ascending. */
function firstOf(lists: number[][], want: number): number[] {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only.slice(0, want)
  return [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, want)
}

/** What `ownerSql` gives. */
type SliceColumns = [ids: string | null, examined: number, lastId: number | null]

/** The next ids of one walk; a parcel stands there once a slot, so ids may repeat. */
function step(scope: OwnerScope, probe: Probe, want: number): { ids: number[]; examined: number } {
  const least = Math.max(probe.examine, want + BOTH_SLOTS, FIRST_SLICE)
  const examine = Math.min(EXAMINE, least)
  const slice = scope
    .prepare(probe.sql)
    .get<SliceColumns>(...probe.tests, scope.state, probe.key, probe.nextId, examine)
  const [ids, examined, lastId] = slice as SliceColumns
  // The slice may have ended between the two slots of its last parcel: it is read again, and counts
  // once.
  probe.nextId = lastId ?? probe.nextId
  probe.examine = examine * 4
  probe.done = examined < examine
  return { ids: readIds(ids ?? ''), examined }
}

const [COMMA, ZERO] = [0x2c, 0x30]

/**
 * Reads `12,15,15`; splitting it and reading each number as a text took longer than the walk
 * itself.
 */
function readIds(text: string): number[] {
  const ids: number[] = []
  let id = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COMMA) {
      ids.push(id)
      id = 0
    } else {
      id = id * 10 + code - ZERO
    }
  }
  if (text !== '') ids.push(id)
  return ids
}

/** A surname, or an organization's beginning, as one look into `owner_heads`. */
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
  // A surname is mostly asked as an organization's first word too: one walk finds both.
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
    examine: 0,
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
    examine: 0,
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

/** Numbers of forms are rounded up to a power of two, so that few statements serve all. */
function padded(forms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, forms)))
}

function rarestWord(scope: OwnerScope, words: string[][]): number {
  if (words.length < 2) return 0
  const counts = words.map((forms) => countForms(scope, SQL.wordCount, forms))
  return counts.indexOf(Math.min(...counts))
}

/**
 * A surname drives unless an asked word is clearly rarer: it reads fewer rows for the same answer.
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
