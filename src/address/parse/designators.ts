/** Unit designators looked up, and the identifiers that stand after them. */
import { PUB28_C2, STANDALONE_UNITS, UNITS_AFTER_SUFFIX } from '../data/units.ts'
import { directionalOf } from './directionals.ts'
import { ordinalDigits } from './number-words.ts'
import { suffixOf } from './suffixes.ts'
import { hasDigit } from './words.ts'

/** `{ kind: '*', type: 'APT' }`; kind `*` is what all plain designators share. */
export type Designator = { kind: string; type: string }

/** The designator that a word is, in any of its forms. */
export function designatorOf(word: string | undefined): Designator | undefined {
  return word === undefined ? undefined : DESIGNATORS.get(word)
}

/**
 * Whether a word can be the identifier of a unit that stands before the street:
 * `APT 4 123 MAIN ST`.
 */
export function isUnitId(word: string | undefined): boolean {
  return word !== undefined && (hasDigit(word) ? word.length <= 6 : word.length === 1)
}

/**
 * `APT`, `#` and the like, which say nothing more before a designator of its own kind: `UNIT PH 2`.
 */
export function isPlainDesignator(word: string | undefined): boolean {
  return DESIGNATORS.get(word ?? '')?.kind === '*'
}

/** `APT4B`, `STE200`, `PH2`, `FL2`: designator and identifier in one word. */
export function splitGlued(text: string): (Designator & { id: string }) | undefined {
  let letters = 0
  while (letters < text.length && text.charCodeAt(letters) >= 65) letters++
  // `PHB`: the one designator that is tied to a letter.
  if (text.length === 3 && text.startsWith('PH') && letters === 3)
    return { kind: 'PH', type: 'PH', id: text.slice(2) }
  if (letters < 2 || letters === text.length || text.length > 14) return undefined
  const designator = DESIGNATORS.get(text.slice(0, letters))
  if (designator === undefined || designator.type === '#') return undefined
  return { ...designator, id: text.slice(letters) }
}

/** What may stand after a designator. */
export function isIdentifier(text: string): boolean {
  if (hasDigit(text))
    return text.length <= 10 && !text.includes('/') && ordinalDigits(text) === undefined
  if (text.length > 1 && suffixOf(text) !== undefined) return false
  return text.length <= 3 || directionalOf(text) !== undefined
}

/**
 * An identifier as compared: no leading zeros, a hyphen between letter and digit left out; `''` for
 * zeros alone. docs/decisions/address-matching.md: `0` is what rolls write for no unit.
 */
export function unitId(text: string): string {
  // `APT WEST` is `APT W`.
  let id = text.length < 4 ? text : (directionalOf(text) ?? text)
  if (id.includes('-')) id = id.replace(/([A-Z])-(?=\d)|(\d)-(?=[A-Z])/g, '$1$2')
  let zeros = 0
  while (zeros < id.length && id[zeros] === '0') zeros++
  return zeros === 0 ? id : id.slice(zeros).replace(/^-/, '')
}

const DESIGNATORS = new Map<string, Designator>()
for (const line of PUB28_C2.trim().split('\n')) {
  const [kind = '', type = '', ...forms] = line.split(' ')
  for (const form of forms) DESIGNATORS.set(form, { kind, type })
}
/** All kinds but that of plain designators. */
export const KINDS: readonly string[] = [
  ...new Set([...DESIGNATORS.values()].map(({ kind }) => kind).filter((kind) => kind !== '*')),
]
/** Kinds that need no identifier. */
export const STANDALONE = new Set(STANDALONE_UNITS.split(' '))
/** Those that never have an identifier after a `#`: `REAR # 4` are two. */
export const STANDS_ALONE = new Set(['BSMT', 'FRNT', 'LBBY', 'LOWR', 'REAR', 'SIDE', 'UPPR'])
/** Kinds and types whose words are names and suffixes too. */
export const AFTER_SUFFIX = new Set(UNITS_AFTER_SUFFIX.split(' '))
