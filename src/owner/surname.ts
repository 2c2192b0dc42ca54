/** Splits a person's words into surname and given names. docs/matching.md, owner rules 1 and 2. */
import type { NameEvidence, Person } from '../base/model/owner.ts'
import {
  AFTER_D,
  ASIAN_GIVEN,
  DUTCH_PAIRS,
  IRISH,
  PARTICLES,
  SEEN,
  SEEN_AS,
  SPANISH,
  START_PARTICLES,
  TWO_WORDS,
  VIETNAMESE_SURNAMES,
} from './dictionaries/names.ts'
import { isKnownGiven, isKnownSurname, isWomansName, leaning } from './evidence.ts'
import { isCatalanPair } from './signs/middle-roles.ts'
import type { Word } from './words.ts'

/** Splits the words of a person whose surname is first. */
export function splitStart(
  words: readonly Word[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  if (hasTrailingParticle(words)) {
    const last = words[words.length - 1] as Word
    return person([last, words[0] as Word], words.slice(1, -1), suffix)
  }
  // An initial is not a surname, but O and D may be particles before one.
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

/** Splits the words of a person whose given name is first. */
export function splitEnd(
  words: readonly Word[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  const last = words[words.length - 1] as Word
  if (words.length > 1 && last.length === 1 && (words[0] as Word).length > 1) {
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

export function person(
  surname: readonly Word[],
  given: readonly Word[],
  suffix: string | null,
): Person {
  return { surname: surname.join(' '), given: [...given], suffix }
}

/** Particles that may also be whole surnames or syllables of Asian names. */
const ALSO_WHOLE = set('DI DU DA LA VAN VER DEN DOS LAS DE TE')

/** Particles that begin a surname but are never inside one. */
const NOT_AFTER_GIVEN = set('O D LAS ZU DEN TE')

/**
 * Returns the number of words of the surname at the start of a list.
 *
 * @example surnameAtStart(['DE', 'LA', 'CRUZ', 'MARIA'], undefined) // 3
 */
function surnameAtStart(words: readonly Word[], evidence: NameEvidence | undefined): number {
  const first = words[0]
  const second = words[1]
  if (first === undefined || second === undefined) return words.length
  if (START_PARTICLES.has(first)) {
    if (words.length < 3) return 1
    if (second === 'MD') return 1
    if (first === 'LE' && (isFirstGiven(second, evidence) || VIETNAMESE_SURNAMES.has(second)))
      return 1
    return 2
  }
  if (words.length > 2 && (isTwoWordSurname(first, second) || isBinAt(words, 0))) return 2
  if (DUTCH_PAIRS.has(`${first} ${second}`) && words.length > 2) return 3
  if (isSpanishPair(words, 1, evidence) && words.length > 3) return 3
  // `SANTIAGO SANTIAGO HECTOR`: from father and mother.
  const isAgain = first === second && isKnownSurname(first) && isKnownGiven(words[2] ?? '')
  if (isAgain && !VIETNAMESE_SURNAMES.has(first)) return 2
  const withDe = surnameWithDe(words, evidence)
  if (withDe > 0) return withDe
  // `MARTINEZ-DE LA ROSA`: the particle is the half after the hyphen.
  if (!PARTICLES.has(first.slice(first.lastIndexOf('-') + 1)))
    return isSpanishHalf(words, 1, evidence) && leaning(first, evidence) > 0 ? 2 : 1
  if (first === 'MAC' && ASIAN_GIVEN.has(second)) return 1
  if (ALSO_WHOLE.has(first)) {
    // `DE JONG RUTH`: a Dutch surname.
    const given = words[2] ?? ''
    const isDutch = first === 'DE' && given.length > 3 && !ASIAN_GIVEN.has(given)
    const isAsian = ASIAN_GIVEN.has(second) && !isDutch
    // `TE CHU`
    if (words.length > 2 ? isAsian : first === 'TE' || isFirstGiven(second, evidence)) return 1
    if ((first === 'VAN' || first === 'VER') && isPlainGiven(second)) return 1
  }
  let length = 1
  while (length < words.length - 1 && PARTICLES.has(words[length] ?? '')) {
    // `DE LA O`: here the letter is the surname.
    if (words[length]?.length === 1) break
    length++
  }
  // `VAN T HOF`
  if (first === 'VAN' && isDutchT(words, 1)) length++
  // `DE JESUS RIVERA ANGEL`
  else if ((words[length] ?? '').length > 1 && isSpanishHalf(words, length + 1, evidence)) length++
  return Math.min(length + 1, words.length)
}

/** Reports whether `T` is a Dutch article (`VAN T HOF`), not an initial (`VAN T NGUYEN`). */
function isDutchT(words: readonly Word[], at: number): boolean {
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
 * Counts the words of the surname at the end of a list. At least one word is a given name.
 *
 * @example surnameAtEnd(['MARIA', 'DE', 'LA', 'CRUZ'], undefined) // 3
 */
function surnameAtEnd(words: readonly Word[], evidence: NameEvidence | undefined): number {
  const last = words[words.length - 1] ?? ''
  if (words.length > 3 && isDutchT(words, words.length - 2)) return 3
  if (words.length > 3 && DUTCH_PAIRS.has(words.slice(-3, -1).join(' '))) return 3
  const previous = words[words.length - 2]
  // `NADIRA J AL HARZAWI`, but `JOHN AL HARLOW`.
  const isPart = isArabic(previous, last) || isBinAt(words, words.length - 2)
  if (words.length > 2 && isPart) return 2
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
  if (length > 1 || !doubleAtEnd(words, evidence)) return length
  // `ANA PAULA DA SILVA SANTOS`
  let double = 2
  while (double < words.length - 2 && PARTICLES.has(words.at(-1 - double) as Word)) double++
  return double
}

const isArabic = (particle: Word | undefined, last: Word) =>
  particle === 'EL' || (particle === 'AL' && !isKnownSurname(last) && !isKnownGiven(last))

/** Reports whether a Dutch particle begins the surname: `JAN DEN HARTOG`. */
function isDutchAt(words: readonly Word[], at: number): boolean {
  const [before = '', word = '', next = ''] = words.slice(at - 1, at + 2)
  if (word !== 'DEN' && word !== 'TE' && word !== 'ZU') return false
  return at > 0 && next.length > 3 && !isKnownSurname(next) && !ASIAN_GIVEN.has(before)
}

/** Returns a name's second reading, if any: `YASMIN AL FARSI` is `FARSI` or `AL FARSI`. */
export function otherSplitEnd(words: readonly Word[], suffix: string | null): Person | undefined {
  if (words.length < 3) return undefined
  const [before, last] = [words[words.length - 2] as Word, words[words.length - 1] as Word]
  if (last.length < 3) return undefined
  if (isArabic(before, last)) return person([last], words.slice(0, -1), suffix)
  const isParticle = START_PARTICLES.has(before) || (before === 'D' && AFTER_D.has(last))
  if (!isParticle || VIETNAMESE_SURNAMES.has(last) || VIETNAMESE_SURNAMES.has(words[0] as Word))
    return undefined
  return person([before, last], words.slice(0, -2), suffix)
}

/** Reports whether two words are one surname: `SAN MARTIN`, `LO PRESTI`. */
function isTwoWordSurname(first: Word, second: Word): boolean {
  return (
    TWO_WORDS.get(second) === first ||
    (SEEN_AS.has(first) && SEEN.has(second.split('-', 1)[0] as Word))
  )
}

/** Reports whether `BIN` is a particle (`BIN YUSUF`). It is also a Chinese given name. */
function isBinAt(words: readonly Word[], at: number): boolean {
  if (words[at] !== 'BIN') return false
  return (words[at + 1] ?? '').length > 3 && !ASIAN_GIVEN.has(words[at - 1] ?? '')
}

/** Counts the words of a surname with `DE`: `ORTIZ DE ZARATE`. 0 in `ORTIZ DE JESUS`. */
function surnameWithDe(words: readonly Word[], evidence: NameEvidence | undefined): number {
  const [first = '', de = '', article = ''] = words
  if (de !== 'DE' && de !== 'DEL') return 0
  const at = de === 'DE' && (article === 'LA' || article === 'LOS' || article === 'LAS') ? 3 : 2
  const [word = '', given = ''] = words.slice(at)
  if (given.length < 3 || PARTICLES.has(word)) return 0
  // `PEREZ DE LEON`
  const isLeon = de === 'DE' && word === 'LEON'
  if (at === 2 && de === 'DE' && isKnownGiven(word) && !isLeon) return 0
  const isSpanish = SPANISH.has(first) || isKnownSurname(first)
  if (leaning(given, evidence) > -1) return 0
  if (leaning(first, evidence) <= 0 && !SPANISH.has(first)) return 0
  const least = isSpanish ? (at > 2 || de === 'DEL' || isLeon ? -9 : 0) : 2
  return leaning(word, evidence) > least ? at + 1 : 0
}

/** Reports whether a Spanish surname before `DE` follows a given name: `INES ORTIZ DE ZARATE`. */
function isSpanishBeforeDe(words: readonly Word[], at: number): boolean {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  return at > 0 && next === 'DE' && SPANISH.has(word) && leaning(word, undefined) >= 2
}

/** Returns a person whose surname's particle is last, if one is: `TORRENTE, LUIS DE LA`. */
export function withTrailingParticle({ surname, given, suffix }: Person): Person | undefined {
  let at = given.length
  while (at > 1 && BEHIND.has(given[at - 1] as Word)) at--
  const start = given[at] ?? ''
  if (at === given.length || !BEHIND_FIRST.has(start) || surname.length < 3) return undefined
  // `DIEP, MUOI VAN`: a Vietnamese given name.
  if (given[0]?.length === 1 || given.at(-1) === 'VAN') return undefined
  // `HARLOW, JOHN AL`, `HARLOW, ANNA DELLA`: given names.
  const isName = GIVEN_TOO.has(start) && given.length === at + 1
  const isPlain = isKnownGiven(given[0] as Word) && at < 2
  if (isName && (isPlain || isKnownSurname(surname)) && !(start === 'DEL' && SPANISH.has(surname)))
    return undefined
  return person([...given.slice(at), surname], given.slice(0, at), suffix)
}

const BEHIND_FIRST = set('DE DEL DELLA DI DU DOS VAN VON AL EL')
const BEHIND = set('DE DEL DELLA DI DU DOS VAN VON AL EL LA LOS LAS DER DEN')
const GIVEN_TOO = set('DEL DELLA AL EL')

/** Reports whether the particle of a surname is written last: `MATTIA BIANCA DE`. */
export function hasTrailingParticle(words: readonly Word[]): boolean {
  const last = words[words.length - 1] ?? ''
  // `WU NEN DI`: a syllable of a Chinese name.
  const first = words[0] as Word
  if (last === 'DI' && first.length < 4) return false
  // `HARZAWI NADIRA AL`, but `HARLOW JOHN AL`.
  if (last === 'AL' && words.length >= 3)
    return !isKnownSurname(first) && !isKnownGiven(first) && !isKnownGiven(words.at(-2) as Word)
  return words.length >= 3 && TRAILING.has(last)
}

/** Reports whether the words begin as only a surname can. */
export function beginsAsSurname(words: readonly Word[]): boolean {
  const [first = '', second = ''] = words
  if (words.length < 2) return false
  if (isBinAt(words, 0)) return words.length > 2
  if (first === 'O') return second.length > 1 && IRISH.has(second)
  if (first === 'MC') return second.length > 1
  if (first === 'VAN' && isPlainGiven(second)) return false
  // `DE ANDRE JACKSON`: a given name that is also written as one word.
  if (isKnownGiven(first + second) && leaning(first + second, undefined) < -1) return false
  if (first === 'DE' || first === 'VAN' || first === 'VON')
    return second.length > 1 && words.length > 2
  return (first === 'ST' || first === 'DEL' || first === 'DELLA') && words.length > 2
}

/** Reports whether a word can only be a given name, as in `VAN ROBERT HOLLIS`. */
const isPlainGiven = (word: Word) => isKnownGiven(word) && leaning(word, undefined) <= -2
/** Reports whether a particle before the last word marks a surname at the end. */
export function endsAsSurname(words: readonly Word[]): boolean {
  const before = words[words.length - 2] ?? ''
  const last = words[words.length - 1] ?? ''
  if (words.length < 3 || last.length < 2) return false
  if (before === 'O') return IRISH.has(last)
  return FIRM.has(before) || isBinAt(words, words.length - 2)
}

const TRAILING = set('DE DI DELLA DU VON')
const FIRM = set('DE DI DELLA MC VON DER DEN VANDER VANDEN TER EL ABU ABOU IBN ST SAINT STE')

function isFirstGiven(word: Word, evidence: NameEvidence | undefined): boolean {
  if (word.length === 1 || ASIAN_GIVEN.has(word)) return true
  if (word === 'ROY' || word === 'GRAND' || word === 'JEUNE') return false
  return leaning(word, evidence) <= -1.5
}

/** Reports whether `Y`, in Catalan `I`, joins two surnames: `LOPEZ Y GARZA`, `CAROD I ROVIRA`. */
function isSpanishPair(
  words: readonly Word[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  const [before = '', join, after = ''] = words.slice(at - 1, at + 2)
  if (join !== 'Y') return join === 'I' && isCatalanPair(before, after, evidence)
  if (before.length < 2 || after.length < 2 || leaning(after, evidence) <= 0.5) return false
  // `RAMON Y CAJAL`: a surname that is also a man's given name.
  const isMans = isKnownGiven(before) && !isWomansName(before)
  if (leaning(before, evidence) > 0.5) return true
  return isMans && (SPANISH.has(after) || !isKnownSurname(after))
}

/** Reports whether a Spanish surname is at this position, followed by a given name. */
function isSpanishHalf(
  words: readonly Word[],
  at: number,
  evidence: NameEvidence | undefined,
): boolean {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  if (!SPANISH.has(word) || leaning(word, evidence) < 2) return false
  // `RAMIREZ SOTO J JESUS`, `RAMIREZ SOTO MA ELENA`
  const given = next === 'J' || next === 'MA' ? (words[at + 2] ?? '') : next
  return given.length > 1 && leaning(given, evidence) <= -1
}

function doubleAtEnd(words: readonly Word[], evidence: NameEvidence | undefined): boolean {
  if (words.length < 3) return false
  const last = words[words.length - 1] ?? ''
  const before = words[words.length - 2] ?? ''
  return SPANISH.has(before) && SPANISH.has(last) && leaning(before, evidence) >= 2
}

function set(text: string): ReadonlySet<Word> {
  return new Set(text.split(' '))
}
