/** Secondary units: reading them off the end of a line, and the key in which equal units meet. */
import { PUB28_C2, STANDALONE_UNITS, UNITS_AFTER_SUFFIX } from './data/units.ts'
import { directionalOf } from './directionals.ts'
import { ordinalDigits, readOrdinal } from './number-words.ts'
import { suffixOf } from './suffixes.ts'
import { hasDigit, isDigits, type Words } from './words.ts'

/** One unit: `{ kind: '*', type: 'APT', id: '4B' }`; kind `*` is what all plain designators share. */
export type UnitPart = { kind: string; type: string | null; id: string }

/** What was read off the end of the words `[from, end)`. */
export type UnitTail = { parts: UnitPart[]; end: number }

type Designator = { kind: string; type: string }

/**
 * Reads all units that stand at the end of a line.
 *
 * `from`: the first word that may be a unit's (the street's name stands before it). `isWhole(end)` tells whether the
 * words before `end` are a street with suffix, route or direction; `isName(end)` whether they are at least a name.
 */
export function readUnitTail(
  words: Words,
  from: number,
  last: number,
  isWhole: (end: number) => boolean,
): UnitTail {
  const parts: UnitPart[] = []
  let end = last
  let bare = false
  for (;;) {
    const designated = readDesignated(words, from, end, isWhole)
    if (designated !== undefined) {
      if (designated.second !== undefined) parts.push(designated.second)
      parts.push(designated.part)
      end = designated.at
      continue
    }
    const plain = bare ? undefined : readBare(words, from, end, isWhole)
    if (plain === undefined) return { parts: parts.reverse(), end }
    bare = true
    parts.push(plain.part)
    end = plain.at
  }
}

type Found = { part: UnitPart; at: number; second?: UnitPart }

/** A designator with its identifier, or one that needs none, that ends right before `end`. */
function readDesignated(
  words: Words,
  from: number,
  end: number,
  isWhole: (end: number) => boolean,
  depth = 0,
): Found | undefined {
  const { texts, breaks } = words
  const lastWord = texts[end - 1]
  if (lastWord === undefined || end <= from) return undefined
  const floor = readFloor(texts, from, end)
  if (floor !== undefined) return floor

  // `LOWER LEVEL`, `REAR APT`, `UPPER FLAT`: the second word says nothing more.
  if (AFTERTHOUGHTS.has(lastWord) && depth < UNITS_MAX) {
    const before = DESIGNATORS.get(texts[end - 2] ?? '')
    if (before !== undefined && STANDS_ALONE.has(before.kind))
      return readDesignated(words, from, end - 1, isWhole, depth + 1)
  }
  const isAfterUnit = (at: number) =>
    depth < UNITS_MAX && readDesignated(words, from, at, isWhole, depth + 1) !== undefined
  const alone = DESIGNATORS.get(lastWord)
  if (alone !== undefined && STANDALONE.has(alone.kind)) {
    let at = end - 1
    // `APT REAR`, `UNIT PH`: the plain designator before says nothing more.
    if (at - 1 >= from && isPlainDesignator(texts[at - 1])) at--
    const isPlaced = breaks[end - 1] || at < end - 1 || isWhole(end - 1) || isAfterUnit(end - 1)
    if (!AFTER_SUFFIX.has(alone.kind) || isPlaced)
      return { part: { kind: alone.kind, type: alone.type, id: '' }, at }
  }
  const pair = readPair(texts, from, end)
  if (pair !== undefined) return pair
  const glued = splitGlued(lastWord)
  if (glued !== undefined && fits(words, from, end - 1, end, glued, isWhole)) {
    let at = end - 1
    if (glued.kind !== '*' && at - 1 >= from && isPlainDesignator(texts[at - 1])) at--
    return { part: { kind: glued.kind, type: glued.type, id: unitId(glued.id) }, at }
  }

  for (const length of [1, 2]) {
    const idAt = end - length
    if (idAt - 1 < from) return undefined
    const id = length === 1 ? lastWord : joinId(texts[idAt], lastWord)
    if (id === undefined || !isIdentifier(id)) continue
    let at = idAt - 1
    if (HASHES.has(texts[at] ?? '') && at - 1 >= from) {
      const before = DESIGNATORS.get(texts[at - 1] ?? '')
      if (before !== undefined && before.type !== '#' && !STANDS_ALONE.has(before.kind)) at--
    }
    const designator = DESIGNATORS.get(texts[at] ?? '')
    if (designator === undefined) continue
    if (designator.kind !== '*' && length === 2) continue
    if (designator.kind === 'FL' && /^\d{5}/.test(id)) continue
    if (!fits(words, from, at, end, designator, isWhole)) continue
    if (designator.kind !== '*' && at - 1 >= from && isPlainDesignator(texts[at - 1])) at--
    return { part: { ...pick(designator), id: unitId(id) }, at }
  }
  return undefined
}

/** `APT`, `#` and the like, which say nothing more before a designator of its own kind: `UNIT PH 2`. */
function isPlainDesignator(word: string | undefined): boolean {
  return DESIGNATORS.get(word ?? '')?.kind === '*'
}

/** How many units are looked at behind one another. */
const UNITS_MAX = 2
const AFTERTHOUGHTS = new Set([
  'LEVEL',
  'LVL',
  'FLAT',
  'APT',
  'APARTMENT',
  'UNIT',
  'FLOOR',
  'FL',
  'FLR',
])

const HASHES = new Set(['#', 'NO', 'NUMBER', 'NUM', 'NBR'])

function pick(designator: Designator): { kind: string; type: string } {
  return { kind: designator.kind, type: designator.type }
}

/** `UNIT 402 AND 403`, `# A & B`: two units of one parcel. */
function readPair(texts: string[], from: number, end: number): Found | undefined {
  const [first, and, second] = texts.slice(end - 3, end)
  if (and !== 'AND' || first === undefined || second === undefined || end - 4 < from)
    return undefined
  let at = end - 4
  const hashed = texts[at] === '#' && at - 1 >= from && isPlainDesignator(texts[at - 1])
  const designator = DESIGNATORS.get(texts[at] ?? '')
  if (designator?.kind !== '*' || !isIdentifier(first) || !isIdentifier(second)) return undefined
  if (hashed) at--
  const type = DESIGNATORS.get(texts[at] ?? '')?.type ?? designator.type
  return {
    part: { kind: '*', type, id: unitId(first) },
    second: { kind: '*', type: '#', id: unitId(second) },
    at,
  }
}

/** Words that are suffixes too (`KEY`, `PIER`) name a unit only after a whole street or a comma. */
function fits(
  words: Words,
  from: number,
  at: number,
  _end: number,
  designator: Designator,
  isWhole: (end: number) => boolean,
): boolean {
  if (at < from) return false
  if (!AFTER_SUFFIX.has(designator.kind)) return true
  return words.breaks[at] === true || isWhole(at)
}

/** `2ND FLOOR`, `SECOND FL`, `2 FL`, `2FL`. */
function readFloor(texts: string[], from: number, end: number): Found | undefined {
  const word = texts[end - 1] as string
  if (/^\d{1,3}FL(?:R|OOR)?$/.test(word) && end - 1 >= from)
    return { part: { kind: 'FL', type: 'FL', id: unitId(word.replace(/\D+$/, '')) }, at: end - 1 }
  if (end - 2 < from) return undefined
  if (DESIGNATORS.get(texts[end - 2] ?? '')?.kind === 'FL') {
    const digits = ordinalDigits(word) ?? readOrdinal(texts, end - 1, end)?.value
    if (digits !== undefined)
      return { part: { kind: 'FL', type: 'FL', id: unitId(String(digits)) }, at: end - 2 }
  }
  if (DESIGNATORS.get(word)?.kind !== 'FL') return undefined
  const before = texts[end - 2] as string
  const digits =
    ordinalDigits(before) ??
    (/^\d{1,3}$/.test(before) ? before : undefined) ??
    (before === 'GROUND' ? 'GROUND' : undefined)
  if (digits !== undefined)
    return { part: { kind: 'FL', type: 'FL', id: unitId(digits) }, at: end - 2 }
  for (const length of [2, 1]) {
    const at = end - 1 - length
    if (at < from) continue
    const spoken = readOrdinal(texts, at, end - 1)
    if (spoken?.length === length)
      return { part: { kind: 'FL', type: 'FL', id: String(spoken.value) }, at }
  }
  return undefined
}

/** A bare identifier after a whole street: `4B`, `12`, `C`. Five digits are a ZIP. */
function readBare(
  words: Words,
  from: number,
  end: number,
  isWhole: (end: number) => boolean,
): Found | undefined {
  const text = words.texts[end - 1]
  if (text === undefined || end - 1 < from) return undefined
  // `PIER 36`, `LOT 5`: the whole name of a place.
  if (end - 1 === from && DESIGNATORS.has(words.texts[from - 1] ?? '')) return undefined
  const afterHash = words.texts[end - 2]
  if (afterHash === '#') return undefined
  if (hasDigit(text)) {
    // `OAK 5 6` is no street with a unit: which of the two it were, nobody knows.
    const before = words.texts[end - 2] ?? ''
    if (!isBareIdentifier(text) || (isBareIdentifier(before) && !isWhole(end - 1))) return undefined
    const letter = before.length === 1 && !hasDigit(before) && directionalOf(before) === undefined
    if (letter && end - 2 >= from && isDigits(text) && isWhole(end - 2))
      return { part: { kind: '*', type: null, id: before + text }, at: end - 2 }
    return { part: { kind: '*', type: null, id: unitId(text) }, at: end - 1 }
  }
  if (text.length !== 1 || directionalOf(text) !== undefined) return joinedBare(words, from, end)
  const joined = joinedBare(words, from, end)
  if (joined !== undefined) return joined
  return isWhole(end - 1) ? { part: { kind: '*', type: null, id: text }, at: end - 1 } : undefined
}

/** `MAIN ST 4 B`: an identifier in two words. */
function joinedBare(words: Words, from: number, end: number): Found | undefined {
  const text = words.texts[end - 1] as string
  const before = words.texts[end - 2]
  if (before === undefined || end - 2 < from || text.length !== 1 || !isDigits(before))
    return undefined
  if (before.length > 4 || directionalOf(text) !== undefined) return undefined
  return { part: { kind: '*', type: null, id: unitId(before + text) }, at: end - 2 }
}

function isBareIdentifier(text: string): boolean {
  if (ordinalDigits(text) !== undefined) return false
  return /^(?:\d{1,4}[A-Z]{0,2}|[A-Z]{1,2}\d{1,4}[A-Z]?|\d{1,4}[A-Z]?-\d{1,4}[A-Z]?|[A-Z]\d{1,3}-\d{1,4}[A-Z]?)$/.test(
    text,
  )
}

/** What may stand after a designator. */
export function isIdentifier(text: string): boolean {
  if (hasDigit(text))
    return text.length <= 10 && !text.includes('/') && ordinalDigits(text) === undefined
  if (text.length > 1 && suffixOf(text) !== undefined) return false
  return text.length <= 3 || directionalOf(text) !== undefined
}

function joinId(first: string | undefined, second: string): string | undefined {
  if (first === undefined) return undefined
  if (isDigits(first) && second.length === 1 && !hasDigit(second)) return first + second
  if (/^[A-Z]{1,3}$/.test(first) && /^\d{1,4}[A-Z]?$/.test(second) && !DESIGNATORS.has(first)) {
    return first + second
  }
  return undefined
}

/** `APT4B`, `STE200`, `PH2`, `FL2`: designator and identifier in one word. */
function splitGlued(text: string): (Designator & { id: string }) | undefined {
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

/**
 * An identifier as compared: no leading zeros, a hyphen between letter and digit left out; `''` for zeros alone.
 * Decision 031: `0` is what rolls write for no unit.
 */
export function unitId(text: string): string {
  let id = text
  if (id.includes('-')) id = id.replace(/([A-Z])-(?=\d)|(\d)-(?=[A-Z])/g, '$1$2')
  let zeros = 0
  while (zeros < id.length && id[zeros] === '0') zeros++
  return zeros === 0 ? id : id.slice(zeros).replace(/^-/, '')
}

/** Reads a text that is all unit: `2B`, `APT 2B`, `#0012`, `BLDG C APT 4`. */
export function readUnitText(words: Words): UnitPart[] {
  const { parts, end } = readUnitTail(words, 0, words.texts.length, () => true)
  if (end === 0) return parts
  const rest = words.texts.slice(0, end).filter((word) => DESIGNATORS.get(word)?.kind !== '*')
  if (rest.length === 0) return parts
  return [{ kind: '*', type: null, id: unitId(rest.join('')) }, ...parts]
}

/** The key of a line's units: equal for all forms of the same units in any order; `''` without any. */
export function unitKeyOf(parts: UnitPart[]): string {
  if (parts.length === 0) return ''
  const keys = parts
    .map(({ kind, id }) => (kind === '*' ? id : id === '' ? kind : `${kind} ${id}`))
    .filter((key) => key !== '')
  return keys.length > 1 ? [...new Set(keys)].sort().join(',') : (keys[0] ?? '')
}

/** Joins the units of a line with those a caller or another column names; of one kind the named one counts. */
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

export function designatorOf(word: string | undefined): Designator | undefined {
  return word === undefined ? undefined : DESIGNATORS.get(word)
}

/** Whether a word can be the identifier of a unit that stands before the street: `APT 4 123 MAIN ST`. */
export function isUnitId(word: string | undefined): boolean {
  return word !== undefined && (hasDigit(word) ? word.length <= 6 : word.length === 1)
}

const DESIGNATORS = new Map<string, Designator>()
for (const line of PUB28_C2.trim().split('\n')) {
  const [kind = '', type = '', ...forms] = line.split(' ')
  for (const form of forms) DESIGNATORS.set(form, { kind, type })
}
const STANDALONE = new Set(STANDALONE_UNITS.split(' '))
/** Those that never have an identifier after a `#`: `REAR # 4` are two. */
const STANDS_ALONE = new Set(['BSMT', 'FRNT', 'LBBY', 'LOWR', 'REAR', 'SIDE', 'UPPR'])
const AFTER_SUFFIX = new Set(UNITS_AFTER_SUFFIX.split(' '))
