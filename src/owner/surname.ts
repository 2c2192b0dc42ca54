/** Cuts a person's words into surname and given names. docs/matching.md, owner rules 1 and 2. */
import type { NameEvidence, Person } from '../model/owner.ts'
import { ASIAN_GIVEN, VIETNAMESE_SURNAMES } from './dictionaries/leanings.ts'
import {
  AFTER_BAR,
  AFTER_D,
  AFTER_LI,
  AFTER_LO,
  DUTCH_PAIRS,
  IRISH,
  PARTICLES,
  SAINTS,
  SEEN,
  SEEN_AS,
  START_PARTICLES,
} from './dictionaries/particles.ts'
import { SPANISH_SURNAMES } from './dictionaries/surnames.ts'
import { isKnownGiven, isKnownSurname, isWomansName, leaning } from './evidence.ts'
import type { Token } from './words.ts'

/** Cuts the words of a person who is written surname first. */
export function splitStart(
  words: readonly Token[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  if (hasTrailingParticle(words)) {
    const last = words[words.length - 1] as Token
    return person([last, words[0] as Token], words.slice(1, -1), suffix)
  }
  // An initial cannot be the surname; O and D are particles before one.
  const [first = '', second = ''] = words
  const initial = first.length === 1 && words.length > 1
  if (
    initial &&
    (!PARTICLES.has(first) || second.length === 1 || leaning(second, evidence) < -1.9) &&
    !(first === 'D' && AFTER_D.has(second))
  ) {
    return splitEnd(words, suffix, evidence)
  }
  const length = surnameAtStart(words, evidence)
  return person(words.slice(0, length), words.slice(length), suffix)
}

/** Cuts the words of a person who is written given name first. */
export function splitEnd(
  words: readonly Token[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  const last = words[words.length - 1] as Token
  if (words.length > 1 && last.length === 1 && (words[0] as Token).length > 1) {
    const length = surnameAtStart(words, evidence)
    return person(words.slice(0, length), words.slice(length), suffix)
  }
  if (beginsAsSurname(words)) {
    const length = surnameAtStart(words, evidence)
    return person(words.slice(0, length), words.slice(length), suffix)
  }
  const length = surnameAtEnd(words, evidence)
  return person(words.slice(words.length - length), words.slice(0, words.length - length), suffix)
}

/** Makes a person of the words of the surname and the given words. */
export function person(
  surname: readonly Token[],
  given: readonly Token[],
  suffix: string | null,
): Person {
  return { surname: surname.join(' '), given: [...given], suffix }
}

/** Particles that are whole surnames too, or syllables of Asian names. */
const ALSO_WHOLE = set('DI DU DA LA VAN DEN DOS LAS DE')

/** Particles that only a surname's start has, never its inside. */
const NOT_AFTER_GIVEN = set('O D LAS ZU DEN TE')

/**
 * Counts the words of the surname at the start of a list.
 *
 * @example surnameAtStart(['DE', 'LA', 'CRUZ', 'MARIA'], undefined) // 3
 */
function surnameAtStart(words: readonly Token[], evidence: NameEvidence | undefined): number {
  const first = words[0]
  const second = words[1]
  if (first === undefined || second === undefined) return words.length
  if (START_PARTICLES.has(first)) {
    if (words.length < 3) return 1
    if (second === 'MD' || (first === 'LE' && isFirstGiven(second, evidence))) return 1
    return 2
  }
  if (words.length > 2 && (isTwoWordSurname(first, second) || isBinAt(words, 0))) return 2
  if (DUTCH_PAIRS.has(`${first} ${second}`) && words.length > 2) return 3
  if (isSpanishPair(words, 1, evidence) && words.length > 3) return 3
  if (isBeforeDe(words, evidence)) return 3
  // `MARTINEZ-DE LA ROSA`: the half behind the hyphen.
  if (!PARTICLES.has(first.slice(first.lastIndexOf('-') + 1)))
    return doubleAtStart(words, evidence) ? 2 : 1
  if (first === 'MAC' && ASIAN_GIVEN.has(second)) return 1
  if (ALSO_WHOLE.has(first)) {
    if (words.length === 2 ? isFirstGiven(second, evidence) : ASIAN_GIVEN.has(second)) return 1
    if (first === 'VAN' && isPlainGiven(second)) return 1
  }
  let length = 1
  while (length < words.length - 1 && PARTICLES.has(words[length] ?? '')) {
    // `DE LA O`: here the letter is the name.
    if (words[length]?.length === 1) break
    length++
  }
  // `VAN T HOF`
  if (first === 'VAN' && isDutchT(words, 1)) length++
  // `DE JESUS RIVERA ANGEL`
  else if ((words[length] ?? '').length > 1 && isSpanishHalf(words, length + 1, evidence)) length++
  return Math.min(length + 1, words.length)
}

/** `VAN T HOF`: here the letter is an article; `VAN T NGUYEN` has an initial. */
function isDutchT(words: readonly Token[], at: number): boolean {
  const next = words[at + 1] ?? ''
  return (
    words[at - 1] === 'VAN' &&
    words[at] === 'T' &&
    next.length > 2 &&
    words.length > at + (at === 1 ? 2 : 1) &&
    !VIETNAMESE_SURNAMES.has(next) &&
    !isKnownGiven(next)
  )
}

/**
 * Counts the words of the surname at the end of a list; one word at least stays a given name.
 *
 * @example surnameAtEnd(['MARIA', 'DE', 'LA', 'CRUZ'], undefined) // 3
 */
function surnameAtEnd(words: readonly Token[], evidence: NameEvidence | undefined): number {
  const last = words[words.length - 1] ?? ''
  if (words.length > 3 && isDutchT(words, words.length - 2)) return 3
  if (words.length > 3 && DUTCH_PAIRS.has(words.slice(-3, -1).join(' '))) return 3
  const previous = words[words.length - 2]
  if (words.length > 2 && (previous === 'EL' || isBinAt(words, words.length - 2))) return 2
  let length = 1
  while (length < words.length - 1) {
    const before = words[words.length - length - 1] ?? ''
    if (!PARTICLES.has(before)) break
    const next = words[words.length - length] ?? ''
    const inside = PARTICLES.has(words[words.length - length - 2] ?? '')
    if (before === 'O' ? !IRISH.has(next) : NOT_AFTER_GIVEN.has(before) && !inside) {
      if (!isDutchAt(words, words.length - length - 1)) break
    }
    if (before === 'VAN' && VIETNAMESE_SURNAMES.has(last)) break
    length++
  }
  if (length === 1 && isTwoWordSurname(words.at(-2) ?? '', last) && words.length > 2) return 2
  if (length > 1 && isSpanishBeforeDe(words, words.length - length - 1)) return length + 1
  if (length === 1 && words.length > 3 && isSpanishPair(words, words.length - 2, evidence)) return 3
  if (length === 1 && doubleAtEnd(words, evidence)) return 2
  return length
}

/** `JAN DEN HARTOG`: behind a given name, before a word that is a surname with it alone. */
function isDutchAt(words: readonly Token[], at: number): boolean {
  const [before = '', word = '', next = ''] = words.slice(at - 1, at + 2)
  if (word !== 'DEN' && word !== 'TE' && word !== 'ZU') return false
  return at > 0 && next.length > 3 && !isKnownSurname(next) && !ASIAN_GIVEN.has(before)
}

/**
 * The other surname of a person who is written given name first: `YASMIN AL FARSI` is called
 * `FARSI` or `AL FARSI`. `undefined` where there is no doubt.
 */
export function otherSplitEnd(words: readonly Token[], suffix: string | null): Person | undefined {
  if (words.length < 3) return undefined
  const [before, last] = [words[words.length - 2] as Token, words[words.length - 1] as Token]
  if (last.length < 3) return undefined
  if (before === 'EL') return person([last], words.slice(0, -1), suffix)
  const isParticle = START_PARTICLES.has(before) || (before === 'D' && AFTER_D.has(last))
  if (!isParticle || VIETNAMESE_SURNAMES.has(last) || VIETNAMESE_SURNAMES.has(words[0] as Token))
    return undefined
  return person([before, last], words.slice(0, -2), suffix)
}

/** `SAN MARTIN`, `LO PRESTI`: the first is a surname too, and a particle before some words only. */
function isTwoWordSurname(first: Token, second: Token): boolean {
  return SECOND_WORDS.get(first)?.has(second) === true || (SEEN_AS.has(first) && SEEN.has(second))
}

/** `BIN YUSUF`; `BIN` is a Chinese given name too. */
function isBinAt(words: readonly Token[], at: number): boolean {
  if (words[at] !== 'BIN') return false
  return (words[at + 1] ?? '').length > 3 && !ASIAN_GIVEN.has(words[at - 1] ?? '')
}

const SECOND_WORDS = new Map([
  ['SAN', SAINTS],
  ['LO', AFTER_LO],
  ['LI', AFTER_LI],
  ['BAR', AFTER_BAR],
])

/** `ORTIZ DE ZARATE INES`; `ORTIZ DE JESUS` and `ORTIZ DE LA CRUZ` may be of one surname. */
function isBeforeDe(words: readonly Token[], evidence: NameEvidence | undefined): boolean {
  const [first = '', de, word = '', given = ''] = words
  if (de !== 'DE' || given.length < 3 || PARTICLES.has(word) || isKnownGiven(word)) return false
  return SPANISH.has(first) && leaning(word, evidence) > 0 && leaning(given, evidence) <= -1
}

/** `INES ORTIZ DE ZARATE`: a Spanish surname at this place, behind a given name and before `DE`. */
function isSpanishBeforeDe(words: readonly Token[], at: number): boolean {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  return at > 0 && next === 'DE' && SPANISH.has(word) && leaning(word, undefined) >= 2
}

/** Whether the words stand as a surname with its particle last: `MATTIA BIANCA DE`. */
export function hasTrailingParticle(words: readonly Token[]): boolean {
  const last = words[words.length - 1] ?? ''
  // `WU NEN DI`: a syllable of a Chinese name.
  if (last === 'DI' && (words[0] as Token).length < 4) return false
  return words.length >= 3 && TRAILING.has(last)
}

/** Whether the words begin as only a surname can. */
export function beginsAsSurname(words: readonly Token[]): boolean {
  const [first = '', second = ''] = words
  if (words.length < 2) return false
  if (isBinAt(words, 0)) return words.length > 2
  if (first === 'O') return second.length > 1 && IRISH.has(second)
  if (first === 'MC') return second.length > 1
  if (first === 'VAN' && isPlainGiven(second)) return false
  // `DE ANDRE JACKSON`: a given name that is also written in one.
  if (isKnownGiven(first + second) && leaning(first + second, undefined) < -1) return false
  if (first === 'DE' || first === 'VAN' || first === 'VON')
    return second.length > 1 && words.length > 2
  return (first === 'ST' || first === 'DEL' || first === 'DELLA') && words.length > 2
}

/** `VAN ROBERT HOLLIS`: no surname goes on so. */
const isPlainGiven = (word: Token) => isKnownGiven(word) && leaning(word, undefined) <= -2

/** Whether a particle stands before the last word, as only a surname at the end has it. */
export function endsAsSurname(words: readonly Token[]): boolean {
  const before = words[words.length - 2] ?? ''
  const last = words[words.length - 1] ?? ''
  if (words.length < 3 || last.length < 2) return false
  if (before === 'O') return IRISH.has(last)
  return FIRM.has(before) || isBinAt(words, words.length - 2)
}

const TRAILING = set('DE DI DELLA DU VON')
const FIRM = set('DE DI DELLA MC VON DER DEN VANDER VANDEN TER EL ABU ABOU IBN ST SAINT STE')

function isFirstGiven(word: Token, evidence: NameEvidence | undefined): boolean {
  if (word.length === 1 || ASIAN_GIVEN.has(word)) return true
  if (word === 'ROY' || word === 'GRAND' || word === 'JEUNE') return false
  return leaning(word, evidence) <= -1.5
}

/** `LOPEZ Y GARZA`: two surnames around a Spanish `Y` at this place. */
function isSpanishPair(
  words: readonly Token[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  if (words[at] !== 'Y') return false
  const [before = '', after = ''] = [words[at - 1], words[at + 1]]
  if (before.length < 2 || after.length < 2 || leaning(after, evidence) <= 0.5) return false
  // `RAMON Y CAJAL`: a surname that is a man's given name too.
  const isMans = isKnownGiven(before) && !isWomansName(before)
  const isSpanish = SPANISH.has(after) || !isKnownSurname(after)
  return leaning(before, evidence) > 0.5 || (isMans && isSpanish)
}

/** Two Spanish surnames before a given name. */
function doubleAtStart(words: readonly Token[], evidence: NameEvidence | undefined): boolean {
  return isSpanishHalf(words, 1, evidence) && leaning(words[0] as Token, evidence) > 0
}

/** Whether a Spanish surname stands at this place, and a given name behind it. */
function isSpanishHalf(
  words: readonly Token[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  if (!SPANISH.has(word) || leaning(word, evidence) < 2) return false
  return next.length > 1 && leaning(next, evidence) <= -1
}

function doubleAtEnd(words: readonly Token[], evidence: NameEvidence | undefined): boolean {
  if (words.length < 3) return false
  const last = words[words.length - 1] ?? ''
  const before = words[words.length - 2] ?? ''
  return SPANISH.has(before) && SPANISH.has(last) && leaning(before, evidence) >= 2
}

const SPANISH = new Set(SPANISH_SURNAMES)

function set(text: string): ReadonlySet<Token> {
  return new Set(text.split(' '))
}
