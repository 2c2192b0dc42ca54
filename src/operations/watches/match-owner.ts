/** Watches of owners: which recorded names they mean. */
import { foldLetters } from '../../base/fold.ts'
import type { OwnerIndex, OwnerQuestion } from '../../base/model/owner.ts'
import { readFullName } from '../../owner/full-name.ts'
import { meetsQuestion } from '../../owner/meets-question.ts'
import { makeOwnerQuestion } from '../../owner/owner-question.ts'
import type { OwnerCondition } from './draft.ts'

type OwnerMatch = {
  /** Heads or words of which a parcel that fits has one; `undefined`: none can be named. */
  words: string[] | undefined
  fits(owners: OwnerIndex): boolean
}

/** Returns the test of a name as owner search reads it; `undefined` for one without a word. */
export function openOwners({ owner }: OwnerCondition): OwnerMatch | undefined {
  const asked = typeof owner === 'string' ? { lastName: owner } : owner
  const { lastName, firstName, nameContains, fuzzy = false, prefix = false } = asked
  const own = makeOwnerQuestion({ lastName, firstName, nameContains, fuzzy })
  if (own === undefined) return undefined
  if (prefix) {
    const start = foldLetters(lastName ?? '').replace(/[^A-Z0-9]/g, '')
    if (own.lastName === undefined || start.length < 3) return undefined
    const question = { ...own, lastName: { ...own.lastName, personHeads: [start] } }
    return { words: undefined, fits: (owners) => meetsQuestion(question, owners, 'prefix') }
  }
  const [whole = []] =
    lastName !== undefined && firstName === undefined ? readFullName(lastName) : []
  const readings = whole.flatMap(
    (name) => makeOwnerQuestion({ ...name, nameContains, fuzzy: false }) ?? [],
  )
  const questions = [own, ...readings]
  const way = fuzzy ? 'fuzzy' : 'equal'
  return {
    words: fuzzy ? undefined : questions.flatMap(wordsOf),
    fits: (owners) => questions.some((question) => meetsQuestion(question, owners, way)),
  }
}

function wordsOf({ lastName, contains }: OwnerQuestion): string[] {
  if (lastName === undefined) return contains?.[0]?.forms ?? []
  const { personHeads, organizationHeads } = lastName
  return [...personHeads, ...organizationHeads.map(({ head }) => head)]
}
