/**
 * Plans an owner search for both stores: which walks find ids, and what is tested of slots. The
 * rarest condition drives: a surname, unless a word is clearly rarer.
 */
import type { OwnerQuestion } from '../../base/model/owner.ts'
import { HEAD_KINDS } from '../parcel-keys.ts'

/** Most surnames tested per slot of a word's walk; with more (fuzzy ones) surnames drive. */
const HEAD_CHECKS_MAX = 8

/** The kind of a head that both persons and organizations are asked by. */
export const ANY_KIND = -1

/** A surname, or an organization's beginning; `''`: any. `start` ends with a blank. */
export type Head = { head: string; kind: number; given: string; start: string }

export type OwnerPlan = {
  /** Whether heads drive the walks, or the forms of a word. */
  byHead: boolean
  /** The heads or forms whose walks together find the answer. */
  driving: Head[]
  /** The forms of each further word that a slot must have. */
  words: string[][]
  /** The heads of which a slot must have one, where a word drives. */
  heads: Head[]
}

/** Numbers of entries: of heads, here `names`, and of words. */
type Counts = { names: number[]; words: number[] }

/** Counts the entries of each text, at most 1,000. SQLite answers at once. */
export type CountEntries = (names: string[], words: string[]) => Counts | Promise<Counts>

export async function planWalks(
  { lastName, contains = [] }: OwnerQuestion,
  count: CountEntries,
): Promise<OwnerPlan> {
  const driving = lastName === undefined ? [] : headsOf(lastName)
  const words = contains.map(({ forms }) => [...new Set(forms)])
  const byHead: OwnerPlan = { byHead: true, driving, words, heads: [] }
  if (words.length === 0 || driving.length > HEAD_CHECKS_MAX) return byHead
  return driveByRarest(byHead, count, lastName !== undefined)
}

/** Has the rarest word drive, or the surname unless a word is clearly rarer. */
async function driveByRarest(
  byHead: OwnerPlan,
  count: CountEntries,
  hasName: boolean,
): Promise<OwnerPlan> {
  const { driving: heads, words } = byHead
  if (!hasName && words.length === 1) return driveByWord(byHead, 0)
  const names = hasName ? [...new Set(heads.map(({ head }) => head))] : []
  const counts = await count(names, words.flat())
  let place = 0
  const byWord = words.map((forms) => {
    place += forms.length
    return sum(counts.words.slice(place - forms.length, place))
  })
  const least = Math.min(...byWord)
  if (hasName && least >= sum(counts.names)) return byHead
  return driveByWord(byHead, byWord.indexOf(least))
}

function driveByWord({ driving: heads, words }: OwnerPlan, rarest: number): OwnerPlan {
  const driving = (words[rarest] ?? []).map((head) => ({ head, kind: 0, given: '', start: '' }))
  return { byHead: false, driving, words: words.filter((_, at) => at !== rarest), heads }
}

function headsOf(lastName: NonNullable<OwnerQuestion['lastName']>): Head[] {
  const { personHeads, organizationHeads, givenPrefixes } = lastName
  const { person, organization } = HEAD_KINDS
  if (givenPrefixes !== undefined) {
    return personHeads.flatMap((head) =>
      givenPrefixes.map((given) => ({ head, kind: person, given, start: '' })),
    )
  }
  const plain = organizationHeads.filter(({ restStart }) => restStart === '')
  const both = new Set(plain.map(({ head }) => head)).intersection(new Set(personHeads))
  // A surname is usually also searched as an organization's first word; one walk finds both.
  const persons = personHeads.map((head) => {
    return { head, kind: both.has(head) ? ANY_KIND : person, given: '', start: '' }
  })
  const organizations = organizationHeads
    .filter(({ head, restStart }) => restStart !== '' || !both.has(head))
    .map(({ head, restStart }) => {
      const start = restStart === '' ? '' : `${restStart} `
      return { head, kind: organization, given: '', start }
    })
  return [...persons, ...organizations]
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
