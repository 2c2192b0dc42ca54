/**
 * Fields that follow from others and are therefore never stored: joined texts, places, dates. Source: record.md.
 *
 * Leaves are JSON texts (`"MAIN"`, `12`), so that a joined text is its leaves without their quotes, and nothing is parsed or escaped. What
 * a field is made of is told once for each shape of records; what no leaf holds gets a span of its own, filled for each record.
 */
import { stripParcelId } from '../fold.ts'
import { countyByFips } from '../place/counties.ts'
import { type LeafName, leafIndex } from '../record/leaves.ts'
import { bytes, type Piece, pieceOf, Spans } from './memory.ts'
import { type Part, trimmed, whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import type { Bits, Compose, FindLeaf } from './template.ts'

const MADE = [
  'id',
  'strippedParcelId',
  'loadedAt',
  'geometry',
  'state',
  'county',
  'fipsState',
  'fipsCounty',
  'fips',
  'commaState',
  'beforeZip',
] as const

type MadeName = (typeof MADE)[number]

const made = new Spans(MADE.length)

/** Something that is made of each record, as a whole JSON text. */
export function show(name: MadeName): Compose {
  const part = whole(addressOf(name))
  return () => [part]
}

/** Where each stands among the spans. */
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

/** Makes of a record what both layouts show of it. */
export function makeShared(record: StoredRecord): void {
  makeId(record.id)
  if (record.loadedAt !== lastLoadedAt) makeLoadedAt(record.loadedAt)
  makePlace(record)
  makeStrippedParcelId(record)
  set('geometry', record.geometry === null ? NOTHING : record.append(record.geometry))
  record.length += placeLength + ID.to - ID.from + LOADED_AT.to - LOADED_AT.from
}

const NOTHING: Piece = { from: 0, to: 0 }

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

/** Rolls load many parcels at one moment, so the last answer is mostly the next. */
function makeLoadedAt(seconds: number): void {
  const text = `"${new Date(seconds * 1000).toISOString()}"`
  if (text.length !== LOADED_AT.to - LOADED_AT.from) throw new Error(`no time: ${seconds} s`)
  bytes.write(text, LOADED_AT.from, 'latin1')
  lastLoadedAt = seconds
}

/** What a county's parcels show alike. */
type Place = { pieces: { at: number; piece: Piece }[]; length: number }

const places = new Map<number, Place>()
const FIPS = leafIndex('fips')
let lastFips = -1
let placeLength = 0

function makePlace(record: StoredRecord): void {
  const fips = readDigits(record.from(FIPS), record.to(FIPS))
  if (fips === lastFips) return
  lastFips = fips
  let place = places.get(fips)
  if (place === undefined) {
    place = placeAt(fips)
    places.set(fips, place)
  }
  for (const { at, piece } of place.pieces) made.set(at, piece.from, piece.to)
  placeLength = place.length
}

function placeAt(fips: number): Place {
  const county = countyByFips(fips)
  const code = String(fips).padStart(5, '0')
  const texts: Partial<Record<MadeName, string>> = {
    state: county === undefined ? 'null' : JSON.stringify(county.state),
    county: county === undefined ? 'null' : JSON.stringify(county.name),
    fipsState: `"${code.slice(0, 2)}"`,
    fipsCounty: `"${code.slice(2)}"`,
    fips: code,
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

const PARCEL_ID = leafIndex('parcelId')

/** The parcel ID's letters and digits; what `stripParcelId` says, without making a string where it is plain. */
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

/** A leaf's text without its quotes. */
function inner(part: Part): Part {
  return trimmed(part.span, 1, 1)
}

/** Joins leaves that are texts; nothing where the leaf that it needs is not there. */
export function join(
  separator: string,
  names: readonly LeafName[],
  { needs }: { needs?: LeafName } = {},
): Compose {
  return (leaf) => {
    if (needs !== undefined && leaf(needs) === null) return null
    const bits = between(names, leaf, separator)
    return bits.length === 0 ? null : ['"', ...bits, '"']
  }
}

function between(names: readonly LeafName[], leaf: FindLeaf, separator: string): Bits {
  const there = names.map(leaf).filter((part) => part !== null)
  return there.flatMap((part, at) => (at === 0 ? [inner(part)] : [separator, inner(part)]))
}

/** `LINCOLN, NE 68508` behind a street line, which must be there. `state`: a leaf; none: the county's. */
export function fullAddress(
  lineNames: readonly [LeafName, ...LeafName[]],
  cityName: LeafName,
  stateName: LeafName | undefined,
  zipName: LeafName,
): Compose {
  return (leaf) => {
    if (leaf(lineNames[0]) === null) return null
    const city = leaf(cityName)
    const zip = leaf(zipName)
    const [state, separator] = stateBits(stateName, leaf)
    return [
      '"',
      ...between(lineNames, leaf, ' '),
      ...(city === null ? [] : [', ', inner(city)]),
      ...state,
      ...(zip === null ? [] : [separator, inner(zip)]),
      '"',
    ]
  }
}

/** A state behind its comma, and what stands between it and a ZIP. */
function stateBits(name: LeafName | undefined, leaf: FindLeaf): [Bits, string | Part] {
  if (name === undefined) return [[bare('commaState')], bare('beforeZip')]
  const state = leaf(name)
  return state === null ? [[], ', '] : [[', ', inner(state)], ' ']
}

/** `{FIPS}-{parcel ID}`, with the municipality between them where the scope has one. */
export function propertyId(leaf: FindLeaf): Bits {
  const municipality = leaf('municipality')
  return [
    '"',
    bare('fips'),
    '-',
    ...(municipality === null ? [] : [inner(municipality), '-']),
    inner(leaf('parcelId') as Part),
    '"',
  ]
}

/** `"2024-02-06"` as `"20240206"`. */
export function flatDate({ span }: Part): Bits {
  return [trimmed(span, 0, 7, true), trimmed(span, 6, 4), trimmed(span, 9, 0)]
}

/** What ends a date as an object's. */
export const MIDNIGHT = 'T00:00:00.000Z"'

/** `"2024-02-06"` as `"2024-02-06T00:00:00.000Z"`. */
export function dateObject({ span }: Part): Bits {
  return [trimmed(span, 0, 1), MIDNIGHT]
}

/** A GeoJSON point. */
export function point(leaf: FindLeaf): Bits | null {
  const [longitude, latitude] = [leaf('longitude'), leaf('latitude')]
  if (longitude === null || latitude === null) return null
  return ['{"type":"Point","coordinates":[', longitude, ',', latitude, ']}']
}
