/**
 * Fields that are derived from others and never stored: joined texts, places, dates.
 *
 * Stored fields are JSON texts (`"MAIN"`, `12`), so a joined text is its fields without their
 * quotes, and nothing is parsed or escaped. Each shape of records determines once how a value is
 * composed. A value that no stored field contains has its own span, which is set for each record.
 */
import { PRIMARIES } from '../address/parse/suffixes.ts'
import { stripParcelId } from '../base/fold.ts'
import { slotOf } from '../record/stored.ts'
import { countyByFips, fipsCode } from '../regions/counties.ts'
import type { Bits, Compose, FindField } from './compose.ts'
import { bytes, type Piece, pieceOf, Spans } from './memory.ts'
import type { Output } from './output.ts'
import { type Part, trimmed, whole } from './program.ts'
import { NOTHING, type StoredRecord } from './record.ts'

const MADE = [
  'id',
  'siteId',
  'strippedParcelId',
  'loadedAt',
  'geometry',
  'streetTypeWord',
  'ownerParcels',
  'ownerResidential',
  'ownerOther',
  'state',
  'county',
  'fipsState',
  'fipsCounty',
  'fips',
  'commaState',
  'bareState',
  'beforeZip',
] as const

type MadeName = (typeof MADE)[number]

const made = new Spans(MADE.length)

/** A whole JSON text that is derived from each record. */
export function show(name: MadeName): Compose {
  const part = whole(addressOf(name))
  return () => [part]
}

/** The index of each among the spans. */
const AT = Object.fromEntries(MADE.map((name, at) => [name, at])) as Record<MadeName, number>

function addressOf(name: MadeName): number {
  return made.address(AT[name])
}

function bare(name: MadeName): Part {
  return trimmed(addressOf(name), 0, 0)
}

function set(name: MadeName, { from, to }: Piece): void {
  made.set(AT[name], from, to)
}

/** Derives the values of a record that both layouts show. */
export function makeShared(record: StoredRecord): void {
  makeId(record.id)
  set('siteId', record.appendCount(record.id))
  if (record.loadedAt !== lastLoadedAt) makeLoadedAt(record.loadedAt)
  makePlace(record)
  makeStrippedParcelId(record)
  makeOwned(record)
  record.length += placeLength + ID.to - ID.from + LOADED_AT.to - LOADED_AT.from
}

/** Shows the polygon as stored. */
export function makeGeometry(record: StoredRecord): void {
  set('geometry', record.geometry === null ? NOTHING : record.append(record.geometry))
}

const POLYGON = '{"type":"Polygon","coordinates":'
const MULTIPOLYGON = pieceOf('{"type":"MultiPolygon","coordinates":[')
const CLOSING = pieceOf(']}')

/** Shows a polygon as a MultiPolygon, with another beginning and end. */
export function makeMultiPolygon(record: StoredRecord): void {
  const { geometry } = record
  if (!geometry?.startsWith(POLYGON)) {
    makeGeometry(record)
    return
  }
  const coordinates = geometry.slice(POLYGON.length, -1)
  set('geometry', record.append(coordinates, MULTIPOLYGON, CLOSING))
}

const STREET_TYPE = slotOf('streetType')
const STREET_TYPE_WORDS = new Map(
  [...PRIMARIES].map(([short, word]): [number, Piece] => {
    const { from, to } = pieceOf(short)
    return [codeOf(from, to), pieceOf(word)]
  }),
)

/** A number for each text of up to six bytes. */
function codeOf(from: number, to: number): number {
  let code = 0
  for (let at = from; at < to; at += 1) code = code * 256 + (bytes[at] as number)
  return code
}

export function makeStreetTypeWord(record: StoredRecord): void {
  if ((record.positions[STREET_TYPE] ?? -1) < 0) return
  const from = record.from(STREET_TYPE) + 1
  const to = record.to(STREET_TYPE) - 1
  const word = to - from > 6 ? undefined : STREET_TYPE_WORDS.get(codeOf(from, to))
  const { from: start, to: end } = word ?? { from, to }
  record.length += end - start
  set('streetTypeWord', { from: start, to: end })
}

/** House number and street with the street type spelled out. */
export function addressFormal(field: FindField): Bits | null {
  const number = field('streetNumber')
  const high = field('streetNumberHigh')
  if (number === null || field('streetName') === null) return null
  const streetType = field('streetType') === null ? [] : [' ', bare('streetTypeWord')]
  const suffix = field('streetDirectionSuffix')
  return [
    '"',
    inner(number),
    ...(high === null ? [] : ['-', inner(high)]),
    ' ',
    ...between(['streetDirectionPrefix', 'streetName'], field, ' '),
    ...streetType,
    ...(suffix === null ? [] : [' ', inner(suffix)]),
    '"',
  ]
}

function makeOwned(record: StoredRecord): void {
  const { owned } = record
  set('ownerParcels', owned === null ? NOTHING : record.appendCount(owned.parcels))
  set('ownerResidential', owned === null ? NOTHING : record.appendCount(owned.residential))
  set('ownerOther', owned === null ? NOTHING : record.appendCount(owned.other))
}

const ID = pieceOf('"000000000000000000000000"')
const [ZERO, NINE, UPPER_A, UPPER_Z, LOWER_A] = [0x30, 0x39, 0x41, 0x5a, 0x61]
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
set('id', ID)
let idDigits = 0

/** An id as 24 hex digits. */
function makeId(id: number): void {
  let digits = 0
  for (let rest = id; rest > 0; rest = Math.floor(rest / 16)) {
    digits += 1
    const digit = rest % 16
    bytes[ID.to - 1 - digits] = digit < 10 ? ZERO + digit : LOWER_A + digit - 10
  }
  for (let stale = digits + 1; stale <= idDigits; stale += 1) bytes[ID.to - 1 - stale] = ZERO
  idDigits = digits
}

const LOADED_AT = pieceOf(`"${new Date(0).toISOString()}"`)
set('loadedAt', LOADED_AT)
let lastLoadedAt = 0

/** A roll's parcels share one time, so the text is only rewritten when it changes. */
function makeLoadedAt(seconds: number): void {
  const text = `"${new Date(seconds * 1000).toISOString()}"`
  if (text.length !== LOADED_AT.to - LOADED_AT.from) throw new Error(`no time: ${seconds} s`)
  bytes.write(text, LOADED_AT.from, 'latin1')
  lastLoadedAt = seconds
}

/** Texts that all parcels of a county share. */
type Place = { pieces: { at: number; piece: Piece }[]; length: number }

const places = new Map<number, Place>()
const FIPS = slotOf('fips')
let lastFips = -1
let placeLength = 0

function makePlace(record: StoredRecord): void {
  const fips = readDigits(record.from(FIPS), record.to(FIPS))
  if (fips === lastFips) return
  lastFips = fips
  const place = places.getOrInsertComputed(fips, placeAt)
  for (const { at, piece } of place.pieces) made.set(at, piece.from, piece.to)
  placeLength = place.length
}

function placeAt(fips: number): Place {
  const county = countyByFips(fips)
  const code = fipsCode(fips)
  const texts: Partial<Record<MadeName, string>> = {
    state: county === undefined ? '' : JSON.stringify(county.state),
    county: county === undefined ? '' : JSON.stringify(county.name),
    fipsState: `"${code.slice(0, 2)}"`,
    fipsCounty: `"${code.slice(2)}"`,
    fips: code,
    bareState: county?.state ?? '',
    commaState: county === undefined ? '' : `, ${county.state}`,
    beforeZip: county === undefined ? ', ' : ' ',
  }
  const pieces = Object.entries(texts).map(([name, text]) => {
    return { at: AT[name as MadeName], piece: pieceOf(text) }
  })
  const length = pieces.reduce((sum, { piece }) => sum + piece.to - piece.from, 0)
  return { pieces, length }
}

function readDigits(from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = number * 10 + (bytes[at] as number) - ZERO
  return number
}

const PARCEL_ID = slotOf('parcelId')

/** Writes an ID's letters and digits as `stripParcelId`, without a string for plain IDs. */
function makeStrippedParcelId(record: StoredRecord): void {
  const from = record.from(PARCEL_ID)
  const to = record.to(PARCEL_ID)
  const start = record.take(to - from)
  let end = start
  bytes[end++] = QUOTE
  for (let at = from + 1; at < to - 1; at += 1) {
    const code = bytes[at] as number
    if ((code >= ZERO && code <= NINE) || (code >= UPPER_A && code <= UPPER_Z)) bytes[end++] = code
    else if (code >= LOWER_A || code === BACKSLASH) {
      const recorded = JSON.parse(record.text(PARCEL_ID)) as string
      set('strippedParcelId', record.append(JSON.stringify(stripParcelId(recorded))))
      return
    }
  }
  bytes[end++] = QUOTE
  set('strippedParcelId', { from: start, to: end })
}

/** A field's text without its quotes. */
function inner(part: Part): Part {
  return trimmed(part.span, 1, 1)
}

/** Joins text fields; null when all are absent, or the required one is. */
export function join(
  separator: string,
  names: readonly string[],
  { needs }: { needs?: string } = {},
): Compose {
  return (field) => {
    if (needs !== undefined && field(needs) === null) return null
    const bits = between(names, field, separator)
    return bits.length === 0 ? null : ['"', ...bits, '"']
  }
}

function between(names: readonly string[], field: FindField, separator: string): Bits {
  const there = names.map(field).filter((part) => part !== null)
  return there.flatMap((part, at) => (at === 0 ? [inner(part)] : [separator, inner(part)]))
}

/** Composes a line and `, LINCOLN, NE 68508`. `stateName`: a field, else the county's state. */
export function fullAddress(
  lineNames: readonly [string, ...string[]],
  cityName: string,
  stateName: string | undefined,
  zipName: string,
): Compose {
  return (field) => {
    if (field(lineNames[0]) === null) return null
    const city = field(cityName)
    const zip = field(zipName)
    const [state, separator] = stateBits(stateName, field)
    return [
      '"',
      ...between(lineNames, field, ' '),
      ...(city === null ? [] : [', ', inner(city)]),
      ...state,
      ...(zip === null ? [] : [separator, inner(zip)]),
      '"',
    ]
  }
}

/** Returns a state with its comma, and the separator before a ZIP. */
function stateBits(name: string | undefined, field: FindField): [Bits, string | Part] {
  if (name === undefined) return [[bare('commaState')], bare('beforeZip')]
  const state = field(name)
  return state === null ? [[], ', '] : [[', ', inner(state)], ' ']
}

/** `{FIPS}-{parcel ID}`, with the municipality between them where the scope has one. */
export function propertyId(field: FindField): Bits {
  const municipality = field('municipality')
  return [
    '"',
    bare('fips'),
    '-',
    ...(municipality === null ? [] : [inner(municipality), '-']),
    inner(field('parcelId') as Part),
    '"',
  ]
}

/** Writes the same text and a line feed, as it is in the JSON without its quotes. */
export function writePropertyId(record: StoredRecord, output: Output): void {
  output.piece({ from: made.from(AT.fips), to: made.to(AT.fips) })
  for (const slot of [MUNICIPALITY, PARCEL_ID]) {
    if ((record.positions[slot] as number) < 0) continue
    output.byte(HYPHEN)
    output.piece({ from: record.from(slot) + 1, to: record.to(slot) - 1 })
  }
  output.byte(LINE_FEED)
}

const MUNICIPALITY = slotOf('municipality')
const [HYPHEN, LINE_FEED] = [0x2d, 0x0a]

/** The record's number as text. */
export function siteId(): Bits {
  return ['"', bare('siteId'), '"']
}

/** State and recorded parcel ID, with `-` between them. */
export function stateParcelId(field: FindField): Bits {
  return ['"', bare('bareState'), '-', inner(field('parcelId') as Part), '"']
}

/** State and the parcel ID's letters and digits, with `-` between them. */
export function stateStrippedId(): Bits {
  return ['"', bare('bareState'), '-', trimmed(addressOf('strippedParcelId'), 1, 1), '"']
}

/** `"2024-02-06"` as `"20240206"`. */
export function flatDate(date: Part): Bits
export function flatDate(date: Part | null): Bits | null
export function flatDate(date: Part | null): Bits | null {
  if (date === null) return null
  const { span } = date
  return [trimmed(span, 0, 7, true), trimmed(span, 6, 4), trimmed(span, 9, 0)]
}

/** Completes a date to a date-time. */
export const MIDNIGHT = 'T00:00:00.000Z"'

/** `"2024-02-06"` as `"2024-02-06T00:00:00.000Z"`. */
export function dateObject({ span }: Part): Bits {
  return [trimmed(span, 0, 1), MIDNIGHT]
}

/** A GeoJSON point. */
export function point(field: FindField): Bits | null {
  const [longitude, latitude] = [field('longitude'), field('latitude')]
  if (longitude === null || latitude === null) return null
  return ['{"type":"Point","coordinates":[', longitude, ',', latitude, ']}']
}
