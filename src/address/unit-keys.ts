/** The key in which equal units meet, and how a record shows them. */
import { designatorOf, KINDS, unitId } from './parse/designators.ts'
import { readUnitTail, type UnitPart } from './parse/units.ts'
import { splitWords, type Words } from './parse/words.ts'

/** Reads a text that is all unit: `2B`, `APT 2B`, `#0012`, `BLDG C APT 4`. */
export function readUnitText(words: Words): UnitPart[] {
  const { parts, end } = readUnitTail(words, 0, words.texts.length, () => true)
  if (end === 0) return parts
  const rest = words.texts.slice(0, end).filter((word) => designatorOf(word)?.kind !== '*')
  if (rest.length === 0) return parts
  return [{ kind: '*', type: null, id: unitId(rest.join('')) }, ...parts]
}

/**
 * Whether a unit text is what a record with this unit key shows: its first unit without its kind,
 * as `2 UNIT 1A` of `BLDG 2 UNIT 1A` or `2` of `FL 2`. Units behind the first must agree in kind
 * and identifier.
 */
export function isShownUnit(text: string, recordedKey: string): boolean {
  const [first, ...rest] = readUnitText(splitWords(text))
  if (first === undefined || first.type !== null || first.id === '') return false
  const left = recordedKey.split(',')
  for (const part of rest) {
    const at = left.indexOf(unitKeyOf([part]))
    if (at === -1) return false
    left.splice(at, 1)
  }
  const [own = ''] = left
  return left.length === 1 && own.slice(own.indexOf(' ') + 1) === first.id
}

/**
 * The keys of all units that a text of several may be shown for: a record shows `BLDG 2 UNIT 1A` as
 * `2 UNIT 1A`, without the kind of the first. One key for a text of one unit, or whose first unit
 * has a kind.
 */
export function shownUnitKeys(text: string): string[] {
  const parts = readUnitText(splitWords(text))
  const [first, ...rest] = parts
  const own = unitKeyOf(parts)
  if (first === undefined || rest.length === 0 || first.kind !== '*' || first.type !== null) {
    return [own]
  }
  const kinds = KINDS.map((kind) => unitKeyOf([{ ...first, kind }, ...rest]))
  return [...new Set([own, ...kinds])]
}

/**
 * The key of a line's units: equal for all forms of the same units in any order; `''` without any.
 */
export function unitKeyOf(parts: UnitPart[]): string {
  if (parts.length === 0) return ''
  const keys = parts
    .map(({ kind, id }) => (kind === '*' ? id : id === '' ? kind : `${kind} ${id}`))
    .filter((key) => key !== '')
  return keys.length > 1 ? [...new Set(keys)].sort().join(',') : (keys[0] ?? '')
}

/**
 * Joins the units of a line with those a caller or another column names; of one kind the named one
 * counts.
 */
export function mergeUnits(line: UnitPart[], named: UnitPart[]): UnitPart[] {
  if (named.length === 0) return line
  return [...line.filter((part) => !named.some((other) => other.kind === part.kind)), ...named]
}

/** Type and identifier as a record shows them: `BLDG`, `C APT 4` for several. */
export function showUnits(parts: UnitPart[]): { type: string | null; id: string | null } {
  const shown = parts.filter((part) => part.id !== '' || part.kind !== '*')
  const [first, ...rest] = shown
  if (first === undefined) return { type: null, id: null }
  const tail = rest.map((part) => [part.type ?? '#', part.id].filter(Boolean).join(' '))
  const id = [first.id, ...tail].filter((text) => text !== '').join(' ')
  return { type: first.type, id: id === '' ? null : id }
}

/**
 * A unit key as `unit` takes it, without commas: `BLDG C # 4` for `4,BLDG C`. Reading it gives the
 * key again.
 */
export function showUnitKey(key: string): string {
  const parts = key.split(',')
  if (parts.length === 1) return key
  const isTyped = (part: string) => part.includes(' ') || designatorOf(part) !== undefined
  const typed = parts.filter(isTyped)
  return [...typed, ...parts.filter((part) => !isTyped(part)).map((part) => `# ${part}`)].join(' ')
}
