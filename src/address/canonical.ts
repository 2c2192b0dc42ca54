/**
 * Third stage: brings a line into the form that lookups compare. Imports and requests both use it.
 */
import type {
  AddressContext,
  AlternateKey,
  CanonicalAddress,
  ParsedAddress,
  TailReading,
} from '../base/model/address.ts'
import { looseKeyOf } from './loose.ts'
import { parseWords } from './parse/parse.ts'
import { unitLength } from './parse/rest.ts'
import { cutKnownTail, findTails, partStreets } from './parse/tails.ts'
import type { UnitPart } from './parse/units.ts'
import { hasDigit, isDigits, numberLength, splitWords, type Words } from './parse/words.ts'
import type { Parts } from './parts.ts'
import { cutCounty, listRepairs, partWords } from './repairs.ts'
import { mergeUnits, readUnitText, showUnits, unitKeyOf } from './unit-keys.ts'

const ALTERNATES_MAX = 51

/**
 * Reads a street line.
 *
 * `unit`: the caller's `unit` parameter or the roll's unit column. It is added to the units in the
 * line and replaces one of the same kind. A city, state or ZIP after the line is cut off when
 * `context` has the same. So it is when `context.city` is `null` (a record without city) and the
 * words can be nothing else. When `context.city` is `undefined` (a request) they stay; see
 * `readTails`. Never throws; linear.
 */
export function canonicalAddress(
  line: string,
  context: AddressContext,
  unit?: string,
): CanonicalAddress {
  return readLine(splitWords(line), context, namedUnits(unit))
}

/** Reads the words of a record, or of a request if `context.city` is `undefined`. */
function readLine(words: Words, context: AddressContext, named: UnitPart[]): ReadAddress {
  if (context.city === undefined) return finish(words, context, named)
  const { words: street, unit } = liftLateUnit(words, context.state)
  return finish(cutKnownTail(street, context), context, mergeUnits(unit, named))
}

/** Streets in one memory; then it begins anew. */
const STREETS_MAX = 20_000
const UNMARKED = /^[ A-Z0-9]*$/
/** After these words a second number may follow, which the first one decides on. */
const LISTED = /^(?:[A-Z] )?(?:AND|TO|THRU|THROUGH)\b/

/**
 * Returns a `canonicalAddress` for the lines of a roll. Lines without marks that begin with a plain
 * number share their reading with all lines that have another number of as many digits.
 */
export function rememberStreets(): typeof canonicalAddress {
  const known = new Map<string, ReadAddress | null>()
  return (line, context, unit) => {
    const length = unit === undefined ? numberLength(line) : 0
    const street = line.slice(length)
    if (length === 0 || !UNMARKED.test(street)) return canonicalAddress(line, context, unit)
    const { state, fips, city, zip } = context
    const key = `${length}|${state}|${fips}|${city}|${zip}|${street}`
    const number = line.slice(0, length)
    const found = known.get(key)
    if (found !== undefined && found !== null) return found.withNumber(number)
    const own = `${number}${street}`
    const read = readLine(splitWords(own), context, [])
    if (found === undefined) {
      if (known.size === STREETS_MAX) known.clear()
      known.set(key, read.isNumbered(number) && !LISTED.test(street.slice(1)) ? read : null)
    }
    return read
  }
}

/** Returns the unit key of a unit text alone: `2B`, `APT 2B`, `#0012`; `''` for no unit. */
export function canonicalUnit(text: string): string {
  return unitKeyOf(readUnitText(splitWords(text)))
}

/**
 * Returns readings of a line without its last words, taken as city, state or ZIP: the longest tail
 * first, at most 8.
 *
 * The whole line is not included. A reading only counts for a record with the same city or ZIP (if
 * the reading has one). The state is the request's in any case.
 */
export function readTails(line: string, context: AddressContext, unit?: string): TailReading[] {
  const { words: typed, unit: late } = liftLateUnit(splitWords(line), context.state)
  const named = mergeUnits(late, namedUnits(unit))
  return findTails(typed, context.state).flatMap((tail) => {
    const { city, zip, isSure, isDirected } = tail
    const address = finish(tail.words, context, named)
    return address.key === '' ? [] : [inLead({ address, city, zip, isSure, isDirected })]
  })
}

/**
 * Returns readings of a line with one repair, such as without unknown words or a county: whole, and
 * without city, state or ZIP.
 *
 * With `isSure` the dropped words can hardly be a city. Else a reading only counts for a record
 * whose city or ZIP the request has too.
 */
export function readWithoutRest(
  line: string,
  context: AddressContext,
  unit?: string,
): TailReading[] {
  const words = splitWords(line)
  const named = namedUnits(unit)
  const { state } = context
  const tailsOf = (whole: Words) => [
    { words: whole, city: '', zip: '', isSure: true },
    ...findTails(whole, state),
  ]
  const repaired = tailsOf(words).flatMap(({ words, city, zip }, at) =>
    listRepairs(words, state, at > 0 && city === '' ? undefined : city).map(
      ({ words, rest, isNoPlace, ...dropped }) => {
        const address = finish(words, context, named)
        const place = { city: city || (dropped.city ?? ''), zip: zip || (dropped.zip ?? '') }
        return { address, ...place, isSure: isNoPlace, rest }
      },
    ),
  )
  const readAll = (whole: Words, rest: string, fips?: number) =>
    tailsOf(whole).map(({ words, city, zip, isSure }) => {
      return { address: finish(words, context, named), city, zip, isSure, rest, fips }
    })
  const county = cutCounty(words, state)
  const inCounty = county === undefined ? [] : readAll(county.words, county.rest, county.fips)
  const parted = partWords(line)
  const others = parted === line ? [] : readAll(splitWords(parted), 'words written together')
  return [...inCounty, ...repaired, ...others].map(inLead)
}

/** Gives a reading without a city behind its street the one before its number. */
const inLead = (read: TailReading) => ({ ...read, city: read.city || read.address.lead })

/** Lifts a unit behind the ZIP or the state: `123 MAIN ST, LINCOLN NE 68501 #2`. */
function liftLateUnit(words: Words, state: string): { words: Words; unit: UnitPart[] } {
  const { texts, breaks } = words
  const last = texts.at(-1) ?? ''
  // Nearly all lines end in a longer word.
  const isPlace = (text: string) => text === state || (text.length === 5 && isDigits(text))
  const isId = last.length === 1 || (last.length < 5 && hasDigit(last))
  const end = isId ? texts.findLastIndex(isPlace) + 1 : 0
  if (end < 4 || unitLength(texts, end) !== texts.length - end) return { words, unit: [] }
  const unit = readUnitText({ texts: texts.slice(end), breaks: breaks.slice(end) })
  return { words: { texts: texts.slice(0, end), breaks: breaks.slice(0, end) }, unit }
}

function namedUnits(unit: string | undefined): UnitPart[] {
  return unit === undefined || unit === '' ? [] : readUnitText(splitWords(unit))
}

function finish(words: Words, context: AddressContext, named: UnitPart[]): ReadAddress {
  const streets = words.texts.length < 6 ? undefined : partStreets(words)
  const parts = parseWords(streets?.[0] ?? words, context)
  const second = streets && parseWords(streets[1], context)
  return new ReadAddress(parts, mergeUnits(parts.units, named), second)
}

/** Computes the other properties on first use: a lookup that finds its strict key needs no more. */
class ReadAddress implements CanonicalAddress {
  readonly key: string
  readonly unitKey: string
  readonly lead: string
  readonly #parts: Parts
  readonly #units: UnitPart[]
  /** A further address of the parcel: `125 MAIN ST AND 126 OAK AVE`. */
  readonly #second: Parts | undefined
  #looseKey: string | undefined
  #alternates: AlternateKey[] | undefined

  constructor(parts: Parts, units: UnitPart[], second: Parts | undefined) {
    this.#parts = parts
    this.lead = parts.lead
    this.#units = units
    this.#second = second
    this.key = parts.nameKey !== '' ? keyOf(parts, parts.number.text, parts.nameKey) : ''
    this.unitKey = unitKeyOf(units)
  }

  /** Reports whether a plain number, and nothing else, is its number. */
  isNumbered(number: string): boolean {
    const { text, low, others } = this.#parts.number
    return text === number && low === number && others.length === 0
  }

  withNumber(text: string): ReadAddress {
    const number = { text, low: text, high: '', others: [] }
    return new ReadAddress({ ...this.#parts, number }, this.#units, this.#second)
  }

  get parsed(): ParsedAddress {
    const { number, predirectional, nameShown, suffix, postdirectional } = this.#parts
    const shown = showUnits(this.#units)
    return {
      number: orNull(number.low),
      numberHigh: orNull(number.high),
      predirectional: orNull(predirectional),
      street: orNull(nameShown),
      suffix: orNull(suffix),
      postdirectional: orNull(postdirectional),
      unitType: shown.type,
      unit: shown.id,
    }
  }

  get line(): string {
    const { number, predirectional, nameShown, suffix, postdirectional } = this.#parts
    const parts = [number.text, predirectional, nameShown, suffix, postdirectional]
    return parts.filter((part) => part !== '').join(' ')
  }

  // Cached, because the later steps of a lookup use these two repeatedly.
  get looseKey(): string {
    const { number, nameKey, isMoved } = this.#parts
    // `ELM ST #4 NE` may be unit 4NE, so nothing is forgiven.
    this.#looseKey ??= this.key !== '' && !isMoved ? looseKeyOf(number.text, nameKey) : ''
    return this.#looseKey
  }

  get alternates(): AlternateKey[] {
    this.#alternates ??= this.key !== '' ? alternatesOf(this.#parts, this.#second) : []
    return this.#alternates
  }

  get assigned(): boolean {
    return this.key !== '' && this.#parts.number.text !== '' && !this.#parts.isBox
  }
}

function keyOf(parts: Parts, number: string, name: string): string {
  return `${number}|${parts.predirectional}|${name}|${parts.suffix}|${parts.postdirectional}`
}

/** Kinds that a bare `HWY 101` may stand for, each an alternate of it. */
const BARE_HIGHWAY_KINDS = ['US', 'STATE', 'COUNTY', 'INTERSTATE']

function alternatesOf(parts: Parts, second: Parts | undefined): AlternateKey[] {
  const alternates: AlternateKey[] = []
  if (second !== undefined && second.nameKey !== '')
    alternates.push({ key: keyOf(second, second.number.text, second.nameKey), kind: 'range' })
  for (const number of parts.number.others)
    alternates.push({ key: keyOf(parts, number, parts.nameKey), kind: 'range' })
  if (parts.bareHighway)
    for (const kind of BARE_HIGHWAY_KINDS) {
      const name = parts.nameKey.replace('HIGHWAY', kind)
      alternates.push({ key: keyOf(parts, parts.number.text, name), kind: 'highway' })
    }
  return alternates.length > ALTERNATES_MAX ? alternates.slice(0, ALTERNATES_MAX) : alternates
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
