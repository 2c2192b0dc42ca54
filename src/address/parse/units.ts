/** Reads secondary units from the end of a line. */
import { listOf } from '../tables.ts'
import {
  AFTER_SUFFIX,
  type Designator,
  designatorOf,
  firstRepeat,
  isIdentifier,
  isPlainDesignator,
  joinId,
  NUMBER_MARKS,
  STANDALONE,
  STANDS_ALONE,
  splitGlued,
  unitId,
} from './designators.ts'
import { directionalOf } from './directionals.ts'
import { isSpanish } from './line.ts'
import { ordinalDigits, readCardinal, readOrdinal } from './number-words.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'
import { hasDigit, isDigits, type Words } from './words.ts'

/** One unit: `{ kind: '*', type: 'APT', id: '4B' }`; plain designators share kind `*`. */
export type UnitPart = { kind: string; type: string | null; id: string }

type UnitTail = { parts: UnitPart[]; end: number }

/**
 * Reads all units at the end of a line.
 *
 * `from`: the first word that may belong to a unit (the street's name is before it). `isWhole(end)`
 * reports whether the words before `end` are a street with suffix, route or direction;
 * `isName(end)` whether they are at least a name.
 */
export function readUnitTail(
  words: Words,
  from: number,
  last: number,
  isWhole: (end: number) => boolean,
): UnitTail {
  const parts: UnitPart[] = []
  // `12 MAIN ST APT`: software that always writes the designator.
  const isIdle = NAMING.has(designatorOf(words.texts[last - 1])?.type ?? '')
  let end = isIdle && last - 1 > from && isWhole(last - 1) ? last - 1 : last
  let bare = false
  const search = { words, from, isWhole }
  for (;;) {
    const designated = readDesignated(search, end)
    if (designated !== undefined) {
      if (designated.more !== undefined) parts.push(...designated.more.reverse())
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

/** Returns the first of the plain designators that end before a word, or that word. */
function dropPlain(texts: readonly string[], from: number, end: number): number {
  let at = end
  while (at - 1 >= from && isPlainDesignator(texts[at - 1])) at--
  return at
}

/** `more`: further units of a list, in order. */
type Found = { part: UnitPart; at: number; more?: UnitPart[] }

type Search = { words: Words; from: number; isWhole(end: number): boolean }

/** Reads a designator with its identifier, or one that needs none, ending at `end`. */
function readDesignated(search: Search, end: number, depth = 0): Found | undefined {
  const { words, from, isWhole } = search
  const { texts, breaks } = words
  const lastWord = texts[end - 1]
  if (lastWord === undefined || end <= from) return undefined
  const floor = readFloor(texts, from, end)
  if (floor !== undefined) {
    // `APT 2ND FLOOR`: the plain designator before adds nothing.
    return { ...floor, at: dropPlain(texts, from, floor.at) }
  }

  // `LOWER LEVEL`, `REAR APT`, `UPPER FLAT`: the second word adds nothing.
  if (AFTERTHOUGHTS.has(lastWord) && depth < UNITS_MAX) {
    const before = designatorOf(texts[end - 2])
    if (before !== undefined && (STANDS_ALONE.has(before.kind) || before.kind === 'GARAGE'))
      return readDesignated(search, end - 1, depth + 1)
  }
  const isAfterUnit = (at: number) =>
    depth < UNITS_MAX && readDesignated(search, at, depth + 1) !== undefined
  const alone = designatorOf(lastWord)
  if (alone !== undefined && STANDALONE.has(alone.kind) && !isSpanish(texts, end - 1)) {
    // `APT REAR`, `UNIT # PH`: the plain designators before add nothing.
    const at = dropPlain(texts, from, end - 1)
    const isPlaced = breaks[end - 1] || at < end - 1 || isWhole(end - 1) || isAfterUnit(end - 1)
    if (!AFTER_SUFFIX.has(alone.kind) || isPlaced)
      return { part: { kind: alone.kind, type: alone.type, id: '' }, at }
  }
  if (alone !== undefined && end - 2 >= from && isBuilding(texts, end)) {
    const before = texts[end - 2] as string
    // `STE 300 S BLDG`; in `ELM RD EAST TOWER` the direction may be the road's.
    const isPlaced = directionalOf(before) === undefined && isWhole(end - 2)
    if (breaks[end - 2] || isPlaced || isAfterUnit(end - 2))
      return { part: { ...alone, id: unitId(before) }, at: end - 2 }
  }
  return (
    readUnitList(words, from, end, isWhole) ??
    readIdentified(search, end, (at) => breaks[at] || isWhole(at) || isAfterUnit(at))
  )
}

/**
 * Reads `APT4B`, or a designator with an identifier of one or two words: `APT 4 B`. `isPlaced`: a
 * word that is a suffix too (`KEY`, `PIER`) may be a unit there.
 */
function readIdentified(
  { words, from, isWhole }: Search,
  end: number,
  isPlaced: (at: number) => boolean | undefined,
): Found | undefined {
  const { texts } = words
  const lastWord = texts[end - 1] as string
  const glued = splitGlued(lastWord)
  if (glued !== undefined && (isFree(glued) || isPlaced(end - 1))) {
    const at = glued.kind === '*' ? end - 1 : dropPlain(texts, from, end - 1)
    return { part: { ...glued, id: unitId(glued.id) }, at }
  }

  // `SUITE FOUR`, `FLOOR TWO`
  const isNamed = end - 2 >= from && designatorOf(texts[end - 2]) !== undefined
  const spoken = isNamed ? readCardinal(texts, end - 1, end)?.value : undefined
  for (const length of [1, 2]) {
    const idAt = end - length
    if (idAt - 1 < from) return undefined
    const id = length === 1 ? `${spoken ?? lastWord}` : joinId(texts[idAt], lastWord)
    if (id === undefined) continue
    if (!isIdentifier(id) && !isNamedUnit(texts[idAt - 1], id, isWhole(idAt - 1))) continue
    let at = firstRepeat(texts, from, idAt - 1)
    if (NUMBER_MARKS.has(texts[at] ?? '') && at - 1 >= from) {
      const before = designatorOf(texts[at - 1])
      if (before !== undefined && before.type !== '#' && !STANDS_ALONE.has(before.kind)) at--
    }
    const designator = designatorOf(texts[at])
    if (designator === undefined) continue
    if (designator.kind !== '*' && length === 2) continue
    if (designator.kind === 'FL' && /^\d{5}/.test(id)) continue
    if (!isFree(designator) && !isPlaced(at)) continue
    if (designator.kind !== '*') at = dropPlain(texts, from, at)
    return { part: { ...designator, id: unitId(id) }, at }
  }
  return undefined
}

/** Reports whether a word names a unit after a whole street: `APT GARDEN`, `UNIT PARLOR`. */
function isNamedUnit(designator: string | undefined, id: string, isWhole: boolean): boolean {
  if (!isWhole || !NAMING.has(designatorOf(designator)?.type ?? '')) return false
  return /^[A-Z]{3,12}$/.test(id) && !isPlainSuffix(id) && designatorOf(id) === undefined
}

/** Types that a word without a digit may follow. */
const NAMING = new Set(['APT', 'UNIT', 'STE'])

/** Reports whether words end in a building with its letter or direction first: `S BLDG`. */
function isBuilding(texts: readonly string[], end: number): boolean {
  const before = texts[end - 2] ?? ''
  const isNamed = /^[A-Z]$/.test(before) || directionalOf(before) !== undefined
  return isNamed && ['BLDG', 'TWR', 'WING'].includes(designatorOf(texts[end - 1])?.kind ?? '')
}

const UNITS_MAX = 2
const AFTERTHOUGHTS = new Set(listOf('after standalone units'))

/** `UNIT 402 AND 403`, `# A & B`, `UNITS 1, 2 & 3`: several units of one parcel. */
function readUnitList(
  { texts, breaks }: Words,
  from: number,
  end: number,
  isWhole: (end: number) => boolean,
): Found | undefined {
  const ids: string[] = []
  let at = end - 1
  for (;;) {
    const id = texts[at] ?? ''
    if (at - 1 < from || !isIdentifier(id)) return undefined
    ids.unshift(id)
    const before = texts[at - 1] ?? ''
    if (before === 'AND') at -= 2
    else if (breaks[at] && isAlike(before, id)) at--
    else break
  }
  if (ids.length < 2 || ids.length > LIST_MAX) return undefined
  at--
  const hashed = texts[at] === '#' && at - 1 >= from && isPlainDesignator(texts[at - 1])
  const designator = designatorOf(texts[at])
  const [first = '', ...others] = ids
  const more = others.map((id) => ({ kind: '*', type: '#', id: unitId(id) }))
  const isLetters = ids.every((id) => id.length === 1) && !ids.some(directionalOf)
  const suffix = designator === undefined ? suffixOf(texts[at] ?? '') : undefined
  // `COUNTY RD A & B` is a crossing of two roads.
  const isRoad = suffix === 'RD' && isLetters && !ROAD_KINDS.has(texts[at - 1] ?? '')
  const isBare = isRoad || STREET_ENDS.has(suffix ?? '')
  if (isBare && isWhole(at + 1) && (isLetters || ids.every((id) => /^\d{1,4}[A-Z]?$/.test(id))))
    return { part: { kind: '*', type: null, id: unitId(first) }, more, at: at + 1 }
  if (designator?.kind !== '*') return undefined
  if (hashed) at--
  const type = designatorOf(texts[at])?.type ?? designator.type
  return { part: { kind: '*', type, id: unitId(first) }, more, at }
}

const LIST_MAX = 8

/** Suffixes that no number of a road follows: `OAK ST 101 & 102`, but `COUNTY RD 101 & 102`. */
export const STREET_ENDS = new Set(listOf('street ends'))
const ROAD_KINDS = new Set('COUNTY CO COUNTRY STATE TOWN TOWNSHIP TWP PARK FOREST'.split(' '))

/** After a comma only a unit of the same form is one more: no ZIP code, no floor. */
function isAlike(one: string, other: string): boolean {
  const formOf = (id: string) => id.replace(/\d+/g, '9').replace(/[A-Z]/g, 'A')
  return other.length <= 4 && formOf(one) === formOf(other)
}

/** Reports whether a designator's word is no name or suffix. */
const isFree = ({ kind, type }: Designator) => !AFTER_SUFFIX.has(kind) && !AFTER_SUFFIX.has(type)

function floor(id: string, at: number): Found {
  return { part: { kind: 'FL', type: 'FL', id: unitId(id) }, at }
}

/** `2ND FLOOR`, `SECOND FL`, `2 FL`, `2FL`. */
function readFloor(texts: string[], from: number, end: number): Found | undefined {
  const word = texts[end - 1] as string
  if (/^\d{1,3}FL(?:R|OOR)?$/.test(word) && end - 1 >= from)
    return floor(word.replace(/\D+$/, ''), end - 1)
  if (end - 2 < from) return undefined
  const before = texts[end - 2] as string
  if (designatorOf(before)?.kind === 'FL') {
    const digits = ordinalDigits(word) ?? readOrdinal(texts, end - 1, end)?.value
    if (digits !== undefined || word === 'GROUND') return floor(String(digits ?? word), end - 2)
  }
  if (designatorOf(word)?.kind !== 'FL') return undefined
  if (/^GR(?:OU)?N?D$/.test(before)) return floor('GROUND', end - 2)
  const isNamed = NAMED_FLOORS.has(before) && word === 'FLOOR'
  const digits = ordinalDigits(before) ?? (/^\d{1,3}$/.test(before) || isNamed ? before : undefined)
  if (digits !== undefined) return floor(digits, end - 2)
  for (const length of [2, 1]) {
    const at = end - 1 - length
    const spoken = at < from ? undefined : readOrdinal(texts, at, end - 1)
    if (spoken?.length === length) return floor(String(spoken.value), at)
  }
  return undefined
}

const NAMED_FLOORS = new Set(['MAIN', 'GARDEN', 'PARLOR'])

/** Reads a bare identifier after a whole street: `4B`, `12`, `C`. Five digits are a ZIP. */
function readBare(
  words: Words,
  from: number,
  end: number,
  isWhole: (end: number) => boolean,
): Found | undefined {
  const text = words.texts[end - 1]
  if (text === undefined || end - 1 < from) return undefined
  // `PIER 36`, `LOT 5`: the whole name of a place.
  if (end - 1 === from && designatorOf(words.texts[from - 1]) !== undefined) return undefined
  if (hasDigit(text)) {
    // `OAK 5 6` has no unit: it is unclear which number it would be.
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
function joinedBare({ texts }: Words, from: number, end: number): Found | undefined {
  const [before = '', last = ''] = texts.slice(end - 2, end)
  const id = end - 2 < from ? undefined : joinId(before, last)
  if (id === undefined) return undefined
  // `MAIN ST 4 N`; more digits before a direction may be a grid number.
  const isDirection = directionalOf(last) !== undefined
  const most = isDirection && suffixOf(texts[end - 3] ?? '') !== undefined ? 2 : 4
  if (before.length > most || (isDirection && most === 4)) return undefined
  return { part: { kind: '*', type: null, id: unitId(id) }, at: end - 2 }
}

function isBareIdentifier(text: string): boolean {
  return ordinalDigits(text) === undefined && BARE_ID.test(text)
}

const BARE_ID = new RegExp(
  String.raw`^(?:\d{1,4}[A-Z]{0,2}|\d{1,3}[A-Z]\d{1,3}|[A-Z]{1,2}\d{1,4}[A-Z]?` +
    String.raw`|\d{1,4}[A-Z]?-\d{1,4}[A-Z]?|[A-Z]\d{1,3}-\d{1,4}[A-Z]?)$`,
)
