/** Removes what is no part of an address: placeholders, cross streets, marks (rule 8). */
import { LINES, PHRASES, readForms } from '../../base/tables.ts'
import type { Parts } from '../parts.ts'
import { BUILDINGS, denyAddress, listOf, NO_ADDRESS_FIRST, ROAD_WORDS } from '../tables.ts'
import { AFTER_SUFFIX, designatorOf, isIdentifier, NUMBER_MARKS } from './designators.ts'
import { directionalOf } from './directionals.ts'
import { cutWords, type Line } from './line.ts'
import { readCardinal } from './number-words.ts'
import { SPANISH_STREETS } from './numbers.ts'
import { cutUpToPlace, readLead, unitLength } from './rest.ts'
import { mayBeginRoute } from './route-phrases.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'
import { hasDigit, isDigits } from './words.ts'

/** Removes a `#` that is not followed by a number. */
export function dropIdleHashes(line: Line): void {
  for (let at = line.end - 1; at > 0; at--) {
    if (line.texts[at] !== '#' || (at === 1 && line.texts[0] === 'NO')) continue
    const next = line.texts[at + 1]
    if (next !== undefined && (isIdentifier(next) || designatorOf(next) !== undefined)) continue
    cutWords(line, at, at + 1)
  }
}

/** Whether the line is a placeholder: `NO SITUS`, `UNKNOWN`, `123 UNASSIGNED`. */
export function namesNoPlace(texts: string[]): boolean {
  const from = NO_ADDRESS_FIRST.has(texts[1] ?? '') && NUMBERED.test(texts[0] as string) ? 1 : 0
  if (texts.length - from > 6 || !NO_ADDRESS_FIRST.has(texts[from] ?? '')) return false
  // `123 N A` may be Avenue A north. After a number, only text that cannot be a street counts as a
  // placeholder.
  if (from === 1 && texts.slice(1).join('').length <= 4) return false
  const said = texts.slice(from)
  if (denyAddress(said)) return true
  // `99999 **NO SITUS** ST`: software that always writes the suffix. `1 N A CIR` is a street.
  const unsuffixed = isPlainSuffix(said.at(-1) ?? '') ? said.slice(0, -1) : []
  return unsuffixed.join('').length > 4 && denyAddress(unsuffixed)
}

const NUMBERED = /^(?:[\d-]+|X{2,})$/

/** Removes text before a whole street: `CITY HALL, 100 MAIN ST`. A city becomes `parts.lead`. */
export function dropPlaceName(line: Line, parts: Parts, state: string): void {
  const { texts, breaks } = line
  if (hasDigit(texts[0] ?? '')) return
  const at = texts.findIndex(hasDigit)
  if (at < 1 || !/^\d{1,6}[A-Z]?$/.test(texts[at] as string)) return
  // `TOWER BLDG 2, 100 MAIN ST`, `PARK BLDG 1 20 OAK AVE`: it is unclear which number is the house
  // number.
  if (breaks[at + 1] || /^\d+[A-Z]?$/.test(texts[at + 1] ?? '')) return
  // `UNIT B, 100 MAIN ST` keeps its unit.
  if (texts.slice(0, at - 1).some(isFirmDesignator)) return
  const last = texts[at - 1] as string
  const isBuilding = designatorOf(last)?.kind === 'BLDG' || HOUSES.has(last)
  if (!breaks[at] && !isBuilding && !isAddressed(texts)) return
  // `MAIN ST, 100 FT OFF OAK ST` is on Main Street; `ONE MAIN ST, …` has its number; `UNIT, 5` is
  // one.
  const { city, code } = readLead(line, at, state)
  const isState = code !== undefined && city === '' && !isAddressed(texts)
  const isKept = isPlainSuffix(last) || last === '#' || isState
  if (isKept || readCardinal(texts, 0, at) !== undefined) return
  if (at === 1 && designatorOf(last) !== undefined) return
  const isStreet = texts.slice(at + 2, line.end).some(isPlainSuffix)
  // `VILLAGGIO I, 518 VIA SERENA`: the comma parts a name from a street without a common suffix.
  const isParted = breaks[at] && at + 2 < line.end && SPANISH_STREETS.has(texts[at + 1] as string)
  if (!isStreet && !isParted) return
  parts.lead = city
  cutWords(line, 0, at)
}

/** Words that end the name of a building or a park: `WILLOW TRACE APTS 77 ELM AVE`. */
const HOUSES = new Set(['PARK', ...BUILDINGS])

/** Removes words instead of a number: `XXX ELM AVE`, `99999 ELM AVE`; `UNKNOWN RD` is a street. */
export function dropNoNumber(line: Line): void {
  const { texts } = line
  const first = texts[0] ?? ''
  // Nearly all lines begin with another digit or letter.
  if (!'9NTUVX'.includes(first[0] ?? ' ')) return
  const length = noNumberLength(texts)
  if (length === 0 || line.end - length < 2) return
  const rest = texts.slice(length, line.end)
  const isStreet = !hasDigit(rest[0] as string) && suffixOf(rest[0] as string) === undefined
  // `99999 OVERSEAS HWY` may be a house.
  const isLong = /^9/.test(texts[0] as string) && rest.some((word) => ROAD_WORDS.get(word) === 'h')
  if (isStreet && !isLong && rest.slice(1).some(isPlainSuffix)) cutWords(line, 0, length)
}

function noNumberLength([first = '', second = '', third = '']: readonly string[]): number {
  if (first === 'NO' && NUMBER_MARKS.has(second)) return 2
  if (first === 'N' && second === 'A') return third.length > 1 ? 2 : 0
  if ((first === 'VACANT' || first === 'VAC') && LANDS.has(second)) return 2
  if (first === 'UN' && second === 'ASSIGNED') return 2
  return NO_NUMBER.has(first) || /^(?:XX+|9{5,})$/.test(first) ? 1 : 0
}

const NO_NUMBER = new Set(listOf('no number'))

/** Cuts off the addressee, `ET AL` and a complex of buildings after a whole street. */
export function cutAddressee(line: Line): void {
  const { texts, breaks } = line
  const last = texts[line.end - 1] ?? ''
  const complexAt = COMPLEX_ENDS.has(last) ? breaks.lastIndexOf(true, line.end - 1) : -1
  for (let at = 3; at < line.end; at++) {
    const word = texts[at] as string
    // Each of the words begins with one of these letters: A, C, E.
    const letter = word.charCodeAt(0)
    if (letter !== 65 && letter !== 67 && letter !== 69 && at !== complexAt) continue
    const before = texts[at - 1] as string
    if (!isPlainSuffix(before) && !hasDigit(before)) continue
    const isComplex = at === complexAt && (last === 'MALL' || hasKind(line, at))
    const follows = AFTERWORDS.has(word) || AFTERWORDS.has(`${word} ${texts[at + 1]}`)
    if (isComplex || follows) cutUpToPlace(line, at)
  }
}

const AFTERWORDS = new Set(listOf('afterwords', PHRASES))

/** `OAKMONT SHOPPING CENTER`: no city is called so. */
const COMPLEX_ENDS = new Set(['CENTER', 'CENTRE', 'CTR', 'PLAZA', 'PLZ', 'PARK', 'MALL'])
const COMPLEX_KINDS = new Set(listOf('complex kinds'))
const hasKind = ({ texts, end }: Line, at: number) =>
  end - at > 2 && COMPLEX_KINDS.has(texts[end - 2] as string)

/** `COTTAGE` and similar words also occur in names of places. */
function isFirmDesignator(word: string): boolean {
  const designator = designatorOf(word)
  return designator !== undefined && !AFTER_SUFFIX.has(designator.type)
}

/** `ATTN …`, `C/O …`: the name of the addressee. */
export function isAddressed(texts: string[]): boolean {
  return texts[0] === 'ATTN' || texts[0] === 'ATTENTION' || (texts[0] === 'C' && texts[1] === 'O')
}

/** Cuts off a mile marker, and `NONE` and the like: `#108 NONE`, `UNIT NONE`. */
export function cutNothing(line: Line): void {
  const { texts, end } = line
  // `OVERSEAS HWY MM 90` has a mile marker; `COUNTY RD MM 12` and `OLD HWY MM 12` do not.
  const name = texts[end - 4] ?? ''
  if (
    end > 4 &&
    texts[end - 2] === 'MM' &&
    /^(?!OLD$)[A-Z]{3,}$/.test(name) &&
    !mayBeginRoute(name)
  )
    if (isDigits(texts[end - 1] as string)) line.end -= 2
  if (end < 4 || !NO_UNIT.has(texts[end - 1] as string)) return
  const before = texts[end - 2] as string
  if (suffixOf(before) !== undefined || directionalOf(before) !== undefined || hasDigit(before)) {
    line.end--
  } else if (end > 4 && designatorOf(before) !== undefined) line.end -= 2
}

const NO_UNIT = new Set(['NONE', 'NULL', 'NAN', 'UNKNOWN', 'UNK', 'TBD'])

/** Reads `UT`, `UN`, `TRL` or `TR` and a number after a whole street as a unit: `ELM AVE UT 3`. */
export function spellUnit({ texts, end }: Line): void {
  const word = texts[end - 2] ?? ''
  const isUnit = SHORT_UNITS.has(word) && /^[A-Z]?\d{1,4}[A-Z]?$/.test(texts[end - 1] as string)
  if (end < 4 || !isUnit) return
  const before = texts[end - 3] as string
  // `OLD MILL TRL 6` is on a trail.
  if (word[0] === 'T' && (end < 5 || !isPlainSuffix(before))) return
  const isDirected = directionalOf(before) !== undefined && suffixOf(texts[end - 4] ?? '')
  if (suffixOf(before) !== undefined || isDirected) texts[end - 2] = 'UNIT'
}

const SHORT_UNITS = new Set(['UT', 'UN', 'TRL', 'TR'])

/**
 * Removes the urbanization or quarter of a Puerto Rican address, before or after its street, and
 * returns it: `URB LAS FLORES`; `''` for none. It is part of the name, since streets of two of them
 * have one name. A building is only removed. Source: Publication 28, section 29.
 */
export function liftUrbanization(line: Line, state: string): string {
  const { texts, breaks } = line
  const isKind = (word: string) =>
    state === 'PR' ? COMPLEXES.has(word) : word === 'URB' || word === 'URBANIZACION'
  const at = texts.findIndex(isKind)
  if (at < 0 || SPANISH_STREETS.has(texts[at - 1] ?? '')) return ''
  const first = texts[0] as string
  if (at > 0 && !hasDigit(first) && !SPANISH_STREETS.has(first)) return ''
  let next = at + 1
  while (next < line.end && !breaks[next] && isNameWord(texts[next] as string)) next++
  const kind = COMPLEXES.get(texts[at] as string)
  // `URB` alone, or a line that has nothing else but a unit.
  const rest = [...texts.slice(0, at), ...texts.slice(next, line.end)]
  if (next === at + 1 || rest.length < 2 || unitLength(rest, 0) === rest.length) {
    texts[at] = kind ?? ''
    return ''
  }
  const name = texts.slice(at + 1, next).join(' ')
  cutWords(line, at, next)
  const more = liftUrbanization(line, state)
  return kind === 'COND' ? more : `${kind} ${name} ${more}`.trim()
}

/** Kinds of complexes and quarters in Puerto Rico, by their words. */
export const COMPLEXES = readForms(listOf('complexes', LINES))

export const isNameWord = (word: string) =>
  !hasDigit(word) && !SPANISH_STREETS.has(word) && !isFirmDesignator(word) && !COMPLEXES.has(word)

/** Cuts off `- VACANT` and `VACANT LAND` after a street: they describe the land. */
export function cutVacancy(line: Line): void {
  const { texts, breaks } = line
  const last = texts[line.end - 1] ?? ''
  const at = line.end - (LANDS.has(last) && VACANT.has(texts[line.end - 2] ?? '') ? 2 : 1)
  if (at < 2 || !VACANT.has(texts[at] as string)) return
  const before = texts[at - 1] as string
  if (breaks[at] || isPlainSuffix(before) || directionalOf(before) !== undefined) line.end = at
}

const VACANT = new Set(['VACANT', 'VAC', 'LAND'])
const LANDS = new Set(['LAND', 'LOT', 'PARCEL', 'PROPERTY', 'ONLY'])

const CROSSING = new Set(listOf('cross street'))
/** Words of street names too: a cross street only after a whole street or before a number. */
const CAUTIOUS = new Set(['AT', 'OFF', 'BET', 'OPP', 'NEXT', 'AKA', 'FKA', 'NKA'])

/** Cuts off a line where it goes on to describe the surroundings. */
export function cutCrossStreet(line: Line): void {
  const { texts, breaks } = line
  for (let at = 2; at < line.end; at++) {
    const spelled = texts[at + 1] === 'K' && texts[at + 2] === 'A'
    const word = spelled ? `${texts[at]}KA` : (texts[at] as string)
    const before = texts[at - 1] as string
    const ends =
      breaks[at] ||
      (suffixOf(before) !== undefined && at > 2) ||
      (directionalOf(before) !== undefined && (at > 2 || !word.endsWith('KA')))
    if (texts[at + 1] === 'OF' && directionalOf(word) !== undefined) {
      // `12 ELM ST N OF OAK ST`, `12 ELM ST 100 FT N OF OAK ST`
      const from = [at, at - 1, at - 2].find(
        (one) => one > 2 && isPlainSuffix(texts[one - 1] ?? ''),
      )
      if (from !== undefined) cutUpToPlace(line, from)
    } else if (word === 'CORNER' || word === 'COR' || word === 'CNR') {
      const strong = breaks[at] || (isPlainSuffix(before) && at > 2)
      const more = at + 1 < line.end && designatorOf(texts[at + 1]) === undefined
      if (texts[at + 1] === 'OF' || (strong && more)) cutUpToPlace(line, at)
    } else if (CROSSING.has(word) && at + 1 < line.end) {
      const next = texts[at + (spelled ? 3 : 1)] ?? ''
      // `115 PARK ST ADJ HILLTOWN OH`: ADJ denotes the land adjoining 115, and the city follows it.
      const rest = texts.slice(at + 1, line.end)
      if (word === 'ADJ' && !rest.some((text) => isPlainSuffix(text) || hasDigit(text))) continue
      if (!CAUTIOUS.has(word) || ends || hasDigit(before) || /^\d/.test(next))
        cutUpToPlace(line, at)
    }
  }
}
