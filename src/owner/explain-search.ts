/** Explains an owner search, as data and as sentences. Pure. */
import type { OwnerIndex, OwnerQuestion, OwnerTrace } from '../base/model/owner.ts'
import { listMetWords, type MetWord } from './meets-question.ts'

export type AskedNames = {
  lastName?: string | undefined
  firstName?: string | undefined
  nameContains?: string | undefined
}

export type OwnerKey = { kind: 'name' | 'word'; key: string; found: number }

/** Maximum count; larger numbers are not counted exactly. */
const COUNT_MAX = 1000

type ExplainedSearch = {
  names: AskedNames
  question: OwnerQuestion
  county: string | undefined
  /** The keys looked up. A recorded name may have several index entries. */
  tried: OwnerKey[]
  trace: OwnerTrace
  results: { parcel: string; index: OwnerIndex }[]
  /** Why parcels with a similar name are not in the answer. */
  leftOut: string[]
}

/** Explains a search from its question, the count of each key and the records found. */
export function explainSearch(search: ExplainedSearch) {
  const { question, tried, trace, results, leftOut } = search
  const read = showQuestion(question)
  const met = results.map(({ parcel, index }) => ({ parcel, words: listMetWords(question, index) }))
  const words = [
    ...describeQuestion(search, read),
    ...tried.map(describeKey),
    ...trace.rounds.map((round) => describeRound(round, trace.near)),
    ...met.map(({ parcel, words: all }) => `Found ${parcel}: ${describeWords(all)}.`),
    ...leftOut,
    results.length === 0
      ? 'Answer: none.'
      : `Answer: ${results.length === 1 ? '1 parcel' : `${results.length} parcels`} on this page.`,
  ]
  return { read, tried, rounds: trace.rounds, met, leftOut, words }
}

/** A parcel without a word is one that the name held in an earlier roll. */
const describeWords = (words: MetWord[]) =>
  words.map(describeWord).join('; ') || 'the name held it in an earlier roll'

/** Returns the keys of a question: surnames, first words of organizations and other words. */
export function listOwnerKeys({ lastName, contains = [] }: OwnerQuestion): {
  names: string[]
  words: string[]
} {
  const firstWords = lastName?.organizationHeads.map(({ head }) => head) ?? []
  return {
    names: [...new Set([...(lastName?.personHeads ?? []), ...firstWords])],
    words: [...new Set(contains.flatMap(({ forms }) => forms))],
  }
}

function showQuestion({ lastName, contains = [] }: OwnerQuestion) {
  const organizations = lastName?.givenPrefixes === undefined ? lastName?.organizationHeads : []
  return {
    surnames: lastName?.personHeads ?? [],
    organizations: (organizations ?? []).map(({ head, restStart }) =>
      `${head} ${restStart}`.trim(),
    ),
    givenNames: lastName?.givenPrefixes ?? [],
    words: contains.map(({ forms }) => forms),
    /** Words that may differ by one edit. */
    fuzzy: [lastName?.fuzzyWord, ...contains.map(({ fuzzyWord }) => fuzzyWord)].filter(
      (word) => word !== undefined,
    ),
  }
}

function describeQuestion(
  { names, county }: ExplainedSearch,
  read: ReturnType<typeof showQuestion>,
): string[] {
  const { surnames, organizations, givenNames, words, fuzzy } = read
  const lastName = [
    surnames.length > 0 && `the surname ${listOr(surnames)}`,
    organizations.length > 0 && `an organization whose name begins with ${listOr(organizations)}`,
  ]
  return [
    names.lastName !== undefined &&
      `Read lastName "${names.lastName}" as ${lastName.filter(isText).join(', or ')}.`,
    givenNames.length > 0 &&
      `Read firstName "${names.firstName}" as the beginning ${listOr(givenNames)} of ` +
        'a given name; organizations have none and do not count.',
    words.length > 0 &&
      `Read nameContains "${names.nameContains}" as the ${words.length === 1 ? 'word' : 'words'} ` +
        `${words.map(listOr).join(', ')}${words.length === 1 ? '' : ', all in one recorded name'}.`,
    fuzzy.length > 0 && `One letter may differ, but not the first two, in ${fuzzy.join(', ')}.`,
    county !== undefined && `Only parcels in ${county} County count.`,
  ].filter(isText)
}

const isText = (line: string | false) => line !== false

function describeKey({ kind, key, found }: OwnerKey): string {
  const count = found >= COUNT_MAX ? '1,000 or more' : found === 0 ? 'no' : String(found)
  return (
    `Looked in the state for the ${kind} ${key}: ${count} ` +
    `${found === 1 ? 'entry' : 'entries'}.`
  )
}

function describeRound({ fuzzy, found }: OwnerTrace['rounds'][number], near: string[]): string {
  const count = found === 0 ? 'no parcel' : found === 1 ? '1 parcel' : `${found} parcels`
  if (!fuzzy) return `With equal words: ${count}.`
  if (near.length === 0) return `With one letter different: ${count}; no such word is recorded.`
  const shown = near.slice(0, 10).join(', ')
  return (
    'With one letter different (recorded: ' +
    `${shown}${near.length > 10 ? ' and others' : ''}): ${count} more.`
  )
}

function describeWord({ slot, parameter, asked, recorded, as, fuzzy }: MetWord): string {
  const how = fuzzy ? 'is one letter from' : 'meets'
  return `owner ${slot}, ${as} ${recorded} ${how} ${parameter} ${asked}`
}

function listOr(texts: readonly string[]): string {
  return [...new Set(texts)].join(' or ')
}
