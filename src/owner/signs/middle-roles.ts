/** Signs between two names: roles that are names elsewhere, and the stroke after a surname. */
import type { NameEvidence } from '../../base/model/owner.ts'
import { ASIAN_GIVEN, VIETNAMESE_SURNAMES } from '../dictionaries/leanings.ts'
import { LATE_ROLES, MIDDLE_ROLES } from '../dictionaries/roles.ts'
import { isKnownGiven, isKnownSurname, leaning } from '../evidence.ts'
import { GAP } from '../roles.ts'
import type { Word } from '../words.ts'

/**
 * Replaces a role between two whole names by a gap: `PAUL J VANCE LU ANNA TRENT`, `ROE, ANN (LE)
 * DOE, JOHN`. Adds it to `roles`. `MARY LU TRENT` is kept, since no whole name precedes.
 */
export function liftMiddleRoles(
  words: readonly Word[],
  roles: string[],
  evidence: NameEvidence | undefined,
): readonly Word[] {
  if (words.length < 5) return words
  const at = words.findIndex(
    (word, index) => index > 1 && (MIDDLE_ROLES.has(word) || LATE_ROLES.has(word)),
  )
  if (at < 0) return words
  const isAside = words[at - 1] === '(' && words[at + 1] === ')'
  if (!isAside && !MIDDLE_ROLES.has(words[at] as Word)) return words
  const [end, next] = isAside ? [at - 1, at + 2] : [at, at + 1]
  const before = words.slice(0, end)
  const after = words.slice(next)
  const start = before.findLastIndex((word) => PARTING.has(word)) + 1
  const close = after.findIndex((word) => PARTING.has(word))
  const following = close < 0 ? after : after.slice(0, close)
  if (!isWholeName(before.slice(start), evidence) || !isWholeName(following, evidence)) return words
  roles.push(words[at] as Word)
  return [...before, GAP, ...after]
}

const PARTING = new Set(['&', '/', ';', GAP])

/** Reports whether words hold a surname and a given name or an initial, and nothing else. */
function isWholeName(part: readonly Word[], evidence: NameEvidence | undefined): boolean {
  const names = part.filter((word) => word !== ',')
  if (names.length < 2 || names.length > 4 || names.some((word) => !/^[A-Z-]+$/.test(word)))
    return false
  if (names.some((word) => ASIAN_GIVEN.has(word) || VIETNAMESE_SURNAMES.has(word))) return false
  const leans = names.filter((word) => word.length > 1).map((word) => leaning(word, evidence))
  const isInitialed = leans.length < names.length
  // `MARY ANN` are two given names, not a whole name.
  if (leans.length < 2) return isInitialed && Math.max(...leans) > 0
  return Math.max(...leans) > -1.9 && (isInitialed || Math.min(...leans) < -0.5)
}

/**
 * Reads the stroke after a surname as a comma: `ROE/JANE MARIE`. `JANE/MARIE ROE` are two persons.
 */
export function readSurnameStroke(
  words: readonly Word[],
  evidence: NameEvidence | undefined,
): readonly Word[] {
  if (words[1] !== '/' || words.length < 3 || words.length > 5) return words
  const [surname = '', , ...given] = words
  const isGiven = (word: Word) => /^[A-Z]$/.test(word) || isKnownGiven(word)
  if (surname.length < 2 || leaning(surname, evidence) <= 0.3 || !given.every(isGiven)) return words
  // `HARLOW/THOMAS JAMES`: the last name may be a surname, unless it is rather a given name.
  if (given.some((word) => word.length > 1 && leaning(word, evidence) > -1)) return words
  return [surname, ',', ...given]
}

/**
 * Moves a surname after a comma to the front, in a roll of given names first: `ANNA MARIE T,
 * ODELL`.
 */
export function moveLateSurname(
  words: readonly Word[],
  evidence: NameEvidence | undefined,
): readonly Word[] {
  const comma = words.indexOf(',')
  const last = words[comma + 1] ?? ''
  if (comma < 2 || comma !== words.length - 2 || last.length < 3) return words
  const given = words.slice(0, comma)
  const isGiven = (word: Word) =>
    word.length === 1 ? /[A-Z]/.test(word) : isKnownGiven(word) && !isKnownSurname(word)
  if (!given.every(isGiven) || given.every((word) => word.length === 1)) return words
  if (!/^[A-Z]+$/.test(last)) return words
  const isInitialed = given.at(-1)?.length === 1
  if (isInitialed ? leaning(last, evidence) <= -2 : !isKnownSurname(last) || isKnownGiven(last)) {
    return words
  }
  return [last, ',', ...given]
}

/** Two surnames, neither of them a given name: in `JOHN PAUL I HARLOW` the letter is an initial. */
export function isCatalanPair(
  before: Word,
  after: Word,
  evidence: NameEvidence | undefined,
): boolean {
  const isSurname = (word: Word) =>
    word.length > 2 && !isKnownGiven(word) && leaning(word, evidence) > 0.3
  return isSurname(before) && isSurname(after)
}
