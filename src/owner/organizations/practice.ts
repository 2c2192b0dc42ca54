/** Recognises professional practices and truncated names. docs/matching.md, owner rule 5. */
import type { NameOrder } from '../../base/model/owner.ts'
import { readRatings } from '../../base/tables.ts'
import {
  CUT_FORMS,
  LEGAL_FORMS,
  NOT_CUT,
  PRACTICE_DEGREES,
  STRONG,
  SURNAME_TOO,
  WEAK,
} from '../dictionaries/organization-words.ts'
import { isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import { joinWord, type Word } from '../words.ts'

const ENDINGS = new Set(['PA', 'PS', 'PC'])

/**
 * Reports whether the words end as a professional corporation: `HARLOW PAUL DDS PA`, `HARLOW &
 * HARMON PA`.
 *
 * `PAUL HARLOW PA` is a person, since `PA` is a degree too.
 */
export function isPractice(
  name: readonly Word[],
  words: readonly Word[],
  order: NameOrder,
): boolean {
  const end = endingLength(words)
  if (end === 0) return false
  const before = words.slice(0, words.length - end)
  if (before.length < 2) return false
  const last = joinWord(before[before.length - 1] as Word)
  if (PRACTICE_DEGREES.has(last)) return true
  if (before.length > 2 && before.slice(-2).join('') === 'MD') return true
  const isGiven = (word: Word) => word.length > 1 && isKnownGiven(word) && !isKnownSurname(word)
  if (before.some((word) => word.length === 1 || isGiven(word))) return false
  return order !== 'last-first' || (/^[&,]$/.test(name[1] ?? '') && before.length < 5)
}

function endingLength(words: readonly Word[]): number {
  const last = words[words.length - 1] as Word
  if (ENDINGS.has(joinWord(last))) return 1
  return last.length === 1 && ENDINGS.has(words.slice(-2).join('')) ? 2 : 0
}

/**
 * Reports whether the last word is a word of organizations that the roll truncated (`APARTM`,
 * `INTERNATI`) or joined to the next one (`PROPERTIESL`, `SHOPPINGCE`).
 */
export function isCutWord(word: Word): boolean {
  if (word.length < CUT_MIN || NOT_CUT.has(word)) return false
  cutWords ??= listCuts([...STRONG, ...LEGAL_FORMS])
  if (cutWords.has(word)) return true
  if ([-1, -2].some((end) => isFirmWord(word.slice(0, end), FUSED_MIN))) return true
  for (let length = Math.min(LONGEST_REST, word.length); length > 0; length--) {
    if (!CUT_FORMS.has(word.slice(-length))) continue
    return isFirmWord(word.slice(0, -length), WHOLE_MIN)
  }
  return false
}

const LONGEST_REST = 4

const CUT_MIN = 5
const WHOLE_MIN = 6
/** Least length of a word of organizations to which letters of any word may be joined. */
const FUSED_MIN = 7
const LONG_MIN = 7
let cutWords: ReadonlySet<Word> | undefined

const isFirmWord = (word: Word, least: number) =>
  word.length >= least && (STRONG.has(word) || LEGAL_FORMS.has(word)) && !SURNAME_TOO.has(word)

/** Returns the beginnings of long words that are neither names nor other words. */
export function listCuts(wholes: Iterable<Word>): ReadonlySet<Word> {
  const names = new Set(readRatings('census-names.txt').map(([word]) => word))
  const cut = new Set<Word>()
  for (const word of wholes) {
    if (word.length < LONG_MIN || SURNAME_TOO.has(word) || word.includes('-')) continue
    for (let length = CUT_MIN; length < word.length; length++) {
      const start = word.slice(0, length)
      const isFirms = isFirmWord(start, 0) || WEAK.has(start) || SURNAME_TOO.has(start)
      if (!isFirms && !names.has(start) && !isKnownGiven(start) && !isKnownSurname(start))
        cut.add(start)
    }
  }
  return cut
}

/** Reports whether words name a phase or a tract: `NORTH RHINE II`, `MONROE WABASH DEV`. */
export function isPhaseOrTract(name: readonly Word[], words: readonly Word[]): boolean {
  const [first = '', second = '', third = ''] = words
  if (words.length !== 3 || name.length !== 3) return false
  const isSurname = (word: Word) => !isKnownGiven(word) && leaning(word, undefined) > 0
  if (third === 'DEV') return first.length > 2 && isSurname(second)
  return POINTS.has(first) && /^(?:II|III|IV)$/.test(third) && isSurname(second)
}

const POINTS = new Set(['NORTH', 'SOUTH', 'EAST', 'WEST'])
