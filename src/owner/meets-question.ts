/** Compares an owner question with the owner words of one parcel, without an index. Pure. */
import type { OwnerHead, OwnerIndex, OwnerQuestion } from '../base/model/owner.ts'
import { withinOneEdit } from '../base/word-edits.ts'

export type MetWord = {
  slot: 1 | 2
  parameter: 'lastName' | 'firstName' | 'nameContains'
  asked: string
  recorded: string
  as: 'surname' | 'organization' | 'given name' | 'word'
  /** Whether the two differ by one edit. */
  fuzzy: boolean
}

/** How words compare; `prefix`: surnames that begin as asked, and no organization. */
type Way = 'equal' | 'fuzzy' | 'prefix'

/** Reports whether recorded owners match a question; `fuzzy`: one edit counts too. */
export function meetsQuestion(question: OwnerQuestion, index: OwnerIndex, way: Way): boolean {
  return ([1, 2] as const).some((slot) => meetSlot(question, index, slot, way) !== undefined)
}

/** Returns the words of one slot that match. One edit counts only without an exact match. */
export function listMetWords(question: OwnerQuestion, index: OwnerIndex): MetWord[] {
  for (const way of ['equal', 'fuzzy'] as const) {
    for (const slot of [1, 2] as const) {
      const words = meetSlot(question, index, slot, way)
      if (words !== undefined) return words
    }
  }
  return []
}

function meetSlot(
  { lastName, contains = [] }: OwnerQuestion,
  index: OwnerIndex,
  slot: 1 | 2,
  way: Way,
): MetWord[] | undefined {
  const met: MetWord[] = []
  if (lastName !== undefined) {
    const heads = index.heads.filter((head) => head.slot === slot)
    const found = heads.flatMap((head) => meetHead(lastName, head, way) ?? [])
    if (found.length === 0) return undefined
    met.push(...found)
  }
  const recorded = index.words.filter((entry) => entry.slot === slot).map(({ word }) => word)
  for (const { forms, fuzzyWord } of contains) {
    const equal = recorded.find((word) => forms.includes(word))
    const near =
      way === 'fuzzy' && fuzzyWord !== undefined
        ? recorded.find((word) => withinOneEdit(fuzzyWord, word))
        : undefined
    const word = equal ?? near
    if (word === undefined) return undefined
    met.push({
      slot,
      parameter: 'nameContains',
      asked: equal ?? fuzzyWord ?? '',
      recorded: word,
      as: 'word',
      fuzzy: equal === undefined,
    })
  }
  return met
}

function meetHead(
  {
    personHeads,
    organizationHeads,
    givenPrefixes,
    fuzzyWord,
  }: NonNullable<OwnerQuestion['lastName']>,
  { slot, kind, head, rest }: OwnerHead,
  way: Way,
): MetWord[] | undefined {
  const near = way === 'fuzzy' && fuzzyWord !== undefined && withinOneEdit(fuzzyWord, head)
  const word = (asked: string, as: MetWord['as'], recorded: string): MetWord => ({
    slot,
    parameter: as === 'given name' ? 'firstName' : 'lastName',
    asked,
    recorded,
    as,
    fuzzy: as !== 'given name' && asked !== recorded && near,
  })
  if (kind === 'organization') {
    if (givenPrefixes !== undefined || way === 'prefix') return undefined
    const asked = organizationHeads.find(
      ({ head: first, restStart }) =>
        first === head && (restStart === '' || `${rest} `.startsWith(`${restStart} `)),
    )
    if (asked === undefined) return near ? [word(fuzzyWord, 'organization', head)] : undefined
    const begins = `${asked.head} ${asked.restStart}`.trim()
    return [word(begins, 'organization', begins)]
  }
  const equal =
    way === 'prefix'
      ? personHeads.some((start) => head.startsWith(start))
      : personHeads.includes(head)
  if (!equal && !near) return undefined
  const surname = word(equal ? head : (fuzzyWord ?? ''), 'surname', head)
  if (givenPrefixes === undefined) return [surname]
  const prefix = givenPrefixes.find((one) => ` ${rest}`.includes(` ${one}`))
  if (prefix === undefined) return undefined
  const at = ` ${rest}`.indexOf(` ${prefix}`)
  const end = rest.indexOf(' ', at + prefix.length)
  const recorded = rest.slice(at, end === -1 ? undefined : end)
  return [surname, word(prefix, 'given name', recorded)]
}
