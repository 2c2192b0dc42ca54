/** Second stage: divides words into the parts of a street line, standardized by Publication 28. */
import type { AddressContext } from '../../base/model/address.ts'
import { countyByFips } from '../../regions/counties.ts'
import { emptyParts, type Parts } from '../parts.ts'
import { HYPHENATING_STATES, ROAD_WORDS } from '../tables.ts'
import { type Box, readBox } from './boxes.ts'
import { designatorOf, isUnitId, splitGlued, unitId } from './designators.ts'
import { areAcross, directionalOf, spellDirectional } from './directionals.ts'
import {
  cutWords,
  isOrdinal,
  isOverAt,
  joinWords,
  type Line,
  lineOf,
  parted,
  unglueNumber,
} from './line.ts'
import { canonicalName } from './names.ts'
import {
  cutAddressee,
  cutCrossStreet,
  cutNothing,
  cutVacancy,
  dropIdleHashes,
  dropNoNumber,
  dropPlaceName,
  isAddressed,
  liftUrbanization,
  namesNoPlace,
  spellUnit,
} from './noise.ts'
import { rangeOf, type StreetAhead } from './number-lists.ts'
import { ordinalDigits } from './number-words.ts'
import { readNumber, SPANISH_STREETS } from './numbers.ts'
import { joinedPoint, nameFollows, readPredirectional, STREETS } from './predirectional.ts'
import { joinHalf, joinZero, moveHalf, readLetterO, spellPuertoRican } from './repair-number.ts'
import { mayBePlace, moveDirection, readLead, readUnits, unitLength } from './rest.ts'
import { readRoute } from './routes.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'
import { findWhole, readLeadingSuffix, type Whole } from './wholes.ts'
import { hasDigit, isDigits, type Words } from './words.ts'

/** Reads a line's words. Never throws; a line without a street has an empty name. */
export function parseWords(words: Words, context: AddressContext): Parts {
  const line = lineOf(words)
  dropIdleHashes(line)
  if (context.state === 'PR') spellPuertoRican(line)
  const parts = emptyParts()
  if (namesNoPlace(line.texts)) return parts
  const box = readBox(line.texts)
  const isBefore = box !== undefined && isBoxBefore(line, box, context.state)
  const behind = box === undefined ? [] : line.texts.slice(box.next)
  const place = behind.length > 0 && mayBePlace(behind) ? behind : []
  if (box?.isPlain === true || isBefore) cutWords(line, box.at, box.next)
  else if (box !== undefined && isWholeLine(line.texts, box)) {
    // `RR 2 BOX 18 LOT 4`
    const isUnit = behind.length > 0 && unitLength(behind, 0) === behind.length
    if (isUnit && !box.isPostal)
      parts.units = readUnits({ ...line, whole: box.next - 1 }, box.next - 1)
    parts.nameKey = [box.name, ...place].join(' ')
    parts.nameShown = parts.nameKey
    parts.isBox = true
    return parts
  } else if (box !== undefined) cutWords(line, box.at, line.end - place.length)
  const area = liftUrbanization(line, context.state)
  dropPlaceName(line, parts, context.state)
  dropNoNumber(line)
  cutAddressee(line)
  cutNothing(line)
  spellUnit(line)
  cutCrossStreet(line)
  cutVacancy(line)
  let at = readLeadingUnit(line, parts, context.state)
  if (at === 0) unglueNumber(line)
  joinInitials(line, at)
  joinZero(line, at)
  readLetterO(line, at)
  joinHalf(line, at)
  moveHalf(line, at)
  joinState(line, at, context.state)
  partSection(line, at, context.state)
  const ahead = lookAhead(line, context)
  const { number, next } = readNumber(line, at, context, ahead)
  parts.number = number
  at = next
  at = readInnerUnit(line, at, parts, ahead)
  readStreet(line, at, parts, context)
  if (context.state === 'PR') {
    moveAvenue(parts)
    moveLateNumber(parts)
  }
  if (area !== '') {
    parts.nameKey = `${parts.nameKey} ${area}`.trim()
    parts.nameShown = `${parts.nameShown} ${area}`.trim()
  }
  return parts
}

/** Puerto Rico's `PONCE DE LEON AVE` is `AVE PONCE DE LEON`. */
function moveAvenue(parts: Parts): void {
  const isName = (word: string) =>
    /^[A-Z]{2}/.test(word) &&
    !(suffixOf(word) || directionalOf(word) || designatorOf(word) || SPANISH_STREETS.has(word))
  if (parts.suffix !== 'AVE' || !parts.nameShown.split(' ').every(isName)) return
  parts.nameKey = `AVENUE ${parts.nameKey}`
  parts.nameShown = `AVE ${parts.nameShown}`
  parts.suffix = ''
}

/** Puerto Rico writes the number behind the street too: `CALLE ROSA 15`, `CALLE 5 SE #1012`. */
function moveLateNumber(parts: Parts): void {
  const [unit] = parts.units
  const [street = ''] = parts.nameKey.split(' ', 1)
  const isPlain = unit !== undefined && (unit.type === null || unit.type === '#')
  const isStreet = SPANISH_STREETS.has(street) || street === 'AVENUE'
  if (parts.number.text !== '' || !isPlain || !isStreet) return
  parts.number = { text: unit.id, low: unit.id, high: '', others: [] }
  parts.units.shift()
}

/** Joins initials: three or more of a road (`F D R DR`, `N J F K BLVD`), two before a name. */
function joinInitials(line: Line, from: number): void {
  const { texts } = line
  let at = from
  while (at < line.end && hasDigit(texts[at] as string)) at++
  let end = at
  while (end < line.end && /^[A-Z]$/.test(texts[end] as string)) end++
  if (end - at > 3 && directionalOf(texts[at]) !== undefined) at++
  // A suffix must follow, because letters at the end of a line may be units.
  const next = texts[end] ?? ''
  const isName = end - at > 2 && (suffixOf(next) !== undefined || next === 'JR')
  // `15 J R EWING PKWY` is J.R. Ewing Parkway.
  if (!isName && !(end - at === 2 && areInitials(texts, at, end, line.end))) return
  // `12A, B, C ELM ST`
  if (line.breaks.slice(at + 1, end).includes(true)) return
  joinWords(line, at, end, texts.slice(at, end).join(''))
}

/** Two letters, none of them a direction, before a name of letters and its suffix. */
function areInitials(texts: readonly string[], at: number, end: number, last: number): boolean {
  const [name = '', suffix = ''] = texts.slice(end, end + 2)
  const isName = /^[A-Z]{3,}$/.test(name) && suffixOf(name) === undefined
  const areLetters = texts.slice(at, end).every((letter) => directionalOf(letter) === undefined)
  return isName && areLetters && end + 1 < last && isPlainSuffix(suffix) && !ROAD_WORDS.has(name)
}

/** Joins the spaced letters of a state: `1234 N C HWY 55` in North Carolina, `12 N.J. ROUTE 9`. */
function joinState(line: Line, from: number, state: string): void {
  const { texts } = line
  const at = hasDigit(texts[from] ?? '') ? from + 1 : from
  const [first, second = '', road = '', number = ''] = texts.slice(at, at + 4)
  if (first !== state[0] || at + 3 >= line.end) return
  if (second !== state[1] && !HALF_STATES.has(second)) return
  if (ROAD_WORDS.get(road) === 'r' || !ROAD_WORDS.has(road) || !isDigits(number)) return
  joinWords(line, at, at + 2, state)
}

/** `S DAKOTA HWY 34` */
const HALF_STATES = new Set(['CAROLINA', 'DAKOTA', 'VIRGINIA'])

/** Oklahoma and Kansas have section roads: `5 E0750 RD` is `5 E 750 RD`. */
function partSection(line: Line, from: number, state: string): void {
  if (state !== 'OK' && state !== 'KS') return
  const at = hasDigit(line.texts[from] ?? '') ? from + 1 : from
  const [, point = '', digits = ''] = /^([NSEW])0?(\d{2,4})$/.exec(line.texts[at] ?? '') ?? []
  if (point === '' || suffixOf(line.texts[at + 1] ?? '') !== 'RD') return
  parted(line, at + 1, [...line.texts.slice(0, at), point, digits])
}

/** Reports whether a street follows a box: `PO BOX 4, 9 ELM ST`, `PO BOX 4, MACON, 9 ELM ST`. */
function isBoxBefore({ texts, breaks }: Line, { at, next, isPostal }: Box, state: string): boolean {
  const from = texts.findIndex((word, index) => index >= next && hasDigit(word))
  if (!isPostal || at > 0 || !/^\d+[A-Z]?$/.test(texts[from] ?? '')) return false
  const between = { texts: texts.slice(next, from), breaks: breaks.slice(next, from) }
  const isPlaced = from === next || readLead(between, from - next, state).city !== ''
  return isPlaced && texts.slice(from + 2).some(isPlainSuffix)
}

/** Reports whether a box is the whole address, not one after a street: `123 MAIN ST PO BOX 12`. */
function isWholeLine(texts: string[], box: Box): boolean {
  if (box.at === 0 || isAddressed(texts)) return true
  const street = box.at > 2 && hasDigit(texts[0] as string)
  return !box.isPostal && !(street && suffixOf(texts[box.at - 1] as string) !== undefined)
}

/**
 * Reads a unit before the street: `APT 4, 123 MAIN ST` and `REAR 123 MAIN ST`, but `# 123 MAIN ST`
 * is a number. Returns the index of the first word after it.
 */
function readLeadingUnit(line: Line, parts: Parts, state: string): number {
  const { texts } = line
  const designator = designatorOf(texts[0])
  // `2ND FLOOR, 123 MAIN ST`
  const floor = ordinalDigits(texts[0] ?? '')
  const isFloor = floor !== undefined && designatorOf(texts[1])?.kind === 'FL'
  if (isFloor && line.end > 4 && /^\d/.test(texts[2] as string)) {
    parts.units.push({ kind: 'FL', type: 'FL', id: floor })
    return 2
  }
  if (designator === undefined) {
    const glued =
      line.end > 2 && /^\d/.test(texts[1] as string) ? splitGlued(texts[0] as string) : undefined
    if (glued === undefined || isOrdinal(texts[1])) return 0
    parts.units.push({ ...glued, id: unitId(glued.id) })
    return 1
  }
  // `APT 12 BLDG 4, 312 MAIN ST`
  const length = unitLength(texts, 0)
  const both = length + unitLength(texts, length)
  if (length > 0 && both > length && both + 1 < line.end && /^\d/.test(texts[both] as string)) {
    parts.units.push({ ...designator, id: unitId(texts[length - 1] as string) })
    cutWords(line, 0, length)
    return readLeadingUnit(line, parts, state)
  }
  const second = texts[1] ?? ''
  if (texts[0] === 'REAR' || texts[0] === 'FRONT') {
    const of = second === 'OF' ? 2 : 1
    if (!/^\d/.test(texts[of] ?? '') || line.end <= of + 1) return 0
    parts.units.push({ ...designator, id: '' })
    return of
  }
  // `BSMT 123 MAIN ST`
  const isBasement = designator.kind === 'BSMT' && /^\d/.test(second) && !isOrdinal(second)
  if (isBasement && line.end > 3) {
    parts.units.push({ ...designator, id: '' })
    return 1
  }
  if (isUnitId(second) && /^\d/.test(texts[2] ?? '') && line.end > 3 && !isOrdinal(texts[2])) {
    parts.units.push({ kind: designator.kind, type: designator.type, id: unitId(second) })
    return 2
  }
  // `APT 4-500 OAK AVE`, as Canadians write it
  const [, own = '', house = ''] = UNIT_AND_HOUSE.exec(second) ?? []
  const isNumber = designator.type === '#' && HYPHENATING_STATES.has(state)
  const isParted = house.length > 2 && !isNumber && rangeOf(own, house) === undefined
  if (isParted && UNITS.has(designator.type ?? '') && line.end > 3) {
    parts.units.push({ ...designator, id: unitId(own) })
    texts[1] = house
    return 1
  }
  if (designator.type === '#' && /^\d/.test(second) && line.end > 2) return 1
  return readLot(line, parts)
}

const UNIT_AND_HOUSE = /^(\d{1,4}[A-Z]?|[A-Z]\d{0,3})-(\d{1,5}[A-Z]?)$/

/** Reads a lot or unit of a street without a number: `LOT 5 ELM AVE`. */
function readLot({ texts, end }: Line, parts: Parts): number {
  const [word = '', id = '', name = ''] = texts
  if (!LOTS.has(word) || !/^\d{1,4}[A-Z]?$/.test(id) || end < 4 || hasDigit(name)) return 0
  if (suffixOf(name) !== undefined || !texts.slice(3, end).some(isPlainSuffix)) return 0
  parts.units.push({ kind: '*', type: designatorOf(word)?.type ?? word, id: unitId(id) })
  return 2
}

const UNITS = new Set(['APT', 'UNIT', 'STE', '#'])
const LOTS = new Set(['LOT', 'LT', 'UNIT', 'APT'])

/** Reads a unit between number and street, `123 APT 4 MAIN ST`; returns the index after it. */
function readInnerUnit(line: Line, at: number, parts: Parts, ahead: StreetAhead): number {
  const designator = designatorOf(line.texts[at])
  if (designator === undefined || at === 0) return at
  if (line.texts[at] === 'REAR' && ahead.nameAt(at + 1)) {
    parts.units.push({ ...designator, id: '' })
    return at + 1
  }
  const isHash = line.texts[at] === '#'
  const id = line.texts[at + 1]
  const isPlain = designator.kind === '*' && !['LOT', 'SPC'].includes(designator.type)
  const isUnit = isUnitId(id) && !isOrdinal(id) && ahead.nameAt(at + 2)
  if (!isPlain || line.texts[at] === 'NO' || !isUnit) return isHash ? at + 1 : at
  parts.units.push({ kind: '*', type: designator.type, id: unitId(id as string) })
  return at + 2
}

function lookAhead(line: Line, context: AddressContext): StreetAhead {
  const { texts } = line
  const onlySuffixAt = (at: number): boolean =>
    at < line.end &&
    isPlainSuffix(texts[at] as string) &&
    !UNNUMBERED.has(suffixOf(texts[at] as string) ?? '') &&
    isOverAt(line, at + 1) &&
    readLeadingSuffix(line, at, context.state) === undefined &&
    !routeAt(at)
  const routeAt = (at: number): boolean =>
    readRoute(texts, at, line.end, context.state) !== undefined
  return {
    onlySuffixAt,
    routeAt,
    nameAt: (at) => {
      if (at >= line.end) return false
      const word = texts[at] as string
      if (designatorOf(word) !== undefined && suffixOf(word) === undefined && word.length < 5) {
        if (isUnitId(texts[at + 1]) || at + 1 >= line.end) return false
      }
      if (suffixOf(word) === undefined) return true
      if (routeAt(at)) return true
      // `123 A COURT ST`: a suffix word before another suffix is a name, except in `38 ST CT` and
      // the like.
      const next = texts[at + 1] ?? ''
      if (!STREETS.has(suffixOf(word) ?? '') && at + 1 < line.end && suffixOf(next) !== undefined)
        return true
      return !isPlainSuffix(word) && !isOverAt(line, at + 1)
    },
  }
}

/** Suffixes that are a whole name after a number: `92 BLVD` is house 92, not 92nd Boulevard. */
const UNNUMBERED = new Set(['BLVD', 'PKWY', 'TPKE'])

/** `NO NAME RD`, `NO MANS LN` */
const NONE_OF = new Set(['NAME', 'MANS', 'MAN'])

/** Reads directions, name, suffix and units, beginning at a word. */
function readStreet(line: Line, from: number, parts: Parts, context: AddressContext): void {
  let at = from
  spellPoint(line, at)
  const route = findWhole(line, at, context.state)
  at = readPredirectional(line, at, parts)
  // `75 E SO. TEMPLE`
  if (parts.predirectional !== '') spellPoint(line, at)
  spellOffDirection(line, at)
  parts.isMoved = moveDirection(line, at)
  // `171 APT 3` names no street.
  const isNamed = parts.number.text === '' || unitLength(line.texts, at) !== line.end - at
  const isUnit = !isNamed && UNITS.has(designatorOf(line.texts[at])?.type ?? '')
  parts.units.push(...readUnits(line, isUnit ? at - 1 : at))
  // `STE 4 PMB 12` is suite 4.
  if (parts.units.length > 1) parts.units = parts.units.filter(({ type }) => type !== 'PMB')
  // `12 MAIN ST & REAR`
  if (line.texts[line.end - 1] === 'AND' && parts.units.length > 0) line.end--
  let end = line.end
  if (at >= end) return
  const point = end - 2 > at ? joinedPoint(line, end - 2) : undefined
  const direction =
    end - 1 > at && line.whole !== end - 1 ? directionalOf(line.texts[end - 1]) : undefined
  if (point !== undefined && line.whole !== end - 1) {
    parts.postdirectional = point
    end -= 2
  } else if (direction !== undefined) {
    parts.postdirectional = direction
    end--
  }
  const last = line.texts[end - 1] as string
  // `AVENUE OF THE PINES`
  const isOf = line.texts[line.texts[end - 2] === 'THE' ? end - 3 : end - 2] === 'OF'
  const isThe = end - 2 === at && line.texts[at] === 'THE'
  const isEnding = end - 1 > at && line.whole !== end - 1 && !isOf && !isThe
  const suffix = isEnding ? suffixOf(last) : undefined
  if (suffix !== undefined) {
    parts.suffix = suffix
    end--
    // `LAKESHORE DR DR`: the roll's column for the name has the suffix too.
    const isRepeated = () => end - 1 > at && suffixOf(line.texts[end - 1] as string) === suffix
    while (isPlainSuffix(last) && line.whole !== end - 1 && isRepeated()) end--
  }
  const whole = line.whole >= at && line.whole < end ? line.whole - at : -1
  nameStreet(line.texts.slice(at, end), whole, parts, route)
  if (route?.key.includes('COUNTY') === true) foldCountyRoad(parts, context)
  // Utah's 17th South is `1700 S`.
  const block = context.state === 'UT' ? ordinalDigits(parts.nameKey) : undefined
  if (block !== undefined && parts.suffix === '' && parts.postdirectional !== '')
    parts.nameKey = `${block}00`
}

/**
 * One key for a county's road. `WELD COUNTY ROAD 13` in Weld County is `COUNTY ROAD 13`, and
 * Indiana's `E COUNTY ROAD 300 N` is `E 300 N`.
 */
function foldCountyRoad(parts: Parts, { state, fips }: AddressContext): void {
  const [, before = '', road = '', grid] = COUNTY_ROAD.exec(parts.nameKey) ?? []
  if (before !== '' && fips !== undefined && before === countyByFips(fips)?.name) {
    parts.nameKey = road
    if (parts.nameShown.startsWith(before))
      parts.nameShown = parts.nameShown.slice(before.length + 1)
  }
  const isGrid = parts.predirectional !== '' && parts.postdirectional !== ''
  if (state === 'IN' && before === '' && isGrid && grid !== undefined) parts.nameKey = grid
}

const COUNTY_ROAD = /^(?:([A-Z ]+) )?(COUNTY (?:(\d{2,4})|\w+(?: \d\/\d)?))$/

/**
 * docs/matching.md, rule 2: `NO MAIN ST`, `SO MAIN ST` are directions. Before a number `NO` means
 * number: `123 NO 5`.
 */
function spellPoint(line: Line, at: number): void {
  const word = line.texts[at] ?? ''
  const isNone = NONE_OF.has(line.texts[at + 1] ?? '')
  if ((word !== 'NO' && word !== 'SO') || isNone) return
  const isRoute = readRoute(line.texts, at + 1, line.end, '') !== undefined
  if (isRoute || nameFollows(line, at + 1)) line.texts[at] = word[0] as string
}

/** Rule 2 after a whole street: `400 MAIN ST SO`, `842 E 1700 SO`; `MAIN ST NO 5` is a unit. */
function spellOffDirection(line: Line, from: number): void {
  for (let at = from + 1; at < line.end; at++) {
    const word = line.texts[at]
    if (word !== 'SO' && word !== 'NO') continue
    const before = line.texts[at - 1] as string
    const isOver = word === 'SO' ? isOverAt(line, at + 1) : at + 1 === line.end
    if (isOver && (suffixOf(before) !== undefined || hasDigit(before)))
      line.texts[at] = word[0] as string
  }
}

/** `whole`: the place of the word that is a numbered road, or -1. */
function nameStreet(words: string[], whole: number, parts: Parts, route: Whole | undefined): void {
  // `S W CREEK RD` must not become southwest: a single letter of the name after a direction is
  // spelled out.
  const isLetterStreet = words.length === 1 && (parts.suffix === '' || isPlainSuffix(parts.suffix))
  if (parts.predirectional.length === 1 && !isLetterStreet && whole !== 0)
    words[0] = spellDirectional(words[0] as string)
  const isExtended = parts.suffix === 'EXT' && isPlainSuffix(words[1] ?? '')
  const isNamed =
    ROADS_OF_A_DIRECTION.has(parts.suffix) ||
    (parts.suffix === 'AVE' && areAcross(words[0], parts.postdirectional))
  if (words.length === (isExtended ? 2 : 1) && isNamed)
    words[0] = spellDirectional(words[0] as string)
  const only = words.length === 1 ? (words[0] as string) : ''
  // `7 HWY`, `AA HWY`: a highway with its number first.
  if ((parts.suffix === 'HWY' || parts.suffix === 'RTE') && isHighwayId(only)) {
    parts.suffix = ''
    parts.nameKey = `HIGHWAY ${only}`
    parts.nameShown = `HIGHWAY ${only}`
    parts.bareHighway = true
    return
  }
  if (whole < 0 || route === undefined) {
    const name = canonicalName(words, parts.suffix)
    parts.nameKey = name.key.join(' ')
    parts.nameShown = name.shown.join(' ')
    return
  }
  const before = canonicalName(words.slice(0, whole), 'x')
  const after = canonicalName(words.slice(whole + 1), 'x')
  // `US 59 N FRONTAGE RD`
  after.key[0] = spellDirectional(after.key[0] ?? '')
  parts.nameKey = [...before.key, route.key, ...after.key].join(' ').trim()
  parts.nameShown = [...before.shown, route.shown, ...after.shown].join(' ')
  parts.bareHighway = route.bare
}

/** Roads named after a direction, never after a letter: `SOUTHWEST FWY` is `SW FWY`. */
const ROADS_OF_A_DIRECTION = new Set(['FWY', 'EXPY', 'PKWY', 'EXT'])

function isHighwayId(word: string): boolean {
  if (/^\d{1,4}[A-Z]?$|^A1A$/.test(word)) return true
  return /^[A-Z]$/.test(word) ? directionalOf(word) === undefined : /^([A-Z])\1$/.test(word)
}
