/**
 * Plans an owner search: which walks find the ids, and what else is tested for each slot.
 *
 * The rarest condition drives the walks. A surname is preferred unless a word is clearly rarer.
 */
import type { OwnerQuestion } from '../../../base/model/owner.ts'
import { HEAD_KINDS } from '../../parcel-keys.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import type { OwnerShape } from './owner-statements.ts'
import { SQL } from './statements.ts'

type OwnerScope = { ask: Ask; state: string; fips: number | undefined }

/**
 * Most surnames tested per slot while walking by word. With more (fuzzy ones) the surnames drive
 * instead.
 */
const HEAD_CHECKS_MAX = 8

/** The kind of a head that both persons and organizations are asked by. */
const ANY_KIND = -1

/** A surname, or the beginning of an organization's name; `''`: any. */
export type Head = { head: string; kind: number; given: string; start: string }

/**
 * The heads or words whose walks together find the answer, and the values of the other conditions
 * on each slot.
 */
export type OwnerPlan = {
  shape: Omit<OwnerShape, 'page' | 'several'>
  driving: Head[]
  tests: unknown[]
}

export async function planWalks(scope: OwnerScope, question: OwnerQuestion): Promise<OwnerPlan> {
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
      kinds: byHead && driving.some(({ kind }) => kind !== ANY_KIND),
      rest: byHead && heads.some(({ given, start }) => given !== '' || start !== ''),
    },
    driving,
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

/** One array for each value of the heads, as statements take them. */
export function columnsOf(heads: Head[]) {
  return [
    heads.map(({ head }) => head),
    heads.map(({ kind }) => kind),
    heads.map(({ given }) => given),
    heads.map(({ start }) => start),
  ] as const
}
