/** Collects the cities in a roll; they are used to split one-line addresses. */
import { suffixOf } from '../../address/parse/suffixes.ts'
import { foldCity } from '../../base/fold.ts'
import { isPlace } from '../../regions/places.ts'
import { Columns, compileValue, type Getter } from '../mapping/expression.ts'
import type { MappingDocument, Value } from '../mapping/mapping.ts'
import { remember } from '../mapping/remember.ts'
import { type CityTest, cutCityStateZip, cutRollLine } from './lines.ts'

/** Rows that must name a city, since a single row may be a typing error. */
const NAMED = 2
/** Most cities counted; further names are ignored. */
const MOST = 50_000
const NOT_A_CITY = /\d|^(?:PO BOX|REAR|UNKNOWN|NONE)$|^.?$/

/** Returns a city's folded name; `''` for a text that is none. */
const readCity = remember((text) => {
  const folded = foldCity(text)
  return NOT_A_CITY.test(folded) ? '' : folded
})

/** Returns the test for cities of the roll and places of the address's state. */
export function openCities(learned: readonly string[] | undefined): CityTest {
  const own = new Set(learned)
  return (folded, state) => own.has(folded) || isPlace(folded, state)
}

export function readsOneLine({ fields }: MappingDocument): boolean {
  return (
    (fields.addressFull !== undefined && fields.address === undefined) ||
    fields.ownerAddressFull !== undefined
  )
}

/**
 * Learns cities from rows where the split is certain: a column of cities, or a comma before the
 * city.
 *
 * `inDoubt`: some row had a city that neither shows.
 */
export class CityLearner {
  inDoubt = false
  readonly #counts = new Map<string, number>()
  readonly #mapping: MappingDocument
  #columns: readonly string[] | undefined
  #getters: { cities: Getter[]; places: Getter[]; lines: Getter[] } = NO_GETTERS

  constructor(mapping: MappingDocument) {
    this.#mapping = mapping
  }

  add(row: readonly string[], columns: readonly string[]): void {
    if (columns !== this.#columns) this.#compile(columns)
    const { cities, places, lines } = this.#getters
    for (const get of cities) this.#note(get(row))
    for (const get of places) this.#note(cutCityStateZip(get(row) ?? '').city)
    for (const get of lines) {
      const text = get(row)
      if (text === null) continue
      const { line, city, by, zip, state } = cutRollLine(text, '')
      if (by === 'comma') this.#note(city)
      else if (zip !== null || state !== null) this.inDoubt ||= !endsStreet(line ?? '')
    }
  }

  /** Returns the folded names. */
  finish(): string[] {
    return [...this.#counts].filter(([, count]) => count >= NAMED).map(([city]) => city)
  }

  #note(city: string | null): void {
    const folded = readCity(city ?? '')
    if (folded === '') return
    const count = this.#counts.get(folded)
    if (count === undefined && this.#counts.size >= MOST) return
    this.#counts.set(folded, (count ?? 0) + 1)
  }

  #compile(columns: readonly string[]): void {
    const { fields, nulls = [] } = this.#mapping
    const known = new Columns(columns, this.#mapping)
    const all = (values: (Value | undefined)[]) =>
      values
        .map((value) => (value === undefined ? undefined : compileValue(value, known, nulls)))
        .filter((get) => get !== undefined)
    this.#columns = columns
    this.#getters = {
      cities: all([fields.city, fields.ownerCity]),
      places: all([fields.cityStateZip, fields.ownerCityStateZip]),
      lines: all([fields.addressFull, fields.ownerAddressFull]),
    }
  }
}

/** `6200 W ROKEBY RD`: the line ends with a street, so it has no city. */
const endsStreet = (line: string) => suffixOf(line.slice(line.lastIndexOf(' ') + 1)) !== undefined

const NO_GETTERS = { cities: [], places: [], lines: [] }
