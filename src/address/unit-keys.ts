/** Makes the key that equal units share, and the text in which records show them. */
import { designatorOf, joinId, KINDS, unitId } from './parse/designators.ts'
import { readUnitTail, type UnitPart } from './parse/units.ts'
import { isDigits, splitWords, type Words } from './parse/words.ts'

/** Reads a text that is only a unit: `2B`, `APT 2B`, `#0012`, `BLDG C APT 4`. */
export function readUnitText(words: Words): UnitPart[] {
  const { parts, end } = readUnitTail(words, 0, words.texts.length, () => true)
  if (end === 0) return parts
  const rest = words.texts.slice(0, end).filter((word) => designatorOf(word)?.kind !== '*')
  if (rest.length === 0) return parts
  const joined = rest.length === 2 ? joinId(rest[0], rest[1] as string) : undefined
  return [{ kind: '*', type: null, id: unitId(joined ?? rest.join('')) }, ...parts]
}

/**
 * Returns the keys that a shown text may stand for. A record shows `BLDG 2 UNIT 1A` as `2 UNIT 1A`
 * and `PH 4` as `4`. Returns one key when the first unit has a kind.
 */
export function shownUnitKeys(text: string): string[] {
  const parts = readUnitText(splitWords(text))
  const [first, ...rest] = parts
  const own = unitKeyOf(parts)
  if (first === undefined || first.id === '' || first.kind !== '*' || first.type !== null) {
    return [own]
  }
  const kinds = KINDS.map((kind) => unitKeyOf([{ ...first, kind }, ...rest]))
  return [...new Set([own, ...kinds])]
}

/** Returns the key of a line's units in any order and form; `''` for none. */
export function unitKeyOf(parts: UnitPart[]): string {
  if (parts.length === 0) return ''
  const keys = parts
    .map(({ kind, id }) => (kind === '*' ? id : id === '' ? kind : `${kind} ${id}`))
    .filter((key) => key !== '')
    .filter((key, _, all) => !isNamedFloor(key, all))
  return keys.length > 1 ? [...new Set(keys)].sort().join(',') : (keys[0] ?? '')
}

/** `5TH FLOOR, STE 500`: the suite's number names the floor. */
function isNamedFloor(key: string, keys: string[]): boolean {
  const isSuite = (other: string) => other.startsWith(key.slice(3)) && isDigits(other)
  return key.startsWith('FL ') && keys.some((one) => one.length === key.length - 1 && isSuite(one))
}

/** Reports whether a recorded key is a list of units with the asked one: `A,B` has `A`. */
export function listsUnit(recordedKey: string, askedKey: string): boolean {
  if (!recordedKey.includes(',')) return false
  const members = recordedKey.split(',')
  const isPlain = (id: string) => !id.includes(' ') && designatorOf(id) === undefined
  return members.includes(askedKey) && members.every(isPlain)
}

/** Merges units of a line with those of a parameter or column, which replace their kind. */
export function mergeUnits(line: UnitPart[], named: UnitPart[]): UnitPart[] {
  if (named.length === 0) return line
  return [...line.filter((part) => !named.some((other) => other.kind === part.kind)), ...named]
}

/** Returns type and identifier as a record shows them: `BLDG`, `C APT 4` for several units. */
export function showUnits(parts: UnitPart[]): { type: string | null; id: string | null } {
  const shown = parts.filter((part) => part.id !== '' || part.kind !== '*')
  const [first, ...rest] = shown
  if (first === undefined) return { type: null, id: null }
  const tail = rest.map((part) => [part.type ?? '#', part.id].filter(Boolean).join(' '))
  const id = [first.id, ...tail].filter((text) => text !== '').join(' ')
  return { type: first.type, id: id === '' ? null : id }
}

/**
 * Returns a unit key in the form of the `unit` parameter, without commas: `BLDG C # 4` for `4,BLDG
 * C`. Reading it gives the same key.
 */
export function showUnitKey(key: string): string {
  const parts = key.split(',')
  if (parts.length === 1) return key
  const isTyped = (part: string) => part.includes(' ') || designatorOf(part) !== undefined
  const typed = parts.filter(isTyped)
  return [...typed, ...parts.filter((part) => !isTyped(part)).map((part) => `# ${part}`)].join(' ')
}
