/**
 * Fields that follow from others and are therefore never stored: joined texts, places, dates.
 *
 * Everything here copies from a record's leaves, which are JSON texts (`"MAIN"`, `12`), and writes JSON text, so that rendering
 * parses and escapes nothing. What writes nothing shows as null. Source: record.md.
 */
import { stripParcelId } from '../fold.ts'
import { countyByFips } from '../place/counties.ts'
import { type LeafName, leafIndex } from './leaves.ts'
import { type Output, type Piece, pieceOf, type Source } from './output.ts'
import type { StoredRecord } from './record.ts'
import type { Derive } from './template.ts'

/** What follows from a county's FIPS code; `state` and `county` with their quotes, the others bare. */
export type PlacePieces = {
  state: Piece
  county: Piece
  bareState: Piece
  fipsState: Piece
  fipsCounty: Piece
  /** Five digits. */
  code: Piece
}

const places = new Map<number, PlacePieces>()
const FIPS = leafIndex('fips')

let placeTurn = 0
let lastPlace: PlacePieces | undefined

/** Pieces of a record's county, which several fields ask for in a row. */
export function placeOf(record: StoredRecord): PlacePieces {
  if (placeTurn !== record.turn || lastPlace === undefined) {
    lastPlace = placeAt(readDigits(record, record.start(FIPS), record.end(FIPS)))
    placeTurn = record.turn
  }
  return lastPlace
}

function placeAt(fips: number): PlacePieces {
  const known = places.get(fips)
  if (known !== undefined) return known
  const county = countyByFips(fips)
  const code = String(fips).padStart(5, '0')
  const pieces = {
    state: pieceOf(county === undefined ? '' : JSON.stringify(county.state)),
    county: pieceOf(county === undefined ? '' : JSON.stringify(county.name)),
    bareState: pieceOf(county?.state ?? ''),
    fipsState: pieceOf(`"${code.slice(0, 2)}"`),
    fipsCounty: pieceOf(`"${code.slice(2)}"`),
    code: pieceOf(code),
  }
  places.set(fips, pieces)
  return pieces
}

function readDigits({ bytes }: Source, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = number * 10 + (bytes[at] as number) - ZERO
  return number
}

/** A text that is joined of others: quotes around them, a separator between those that are there. */
export class Joined {
  readonly #output: Output
  readonly #before: number
  #empty = true

  constructor(output: Output) {
    this.#output = output
    this.#before = output.length
    output.quote()
  }

  /** Adds a leaf that is a text, behind a separator unless it is the first. */
  leaf(record: StoredRecord, leaf: number, separator: Piece): void {
    const from = record.start(leaf)
    const to = record.end(leaf)
    if (to - from <= 2) return
    if (!this.#empty) this.#output.piece(separator)
    this.#empty = false
    this.#output.copy(record, from + 1, to - 1)
  }

  piece(piece: Piece, separator: Piece): void {
    if (piece.length === 0) return
    if (!this.#empty) this.#output.piece(separator)
    this.#empty = false
    this.#output.piece(piece)
  }

  /** Ends the text, or takes it back when nothing was added. */
  end(): void {
    if (this.#empty) this.#output.length = this.#before
    else this.#output.quote()
  }
}

const BLANK = pieceOf(' ')
const COMMA = pieceOf(', ')

/** Joins leaves that are texts. */
export function join(separator: string, names: readonly LeafName[]): Derive {
  const leaves = names.map(leafIndex)
  const between = pieceOf(separator)
  return (record, output) => {
    const joined = new Joined(output)
    for (const leaf of leaves) joined.leaf(record, leaf, between)
    joined.end()
  }
}

/** `LINCOLN, NE 68508` behind a street line, which must be there. `state`: a leaf; none: the county's. */
export function fullAddress(
  lineNames: readonly LeafName[],
  cityName: LeafName,
  stateName: LeafName | undefined,
  zipName: LeafName,
): Derive {
  const line = lineNames.map(leafIndex)
  const [first] = line as [number]
  const [city, zip] = [leafIndex(cityName), leafIndex(zipName)]
  const state = stateName === undefined ? -1 : leafIndex(stateName)
  return (record, output) => {
    if (record.end(first) === 0) return
    const joined = new Joined(output)
    for (const leaf of line) joined.leaf(record, leaf, BLANK)
    joined.leaf(record, city, COMMA)
    const before = output.length
    if (state === -1) joined.piece(placeOf(record).bareState, COMMA)
    else joined.leaf(record, state, COMMA)
    joined.leaf(record, zip, output.length === before ? COMMA : BLANK)
    joined.end()
  }
}

const [MUNICIPALITY, PARCEL_ID] = [leafIndex('municipality'), leafIndex('parcelId')]
const DASH = pieceOf('-')

/** `{FIPS}-{parcel ID}`, with the municipality between them where the scope has one. */
export function propertyId(record: StoredRecord, output: Output): void {
  output.quote()
  output.piece(placeOf(record).code)
  output.piece(DASH)
  if (record.end(MUNICIPALITY) !== 0) {
    output.copy(record, record.start(MUNICIPALITY) + 1, record.end(MUNICIPALITY) - 1)
    output.piece(DASH)
  }
  output.copy(record, record.start(PARCEL_ID) + 1, record.end(PARCEL_ID) - 1)
  output.quote()
}

/** The parcel ID's letters and digits; what `stripParcelId` says, without making a string where it is plain. */
export function strippedParcelId(record: StoredRecord, output: Output): void {
  const { bytes } = record
  const from = record.start(PARCEL_ID) + 1
  const to = record.end(PARCEL_ID) - 1
  const before = output.length
  output.quote()
  for (let at = from; at < to; at += 1) {
    const code = bytes[at] as number
    if ((code >= ZERO && code <= NINE) || (code >= UPPER_A && code <= UPPER_Z)) output.byte(code)
    else if (code >= LOWER_A || code === BACKSLASH) {
      output.length = before
      const recorded = JSON.parse(record.text(PARCEL_ID)) as string
      output.text(JSON.stringify(stripParcelId(recorded)))
      return
    }
  }
  output.quote()
}

const [ZERO, NINE, UPPER_A, UPPER_Z, LOWER_A, BACKSLASH] = [0x30, 0x39, 0x41, 0x5a, 0x61, 0x5c]

const MIDNIGHT = pieceOf('T00:00:00.000Z"')

/** `"2024-02-06"` as `"20240206"`. */
export function flatDate(output: Output, source: Source, from: number, to: number): void {
  if (to === from) return
  output.copy(source, from, from + 5)
  output.copy(source, from + 6, from + 8)
  output.copy(source, from + 9, from + 12)
}

/** `"2024-02-06"` as `"2024-02-06T00:00:00.000Z"`. */
export function dateObject(output: Output, source: Source, from: number, to: number): void {
  if (to === from) return
  output.copy(source, from, to - 1)
  output.piece(MIDNIGHT)
}

const [LONGITUDE, LATITUDE] = [leafIndex('longitude'), leafIndex('latitude')]
const POINT = pieceOf('{"type":"Point","coordinates":[')
const BETWEEN = pieceOf(',')
const END = pieceOf(']}')

/** A GeoJSON point. */
export function point(record: StoredRecord, output: Output): void {
  if (record.end(LONGITUDE) === 0 || record.end(LATITUDE) === 0) return
  output.piece(POINT)
  output.copy(record, record.start(LONGITUDE), record.end(LONGITUDE))
  output.piece(BETWEEN)
  output.copy(record, record.start(LATITUDE), record.end(LATITUDE))
  output.piece(END)
}

const ID_ZEROS = pieceOf('"000000000000000000000000"')

/** A record's id as 24 hex digits. */
export function showId({ id }: StoredRecord, output: Output): void {
  output.piece(ID_ZEROS)
  output.hexBefore(output.length - 1, id)
}

let lastSeconds = -1
let lastText = pieceOf('')

/** Rolls load many parcels at one moment, so the last answer is mostly the next. */
export function showLoadedAt({ loadedAt }: StoredRecord, output: Output): void {
  if (loadedAt !== lastSeconds) {
    lastSeconds = loadedAt
    lastText = pieceOf(`"${new Date(loadedAt * 1000).toISOString()}"`)
  }
  output.piece(lastText)
}

export function showGeometry({ geometry }: StoredRecord, output: Output): void {
  if (geometry !== null) output.text(geometry)
}
