/** Compares an owner question with the owner words of one parcel, without an index. */
import type { OwnerHead, OwnerIndex, OwnerQuestion } from '../base/model/owner.ts'
import { withinOneEdit } from '../base/word-edits.ts'

type AskedName = NonNullable<OwnerQuestion['lastName']>

/**
 * Reports whether some slot of the index meets the question. `isPrefix`: person heads are the
 * beginnings of surnames.
 */
export function meetsQuestion(
  question: OwnerQuestion,
  index: OwnerIndex,
  isPrefix = false,
): boolean {
  return ([1, 2] as const).some((slot) => {
    const { lastName, contains = [] } = question
    const heads = index.heads.filter((head) => head.slot === slot)
    if (lastName !== undefined && !heads.some((head) => meetsHead(lastName, head, isPrefix))) {
      return false
    }
    const words = index.words.filter((entry) => entry.slot === slot).map(({ word }) => word)
    return contains.every(({ forms, fuzzyWord }) =>
      words.some((word) => forms.includes(word) || isNear(fuzzyWord, word)),
    )
  })
}

function meetsHead(asked: AskedName, { kind, head, rest }: OwnerHead, isPrefix: boolean): boolean {
  const { personHeads, organizationHeads, givenPrefixes, fuzzyWord } = asked
  if (kind === 'person') {
    const isNamed = isPrefix
      ? personHeads.some((start) => head.startsWith(start))
      : personHeads.includes(head) || isNear(fuzzyWord, head)
    // Two given words are successive words of one person.
    const isGiven = givenPrefixes?.some((start) => ` ${rest}`.includes(` ${start}`)) ?? true
    return isNamed && isGiven
  }
  if (givenPrefixes !== undefined || isPrefix) return false
  return (
    isNear(fuzzyWord, head) ||
    organizationHeads.some(
      ({ head: first, restStart }) =>
        head === first && (restStart === '' || `${rest} `.startsWith(`${restStart} `)),
    )
  )
}

function isNear(asked: string | undefined, word: string): boolean {
  return asked !== undefined && withinOneEdit(asked, word)
}
