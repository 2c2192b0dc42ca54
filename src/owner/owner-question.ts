/**
 * Converts the parameters of an owner search into an index question. docs/matching.md, owner rules
 * 6 to 8.
 */
import type { OwnerQuestion } from '../base/model/owner.ts'
import { FUZZY_MIN } from '../base/word-edits.ts'
import { PARTICLES, START_PARTICLES } from './dictionaries/names.ts'
import { SUFFIXES } from './dictionaries/roles.ts'
import { NATION, organizationHeads, turnAround } from './index-owners.ts'
import { GAP, liftRoles } from './roles.ts'
import { joinInitials, joinSurname, PHRASES, phrasesAt } from './slot-words.ts'
import { canonicalWord, joinWord, readWords, SEPARATORS, WORDS_MAX, type Word } from './words.ts'

export type OwnerParams = {
  lastName?: string | undefined
  firstName?: string | undefined
  nameContains?: string | undefined
  fuzzy: boolean
}

/**
 * Converts the parameters of an owner search into an index question.
 *
 * Returns `undefined` when a parameter has no word left after folding. `firstName` is ignored
 * without `lastName`. Linear in the text; never throws.
 */
export function makeOwnerQuestion(params: OwnerParams): OwnerQuestion | undefined {
  const question: OwnerQuestion = {}
  if (params.lastName !== undefined) {
    const lastName = readLastName(params.lastName, params.firstName, params.fuzzy)
    if (lastName === undefined) return undefined
    question.lastName = lastName
  }
  if (params.nameContains !== undefined) {
    const contains = readContained(params.nameContains, params.fuzzy)
    if (contains.length === 0) return undefined
    question.contains = contains
  }
  return question.lastName === undefined && question.contains === undefined ? undefined : question
}

function readLastName(
  text: string,
  firstName: string | undefined,
  fuzzy: boolean,
): OwnerQuestion['lastName'] {
  const name = readWords(text).filter((word) => word === '&' || !SEPARATORS.has(word))
  const all = name.filter((word) => word !== '&')
  const words = dropSuffix(all)
  if (words.length === 0) return undefined
  const head = joinSurname(words)
  const question: NonNullable<OwnerQuestion['lastName']> = {
    personHeads: endsInV(all) ? [head, joinSurname(dropSuffix(all, 'V'))] : [head],
    organizationHeads: askedHeads(name),
  }
  const prefixes = firstName === undefined ? undefined : readFirstName(firstName)
  if (prefixes !== undefined) question.givenPrefixes = prefixes
  if (fuzzy && isOneWord(words) && head.length >= FUZZY_MIN) question.fuzzyWord = head
  return question
}

/** Returns the first words of the organizations that the words begin. */
function askedHeads(name: readonly Word[]): { head: string; restStart: string }[] {
  // `HARLOW CITY OF`, `HARLOW TOWNSHIP TRUSTEES`
  const lifted = liftRoles(name, false).words.filter((word) => word !== GAP)
  const names = turnAround(name.join(' ')).map((turned) => turned.split(' '))
  if (lifted.length > 1 && lifted.length < name.length) names.push(lifted)
  const heads = names.flatMap((asked) =>
    organizationHeads(asked).flatMap(({ head, rest }) =>
      [rest, ...shortEnds(rest)].map((restStart) => ({ head, restStart })),
    ),
  )
  // `UNITED STATES` begins `UNITED STATES OF AMERICA`, which is stored as `USA`, not `US BANK`.
  const isNation = heads.some(({ head, restStart }) => head === 'US' && restStart === '')
  const nation = [...(name.includes('STATES') ? [] : heads), { head: 'USA', restStart: '' }]
  return isNation ? [...nation, { head: NATION, restStart: '' }] : heads
}

/**
 * Returns the words with the beginning of a phrase at their end replaced by its short form. `ELM
 * HOMEOWNERS` begins `ELM HOMEOWNERS ASSN`, which is stored as `ELM HOA`.
 */
function shortEnds(rest: string): string[] {
  const words = rest.split(' ')
  return words.flatMap((word, at) => {
    const isBegun = ([phrase, short]: readonly [string[], string]) =>
      OPEN_SHORT.has(short) &&
      phrase.length > words.length - at &&
      words.slice(at).every((other, index) => other === phrase[index])
    const shorts = (PHRASES.get(word) ?? []).filter(isBegun).map(([, short]) => short)
    return [...new Set(shorts)].map((short) => [...words.slice(0, at), short].join(' '))
  })
}

/** Short forms whose first words alone are rarely a name's end. */
const OPEN_SHORT = new Set(['HOA', 'POA', 'FLP'])

/** Reports whether the words form one surname: one word, with particles before it or not. */
function isOneWord(words: readonly Word[]): boolean {
  return words.slice(0, -1).every((word) => PARTICLES.has(word) || START_PARTICLES.has(word))
}

/** Removes a suffix, which is not part of the surname: `SMITH JR`. */
function dropSuffix(words: readonly Word[], kept?: Word): Word[] {
  return words.filter((word, at) => at === 0 || word === kept || !SUFFIXES.has(joinWord(word)))
}

/** Reports whether a closing `V` is the surname itself, as it may be after particles: `DU V`. */
function endsInV(words: readonly Word[]): boolean {
  const whole = dropSuffix(words, 'V')
  return whole.length > 1 && whole.at(-1) === 'V' && isOneWord(whole)
}

/** Returns prefixes of given words. `JEAN-PAUL` begins `JEAN PAUL` or `JEANPAUL`. */
function readFirstName(text: string): string[] | undefined {
  const words = readWords(text).filter((word) => !SEPARATORS.has(word))
  if (words.length === 0) return undefined
  const apart = words.flatMap((word) => word.split(/[-./%]/)).filter((word) => word !== '')
  const joined = words.map(joinWord).join(' ')
  // `TJ` and `T J` match each other. `ED` is a name of its own.
  const isPair = /^[B-DF-HJ-NP-TV-XZ] ?[B-DF-HJ-NP-TV-XZ]$/.test(joined)
  const pair = joined.replace(/ ?(.)$/, joined.includes(' ') ? '$1' : ' $1')
  return [...new Set([apart.join(' '), joined, ...(isPair ? [pair] : [])])]
}

function readContained(text: string, fuzzy: boolean): NonNullable<OwnerQuestion['contains']> {
  // A long text is read only in part, so each of its words is kept once.
  const isLong = text.length > 2 * WORDS_MAX
  const once = isLong ? [...new Set(text.toUpperCase().split(/\s+/))].join(' ') : text
  const words = readWords(once)
    .filter((word) => word === '&' || word === '/' || !SEPARATORS.has(word))
    .map((word) => (word === '&' || word === '/' ? 'AND' : word))
    .flatMap(spread)
  const plain = words.map(({ word }) => word)
  const asked = new Map<string, { forms: string[]; fuzzyWord?: string }>()
  for (const [at, { word, joined = word }] of words.entries()) {
    const fuzzyWord = canonicalWord(word)
    const others = [canonicalWord(joined), ...spanningForms(plain, at), ...(AMBIGUOUS[word] ?? [])]
    // `CH` is recorded as CHURCH, but of a person as it is.
    const forms = [...new Set([fuzzyWord, ...(word.length === 2 ? [word] : []), ...others])]
    const isFuzzy = fuzzy && word.length >= FUZZY_MIN
    asked.set(forms.join(' '), isFuzzy ? { forms, fuzzyWord } : { forms })
  }
  return [...asked.values()]
}

/** Short forms with several meanings, each with the canonical words it may mean. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  ST: ['SAINT', 'STREET'],
  SAINT: ['ST'],
  STREET: ['ST'],
}

/** Splits a hyphened word into its halves. `joined`, where present, also answers each half. */
function spread(recorded: Word): { word: string; joined?: string }[] {
  if (!/[-./%]/.test(recorded)) return [{ word: recorded }]
  const joined = joinWord(recorded)
  const parts = recorded.split(/[-./%]/).filter((part) => part !== '')
  return parts.map((word) => ({ word, joined }))
}

/** Returns joined forms with the word at `at`: particles, initials, `LIMITED LIABILITY CO`. */
function spanningForms(words: readonly string[], at: number): string[] {
  const forms: string[] = []
  let start = at
  while (start > 0 && PARTICLES.has(words[start - 1] as string)) start--
  let end = start
  while (end < words.length - 1 && PARTICLES.has(words[end] as string)) end++
  if (end > start && at <= end) forms.push(joinSurname(words.slice(start, end + 1)))
  forms.push(...initialForm(words, at), ...phraseForms(words, at))
  return forms
}

function initialForm(words: readonly string[], at: number): string[] {
  const start = words.findLastIndex((word, index) => index <= at && word.length > 1) + 1
  const [run = ''] = start > at ? [] : joinInitials(words.slice(start))
  return run.length > 1 ? [canonicalWord(run)] : []
}

function phraseForms(words: readonly string[], at: number): string[] {
  const plain = words.map(canonicalWord)
  const starts = [...words.keys()].slice(Math.max(0, at - 5), at + 1)
  return starts.flatMap((start) => {
    const around = phrasesAt(plain, start).filter(([phrase]) => start + phrase.length > at)
    return around.map(([, short]) => short)
  })
}
