/** Estimates whether a word is a surname or a given name. docs/matching.md, owner rule 2. */
import type { NameEvidence } from '../base/model/owner.ts'
import { readRatings } from '../base/tables.ts'
import {
  ASIAN_GIVEN,
  GIVEN_ENDS,
  GIVEN_MEN,
  GIVEN_WOMEN,
  SPANISH,
  SURNAME_ENDS,
  SURNAMES,
  WORLD_GIVEN,
  WORLD_SURNAMES,
} from './dictionaries/names.ts'
import { UNLEARNED } from './dictionaries/organization-words.ts'
import { SUFFIXES } from './dictionaries/roles.ts'
import { readWords, SEPARATORS, type Word } from './words.ts'

/** Collects evidence about names from a roll; `finish` returns the result. */
type NameLearner = {
  /** Counts the words of one parcel's recorded slots. */
  add(slot1: string | null, slot2: string | null): void
  finish(): NameEvidence
}

/** Maximum number of words counted, about 10 MB. At the limit the rarest words are dropped. */
const WORDS_MAX = 60_000
/** Minimum number of occurrences in a decisive position for a word to count. */
const SEEN_MIN = 2

/**
 * Learns from a roll which words are surnames and which are given names.
 *
 * It counts words before and after a comma, before a closing initial (`SMITH JOHN A`) and around an
 * inner one (`JOHN A SMITH`). It keeps at most 60,000 words, about 10 MB.
 */
export function learnNames(): NameLearner {
  let counts = new Map<string, { surname: number; given: number }>()
  const order = { lastFirst: 0, firstLast: 0 }
  const count = (word: Word | undefined, side: 'surname' | 'given', weight: number) => {
    if (word === undefined || !NAME.test(word)) return
    let known = counts.get(word)
    if (known === undefined) {
      if (counts.size >= WORDS_MAX) counts = forgetRarest(counts)
      known = { surname: 0, given: 0 }
      counts.set(word, known)
    }
    known[side] += weight
  }
  return {
    add(slot1, slot2) {
      for (const slot of [slot1, slot2]) if (slot !== null) study(slot, count, order)
    },
    finish: () => ({
      leanings: new Map(
        [...counts]
          .filter(([, seen]) => seen.surname + seen.given >= SEEN_MIN)
          .map(([word, seen]) => [word, Math.log((seen.surname + 0.5) / (seen.given + 0.5))]),
      ),
      lastFirst: clamp(Math.log((order.lastFirst + 3) / (order.firstLast + 2)), 2),
    }),
  }
}

/** Evidence for names that are mostly in natural order. */
export const preferNatural = (evidence: NameEvidence | undefined): NameEvidence => ({
  leanings: new Map(),
  ...evidence,
  lastFirst: NATURAL_ODDS,
})

/** Prior log-odds that the surname is first, for these names. Chosen on Philadelphia's roll. */
const NATURAL_ODDS = -1

/**
 * Returns the log-odds, −5 to 5, that a word is a surname (above 0), not a given name (below 0).
 *
 * Adds the roll's evidence, if any, to the prior from the dictionaries.
 */
export function leaning(word: Word, evidence: NameEvidence | undefined): number {
  const prior = priors().get(word) ?? guess(word)
  const learned = evidence?.leanings.get(word)
  return learned === undefined ? prior : clamp(prior * 0.6 + learned, 5)
}

/** Same as `leaning`, to decide a name's order: an unknown word is judged by its letters. */
export function leaningByLetters(word: Word, evidence: NameEvidence | undefined): number {
  const isKnown = priors().has(word) || evidence?.leanings.get(word) !== undefined
  return isKnown || word.includes('-') ? leaning(word, evidence) : guessByLetters(word)
}

/** Reports whether the authors' lists contain the word as a given name, or as both kinds. */
export function isKnownGiven(word: Word): boolean {
  return GIVEN.has(word)
}

/** Reports whether the authors' lists contain the word as a surname. */
export function isKnownSurname(word: Word): boolean {
  return SURNAME.has(word)
}

/** Reports whether the authors' lists contain the word as a given name of women only. */
export function isWomansName(word: Word): boolean {
  return WOMEN_ONLY.has(word)
}

/** Reports whether one name is of men only and the other of women only. No person has both. */
export function differInSex(a: Word, b: Word): boolean {
  return (MEN_ONLY.has(a) && WOMEN_ONLY.has(b)) || (WOMEN_ONLY.has(a) && MEN_ONLY.has(b))
}

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))
const NAME = /^[A-Z]{2,}(?:-[A-Z]{2,})*$/

const GIVEN = new Set([...GIVEN_MEN, ...GIVEN_WOMEN])
const MEN = new Set(GIVEN_MEN)
const WOMEN = new Set(GIVEN_WOMEN)
const MEN_ONLY = new Set(GIVEN_MEN.filter((word) => !WOMEN.has(word)))
const WOMEN_ONLY = new Set(GIVEN_WOMEN.filter((word) => !MEN.has(word)))
const SURNAME = new Set([...SURNAMES, ...SPANISH])
let table: Map<string, number> | undefined

/**
 * Returns the prior of each word, without evidence from a roll.
 *
 * Built on first use, because a server that does not import never needs it. A word that both the
 * authors and the Census rate has the mean of the two.
 */
function priors(): ReadonlyMap<string, number> {
  table ??= makePriors()
  return table
}

function makePriors(): Map<string, number> {
  const made = new Map<string, number>()
  for (const word of ASIAN_GIVEN) made.set(word, -0.8)
  for (const word of SURNAME) made.set(word, 3)
  for (const word of GIVEN) made.set(word, SURNAME.has(word) ? 0.3 : -3)
  for (const [word, lean] of readRatings('name-leanings.txt')) made.set(word, lean)
  for (const [word, lean] of readRatings('census-names.txt')) {
    const judged = made.get(word)
    made.set(word, judged === undefined ? lean : (judged + lean) / 2)
  }
  addWorldNames(made)
  return made
}

/** Adds names of other languages that neither the other lists nor the Census contain. */
function addWorldNames(made: Map<string, number>): void {
  const given = new Set(WORLD_GIVEN)
  const surnames = new Set(WORLD_SURNAMES)
  for (const word of [...given, ...surnames]) {
    if (made.has(word)) continue
    made.set(word, given.has(word) ? (surnames.has(word) ? 0 : -2.5) : 2.5)
  }
}

/** Returns a prior from typical endings. Other unknown words lean to surnames. */
function guess(word: Word): number {
  if (word.length < 2) return 0
  if (word.includes('-')) return guessHyphened(word)
  if (SURNAME_SHAPE.test(word)) return 2
  if (GIVEN_SHAPE.test(word)) return -1
  return 0.7
}

/** Returns half of the log-odds that the word's beginning and ending have in the Census. */
function guessByLetters(word: Word): number {
  if (word.length < 3 || SURNAME_SHAPE.test(word) || GIVEN_SHAPE.test(word)) return guess(word)
  letters ??= new Map(readRatings('name-letters.txt'))
  const end = letters.get(`-${word.slice(-4)}`) ?? letters.get(`-${word.slice(-3)}`)
  const start = letters.get(`${word.slice(0, 3)}-`) ?? letters.get(`${word.slice(0, 2)}-`)
  const byLetters = (end ?? letters.get(`-${word.slice(-2)}`) ?? 0) + (start ?? 0)
  return UNKNOWN + 0.5 * clamp(byLetters, 3)
}

const UNKNOWN = 0.9
let letters: ReadonlyMap<string, number> | undefined

function guessHyphened(word: Word): number {
  const halves = word.split('-').map((half) => priors().get(half) ?? guess(half))
  const sum = halves.reduce((total, lean) => total + lean, 0)
  return sum / halves.length + 1
}

const SURNAME_SHAPE = new RegExp(
  `^[A-Z]{2,}(?:${SURNAME_ENDS.join('|')})$|^(?:MC|FITZ|VANDE)[A-Z]{3,}$`,
)
const GIVEN_SHAPE = new RegExp(
  `^[A-Z]+(?:${GIVEN_ENDS.join('|')})$|^(?:OLUWA|CHUKWU|ABDI|MUHAM|MOHAM)[A-Z]{2,}$`,
)

/** Counts the words of one owner name whose position shows that they are surname or given name. */
function study(
  slot: string,
  count: (word: Word | undefined, side: 'surname' | 'given', weight: number) => void,
  order: { lastFirst: number; firstLast: number },
): void {
  const name = readWords(slot)
  if (name.length < 2 || name.length > 14) return
  const words = name.filter((word) => !SEPARATORS.has(word) && !SUFFIXES.has(word))
  if (words.some((word) => ORGANIZED.test(word))) return
  if (name[1] === ',') {
    count(name[0], 'surname', 1)
    count(name[2], 'given', 1)
    return
  }
  const end = name.findIndex((word) => SEPARATORS.has(word))
  const first = (end === -1 ? name : name.slice(0, end)).filter((word) => !SUFFIXES.has(word))
  if (first.length !== 3) return
  const [a, b, c] = first as [Word, Word, Word]
  if (a.length > 2 && b.length > 2 && c.length === 1) {
    count(a, 'surname', 1)
    count(b, 'given', 1)
    order.lastFirst++
  } else if (a.length > 2 && b.length === 1 && c.length > 2) {
    const firstLast = (priors().get(a) ?? 0) < 0 || (priors().get(c) ?? 0) > 2
    if (!firstLast) return
    count(a, 'given', 0.5)
    count(c, 'surname', 0.5)
    order.firstLast++
  }
}

const ORGANIZED = new RegExp(`\\d|^(?:${UNLEARNED.join('|')})$`)

function forgetRarest(
  counts: Map<string, { surname: number; given: number }>,
): Map<string, { surname: number; given: number }> {
  const bySeen = [...counts].sort((a, b) => b[1].surname + b[1].given - a[1].surname - a[1].given)
  return new Map(bySeen.slice(0, WORDS_MAX / 2))
}
