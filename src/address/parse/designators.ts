/** Looks up unit designators and the identifiers after them. */
import { listOf, PUB28_C2 } from '../tables.ts'
import { directionalOf } from './directionals.ts'
import { ordinalDigits } from './number-words.ts'
import { suffixOf } from './suffixes.ts'
import { hasDigit, isDigits } from './words.ts'

/** `{ kind: '*', type: 'APT' }`; kind `*` is what all plain designators share. */
export type Designator = { kind: string; type: string }

export function designatorOf(word: string | undefined): Designator | undefined {
  return word === undefined ? undefined : DESIGNATORS.get(word)
}

/** Reports whether a word can identify a unit before the street: `APT 4 123 MAIN ST`. */
export function isUnitId(word: string | undefined): boolean {
  return word !== undefined && (hasDigit(word) ? word.length <= 6 : word.length === 1)
}

/** Reports whether a word is `APT`, `#` or the like, which add nothing in `UNIT PH 2`. */
export function isPlainDesignator(word: string | undefined): boolean {
  return DESIGNATORS.get(word ?? '')?.kind === '*'
}

/** Returns the index of the first of repeated designators that end at `at`: `UNIT UNIT 106A`. */
export function firstRepeat(texts: readonly string[], from: number, at: number): number {
  const isPlain = isPlainDesignator(texts[at])
  let first = at
  while (first - 1 > from) {
    const before = texts[first - 1]
    const isRepeat = before === texts[at] && designatorOf(before) !== undefined
    if (!isRepeat && !(isPlain && isPlainDesignator(before))) break
    first--
  }
  return first
}

/** Splits a designator and identifier in one word: `APT4B`, `STE200`, `PH2`, `FL2`. */
export function splitGlued(text: string): (Designator & { id: string }) | undefined {
  let letters = 0
  while (letters < text.length && text.charCodeAt(letters) >= 65) letters++
  // `PHB`: only `PH` may be joined to a letter. `PHX` is Phoenix.
  if (text.length === 3 && text.startsWith('PH') && letters === 3 && text !== 'PHX')
    return { kind: 'PH', type: 'PH', id: text.slice(2) }
  if (letters < 2 || letters === text.length || text.length > 14) return undefined
  const designator = DESIGNATORS.get(text.slice(0, letters))
  if (designator === undefined || designator.type === '#') return undefined
  return { ...designator, id: text.slice(letters) }
}

/** Reports whether a text may follow a designator. */
export function isIdentifier(text: string): boolean {
  if (hasDigit(text))
    return text.length <= 10 && !isSlashed(text) && ordinalDigits(text) === undefined
  if (text.length > 1 && suffixOf(text) !== undefined) return false
  return text.length <= 3 || directionalOf(text) !== undefined
}

/** A slash that is not of a fraction: `3-1/2` is one identifier. */
const isSlashed = (text: string) => text.includes('/') && !/^\d{1,4}-[123]\/[234]$/.test(text)

/** Joins an identifier in two words: `2 B`, `A 12`, `2 WEST`, `3 1/2`. */
export function joinId(first: string | undefined, second: string): string | undefined {
  if (first === undefined) return undefined
  const letter =
    second.length === 1 ? second : second.length > 3 ? directionalOf(second) : undefined
  if (isDigits(first)) {
    if (letter !== undefined && !hasDigit(second)) return first + letter
    return /^[123]\/[234]$/.test(second) ? `${first}-${second}` : undefined
  }
  const isId = /^[A-Z]{1,3}$/.test(first) && /^\d{1,4}[A-Z]?$/.test(second)
  return isId && designatorOf(first) === undefined ? first + second : undefined
}

/**
 * Normalizes an identifier: no leading zeros, and no hyphen between letter and digit; `''` for
 * zeros alone, because rolls write `0` for no unit (docs/decisions/address-matching.md).
 */
export function unitId(text: string): string {
  // `APT WEST` is `APT W`.
  let id = text.length < 4 ? text : (directionalOf(text) ?? text)
  if (id.includes('-')) id = id.replace(/([A-Z])-(?=\d)|(\d)-(?=[A-Z])/g, '$1$2')
  return id[0] === '0' ? id.replace(/^0+-?/, '') : id
}

const DESIGNATORS = new Map<string, Designator>()
for (const line of PUB28_C2) {
  const [kind = '', type = '', ...forms] = line.split(' ')
  for (const form of forms) DESIGNATORS.set(form, { kind, type })
}
export const NUMBER_MARKS = new Set(['#', 'NO', 'NUMBER', 'NUM', 'NBR'])
/** All kinds except `*`, the kind of plain unit designators such as `APT`. */
export const KINDS: readonly string[] = [
  ...new Set([...DESIGNATORS.values()].map(({ kind }) => kind).filter((kind) => kind !== '*')),
]
/** Kinds that need no identifier. */
export const STANDALONE = new Set(listOf('standalone units'))
/** Kinds that never take an identifier after `#`: `REAR # 4` is two units. */
export const STANDS_ALONE = new Set('BSMT FRNT LBBY LOWR REAR SIDE UPPR COACH GUEST'.split(' '))
/** Kinds and types whose words are names and suffixes too. */
export const AFTER_SUFFIX = new Set(listOf('units after suffix'))
