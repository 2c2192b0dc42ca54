/**
 * Counties and equivalents: all of the 2020 Census and of the changes after it. Source:
 * docs/decisions/counties-and-states.md.
 */
import { foldLetters } from '../base/fold.ts'
import type { County } from '../base/model/place.ts'
import { nearest } from '../base/nearest.ts'
import { readTable } from '../base/tables.ts'
import { findState } from './states.ts'

/**
 * Returns the county that a text names, or `undefined` for none or two.
 *
 * `state`: two letters in any case. `text`: a name in any form (`St Clair`, `SAINT CLAIR COUNTY`,
 * `De Kalb Co.`, `City of Fairfax`), or a FIPS code. The code has three digits, or five with the
 * state's own. If a county and an independent city share a name, the bare name means the county.
 * Takes under a microsecond for a name as recorded.
 */
export function findCounty(state: string, text: string): County | undefined {
  const places = placesOf(state)
  if (places === undefined) return undefined
  const recorded = places.get(text)
  if (recorded !== undefined) return recorded
  const words = countyWords(text)
  return read(places, words) ?? readWithoutState(places, state, words)
}

/**
 * Returns the usual names of the counties of a state that are most similar to a text, the best
 * first, at most three. Names are in ASCII.
 */
export function similarCounties(state: string, text: string): string[] {
  const names = COUNTIES.filter((county) => county.state === state.toUpperCase()).flatMap(
    ({ fips }) => TITLES.get(fips) ?? [],
  )
  const plain = names.map((name) => name.normalize('NFD').replace(/[^ -~]/g, ''))
  const words = countyWords(text).slice(0, NAME_MAX)
  // A misspelled `County` is not cut off.
  const readings = [words, words.replace(/ [A-Z]+$/, '')]
  return (
    readings.map((one) => nearest(one, [...new Set(plain)])).find((one) => one.length > 0) ?? []
  )
}

const NAME_MAX = 40

/** The county with a five-digit FIPS code, given as a number: 31109. */
export function countyByFips(fips: number): County | undefined {
  return BY_FIPS.get(fips)
}

/** Returns a county's usual name: `DuPage`, `St. Louis city`; `undefined` for an unknown code. */
export function countyTitle(fips: number): string | undefined {
  return TITLES.get(fips)
}

const TITLES = new Map<number, string>()

/** Added counties, and other names of counties: state, code, name, and why it was added. */
const CHANGES = readTable('county-changes.tsv').map((line) => line.split('\t'))

/**
 * Independent cities, which are listed with the counties and shown with `CITY`. In Virginia every
 * code from 510 on is one. Carson City (32510) is not listed, because its own name ends in City.
 */
const INDEPENDENT_CITIES: ReadonlySet<number> = new Set([24510, 29510])
const VIRGINIA_CITIES_FROM = 51510

/** All counties by FIPS code, including former ones. */
export const COUNTIES: readonly County[] = listCounties()

const BY_FIPS = new Map(COUNTIES.map((county) => [county.fips, county]))

/** The counties of one state by every key and code. */
type Places = Map<string, County>

/** Filled state by state on first use, because few programs need all. */
const BY_STATE = new Map<string, Places>()

const TYPE = 'COUNTY|CNTY|CO|PARISH|PAR|PSH|BOROUGH|BORO|MUNICIPALITY|MUNICIPIO|MUNI'
const CONSOLIDATED = 'CITY AND BOROUGH|CENSUS AREA|PLANNING REGION'
/** `Lancaster County`, `Lancaster, County of`, `Juneau City and Borough`. */
const TYPE_AFTER = new RegExp(`^(.+?) (?:${CONSOLIDATED}|${TYPE})(?: OF)?$`)
/** `County of Lancaster`, `Municipio de Ponce`, `The Bronx`. */
const TYPE_BEFORE = new RegExp(`^(?:THE|(?:${CONSOLIDATED}|${TYPE}) (?:OF|DE)) (.+)$`)
/**
 * `Baltimore Cty` may be the county or the city; it is only read when there is just one of them.
 */
const EITHER_AFTER = /^(.+?) (?:CTY|CITY AND COUNTY)(?: OF)?$/
const EITHER_BEFORE = /^CITY AND COUNTY OF (.+)$/
const CITY_AFTER = /^(.+?)(?: CITY)? (?:INDEPENDENT CITY|CITY INDEPENDENT|CITY OF)$/
const CITY_BEFORE = /^CITY OF (.+)$/
/** `LANCASTERCOUNTY`. */
const JOINED_TYPE =
  /(?<=.)(?:CITYANDBOROUGH|CENSUSAREA|PLANNINGREGION|COUNTY|PARISH|BOROUGH|MUNICIPALITY|MUNICIPIO)$/

function read(places: Places, words: string): County | undefined {
  const found = places.get(countyKey(words))
  if (found !== undefined) return found

  const either = words.match(EITHER_AFTER)?.[1] ?? words.match(EITHER_BEFORE)?.[1]
  if (either !== undefined) {
    const county = read(places, either)
    const city = places.get(`${countyKey(either)}CITY`)
    return county && city && county !== city ? undefined : (county ?? city)
  }
  const city = words.match(CITY_AFTER)?.[1] ?? words.match(CITY_BEFORE)?.[1]
  if (city !== undefined) {
    const named = places.get(`${countyKey(city)}CITY`)
    return named && isIndependentCity(named.fips) ? named : undefined
  }
  const name = words.match(TYPE_AFTER)?.[1] ?? words.match(TYPE_BEFORE)?.[1]
  if (name !== undefined) return read(places, name)
  const key = countyKey(words)
  const joined = key.replace(JOINED_TYPE, '')
  return joined === key ? undefined : places.get(joined)
}

/** `LANCASTER COUNTY NE`, `WASHINGTON OREGON`. */
function readWithoutState(places: Places, code: string, words: string): County | undefined {
  const state = findState(code)
  const ending = [state?.code, state?.name.toUpperCase()].find((name) => words.endsWith(` ${name}`))
  return ending === undefined ? undefined : read(places, words.slice(0, -ending.length).trim())
}

function isIndependentCity(fips: number): boolean {
  return INDEPENDENT_CITIES.has(fips) || (fips >= VIRGINIA_CITIES_FROM && fips < 52_000)
}

function listCounties(): County[] {
  const rows = readTable('county-names.txt').map(
    (line) => [line.slice(0, 2), line.slice(3, 6), line.slice(7)] as const,
  )
  const added = CHANGES.filter(([, , , why]) => why !== undefined)
  return [...rows, ...added]
    .map(([state = '', code, name = '']) => {
      const fips = (findState(state)?.fips ?? 0) * 1000 + Number(code)
      const shown = isIndependentCity(fips) ? `${name} city` : name
      TITLES.set(fips, shown)
      return { fips, state, name: shown.toUpperCase() }
    })
    .sort((a, b) => a.fips - b.fips)
}

function placesOf(text: string): Places | undefined {
  const known = BY_STATE.get(text)
  if (known !== undefined) return known
  const code = findState(text)?.code
  if (code === undefined) return undefined
  return BY_STATE.getOrInsertComputed(code, indexCounties)
}

/**
 * Own names take precedence over other forms, and those over the bare names of independent cities.
 * A form that two counties of the state share belongs to neither.
 */
function indexCounties(state: string): Places {
  const counties = COUNTIES.filter((county) => county.state === state)
  const places: Places = new Map()
  for (const formsOf of [ownForms, shorterForms, bareCityForms]) {
    const added: Places = new Map()
    const shared = new Set<string>()
    for (const county of counties) {
      for (const form of new Set(formsOf(county))) {
        if (added.has(form)) shared.add(form)
        else if (!places.has(form)) added.set(form, county)
      }
    }
    for (const [form, county] of added) if (!shared.has(form)) places.set(form, county)
  }
  for (const [where, code = '', name = '', why] of CHANGES) {
    const county = where === state && why === undefined ? places.get(code) : undefined
    if (county) for (const form of countyForms(name)) places.set(form, county)
  }
  return places
}

/** A county's FIPS code in five digits: `01001`. */
export function fipsCode(fips: number | string): string {
  return String(fips).padStart(5, '0')
}

function ownForms(county: County): string[] {
  const digits = fipsCode(county.fips)
  const [key = ''] = countyForms(county.name)
  return [county.name, key, digits, digits.slice(2)]
}

/** Includes the code without its leading zero, as in a spreadsheet: 1001 for 01001. */
function shorterForms(county: County): string[] {
  return [...countyForms(county.name), String(county.fips)]
}

function bareCityForms(county: County): string[] {
  return isIndependentCity(county.fips) ? countyForms(county.name.slice(0, -' CITY'.length)) : []
}

/** Returns a number of counties in words: `1 county`. */
export function countCounties(count: number): string {
  return count === 1 ? '1 county' : `${count.toLocaleString('en-US')} counties`
}

/** Upper case, words of A–Z and 0–9 with one blank between them; `&` is `AND`. */
function countyWords(text: string): string {
  return foldLetters(text)
    .replaceAll('&', ' AND ')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
}

/** Words without their blanks, so that joined and split forms are equal. */
function countyKey(words: string): string {
  return words.replaceAll(' ', '')
}

/**
 * Returns all keys of a name, its own first: `Ste. Genevieve` gives `STEGENEVIEVE`,
 * `SAINTEGENEVIEVE`, `SAINTGENEVIEVE`, `STGENEVIEVE`. Keys after the first only count if no other
 * county of the state has them.
 */
function countyForms(name: string): string[] {
  const forms = [countyWords(name)]
  for (const rewrite of REWRITES) {
    for (const form of [...forms]) forms.push(...rewrite(form))
  }
  forms.push(countyWords(name.replace(/'s\b/g, '')), lostLetters(name))
  return [...new Set(forms.map(countyKey))]
}

const POINTS: Record<string, string> = {
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
  NORTHWEST: 'NW',
  SOUTHEAST: 'SE',
}

const REWRITES: ((words: string) => string[])[] = [
  (words) => (/^ST /.test(words) ? [words.replace('ST', 'SAINT')] : []),
  (words) =>
    /^STE /.test(words)
      ? ['SAINTE', 'SAINT', 'ST'].map((saint) => words.replace('STE', saint))
      : [],
  (words) => (/^FORT /.test(words) ? [words.replace('FORT', 'FT')] : []),
  (words) => {
    const [first = '', ...rest] = words.split(' ')
    const point = POINTS[first]
    return point === undefined || rest.length === 0 ? [] : [[point, ...rest].join(' ')]
  },
  // `King Queen`, `St. Mary` for St. Mary's, `Lake of Woods`
  (words) => [words.replace(/ (?:AND|THE)(?= )/g, '')],
  (words) => [words.replace(/ OF THE(?= )/g, ' OF'), words.replace(/ S$/, '')],
]

/** Returns `Doña Ana` as an ASCII program leaves it, without the ñ or with `?` for it. */
function lostLetters(name: string): string {
  return countyWords(name.replace(/[^\x20-\x7e]/g, ''))
}
