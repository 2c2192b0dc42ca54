/** Decides how the second and further persons of a text are written. docs/matching.md, rule 3. */
import type { NameEvidence, Person } from '../../base/model/owner.ts'
import { PARTICLES, SPANISH, VIETNAMESE_SURNAMES } from '../dictionaries/names.ts'
import {
  differInSex,
  isKnownGiven,
  isKnownSurname,
  leaning,
  leaningByLetters,
} from '../evidence.ts'
import { isSyllable, startsOwnSyllables } from '../organizations/surname-words.ts'
import type { Segment } from '../segment.ts'
import { beginsAsSurname, endsAsSurname } from '../surname.ts'
import type { Word } from '../words.ts'

type Form = 'shared' | 'last-first' | 'first-last'
/** The form that is shown, and in doubt a second one. */
type LaterForm = Form | `${Form} or ${Form}`

/** Decides how a later segment is written, given the person before it. */
export function laterForm(
  { words, apart }: Segment,
  { surname, given }: Person,
  commas: boolean,
  evidence: NameEvidence | undefined,
): LaterForm {
  const shared = surname.split(' ')
  const first = words[0] as Word
  const last = words[words.length - 1] as Word
  const long = words.filter((word) => word.length > 1)
  if (long.length === 0 || isDevotion(words, shared)) return 'shared'
  if (startsWith(words, shared) && words.length > shared.length) return 'last-first'
  if (endsWith(words, shared) && words.length > shared.length) return 'first-last'
  const isArabic = first === 'AL' && shared[0] === 'AL' && words.length > 2
  if (isArabic || (words.length > 1 && beginsAsSurname(words))) return 'last-first'
  if (endsAsSurname(words)) return 'first-last'
  // `HARLOW PAUL & ANNA HARLOW TRENT`: her former surname and her own.
  const isFormer = words.length === 3 && words[1] === shared.join(' ') && !isKnownGiven(last)
  if (isFormer && last.length > 2) return 'first-last'
  if (long.length === 1) return loneForm(words, long[0] as Word, commas, evidence)
  const a = leaning(first, evidence)
  const b = leaning(last, evidence)
  if (first.length === 1) return b > 0 ? 'first-last' : 'shared'
  const second = words[1] as Word
  // `HENRY` and `CAROL` are not names of one person, so one of them is the surname.
  const c = second.length > 1 ? leaning(second, evidence) : -1
  if (!commas && c < -1 && differInSex(first, second))
    return isKnownSurname(first) || a > c ? 'last-first' : 'shared'
  // A Korean has two syllables at most: `KIM YOUNG SOO & PARK MI KYUNG`.
  const isKorean = !VIETNAMESE_SURNAMES.has(first) && given.every(isSyllable)
  if (startsOwnSyllables(words, a)) return isKorean ? 'last-first' : 'last-first or shared'
  const areAlike = !commas && (a < 2 || isSyllable(first)) && areSyllables(words, given)
  if (areAlike) return b > a ? 'shared or first-last' : 'shared or last-first'
  // `CAO LONG HUU & DINH LINH NGOC THI`
  const isOwnThi = words.length > 2 && VIETNAMESE_SURNAMES.has(first) && a > 1
  if (last === 'THI') return isOwnThi ? 'last-first or shared' : 'shared'
  const isClear = first.includes('-') || (VIETNAMESE_SURNAMES.has(first) && a > 2)
  if (last.length === 1) return lastFirstOr(a, c, commas, isClear)
  // `VEGA ELENA Y CAMPOS`: a Spanish `and`, no initial.
  const isSpanish = words.at(-2) === 'Y' && a > 1
  const middle = words.length > 2 && words[words.length - 2]?.length === 1 && !isSpanish
  // `VEGA JOSE L RUIZ/LUNA ANA M SOTO`: a surname, a given name, and a second surname.
  const isDouble = middle && words.length === 4 && a > 1 && !isKnownGiven(first)
  if (isDouble && isKnownGiven(second) && c <= -1.5) return lastFirstOr(a, c, commas, isClear)
  // `MILLER ANNA & URBAN B CONNERLY`: an initial in the middle indicates natural order.
  if (middle && b > 0 && a - b < 3) return 'first-last'
  if (a > LEANS && a >= b) return lastFirstOr(a, b, commas, isClear)
  // `HARLOW PAUL TOD ANNA HARMON`: beneficiaries are mostly written in natural order.
  if (apart === true && a < -0.5 && b > 0) return 'first-last'
  if (middle) return b > -2 ? 'first-last' : 'shared or first-last'
  const own = ownSurname(words, shared, commas, evidence)
  if (own !== undefined) return own
  if (b > (commas ? 2.5 : 1.5)) return commas ? 'shared or first-last' : 'first-last or shared'
  if (b > LEANS && !commas) return 'shared or first-last'
  return !commas && isKnownSurname(first) ? 'shared or last-first' : 'shared'
}

/** `VEGA JOSE & MA ELENA`, `& MARIA DE JESUS`: the name of Mary and one that belongs to it. */
function isDevotion(words: readonly Word[], shared: readonly Word[]): boolean {
  const [first, second = ''] = words
  if (first !== 'MA' && first !== 'MARIA') return false
  const isGiven = (word: Word) => isKnownGiven(word) && !isKnownSurname(word)
  if (first === 'MA' && SPANISH.has(shared.at(-1) ?? ''))
    return PARTICLES.has(second) || isGiven(second)
  return first === 'MARIA' && second === 'DE' && DEVOTIONS.has(words[2] ?? '')
}

const DEVOTIONS = new Set(['JESUS', 'LOURDES', 'FATIMA', 'GUADALUPE'])

/** `KIM YOUNG SOO & SUN HEE`: two syllables behind a person who has two. */
function areSyllables(words: readonly Word[], given: readonly Word[]): boolean {
  const isShort = (word: Word) => isSyllable(word) || (word.length < 6 && !isKnownGiven(word))
  if (words.length !== 2 || given.length !== 2 || VIETNAMESE_SURNAMES.has(words[0] ?? ''))
    return false
  return words.some(isSyllable) && given.some(isSyllable) && given.every(isShort)
}

/** Decides how a segment of one name and initials is written. */
function loneForm(
  words: readonly Word[],
  lone: Word,
  commas: boolean,
  evidence: NameEvidence | undefined,
): LaterForm {
  if (words.length !== 2) return 'shared'
  const lean = leaning(lone, evidence)
  if (words[0] !== lone) return lean > 1.5 ? 'first-last' : 'shared'
  // `ROE JOHN A/DOE J`: a surname that is no given name, and an initial.
  return !commas && !isKnownGiven(lone) && lean > 1 ? 'last-first' : 'shared'
}

/** Reads a later person whose words show a surname of his own, in last-first order. */
function ownSurname(
  words: readonly Word[],
  shared: readonly Word[],
  commas: boolean,
  evidence: NameEvidence | undefined,
): LaterForm | undefined {
  const [first = '', second = '', third] = words
  const last = words.at(-1) as Word
  const lean = leaning(first, evidence)
  // `ASTORGA FLORA GARCIA`: a surname, a given name, and a second surname.
  const isFirst = third !== undefined && words.length === 3 && lean > LEANS && !isKnownGiven(first)
  if (isFirst && !commas && isKnownGiven(second) && leaning(second, evidence) <= -1.5) {
    return 'last-first or shared'
  }
  // `ROE, JOHN & JANE SINGH`: a given name, and a word that is none.
  const isPair = words.length === 2 || (third === last && isKnownGiven(second) && lean <= -2)
  if (!commas || !isPair || lean > -1.5 || last.length < 3) return undefined
  const isOther = !isKnownGiven(last) && !isSyllable(last)
  if (!isOther || VIETNAMESE_SURNAMES.has(shared[0] ?? '')) return undefined
  return leaningByLetters(last, evidence) > 0.5 ? 'first-last or shared' : undefined
}

/** Decides whether a segment begins with its own surname, from the leanings of its first words. */
function lastFirstOr(first: number, next: number, commas: boolean, isClear: boolean): LaterForm {
  if (first <= LEANS || next >= first + 1 || (commas && first < 1)) return 'shared'
  // If commas mark surnames, a segment without a comma rarely begins with its own.
  if (commas && !isClear) return first - next < 6 ? 'shared or last-first' : 'last-first'
  return first - next < 1.5 ? 'last-first or shared' : 'last-first'
}

/** Leanings up to this value are not evidence. */
const LEANS = 0.3

function startsWith(words: readonly Word[], start: readonly Word[]): boolean {
  return start.length > 0 && start.every((word, at) => words[at] === word)
}

export function endsWith(words: readonly Word[], end: readonly Word[]): boolean {
  return startsWith(words.slice(-end.length), end)
}
