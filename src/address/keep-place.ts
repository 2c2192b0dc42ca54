/** Selects the hits that are in the place of the request. Pure. */
import type { TailReading } from '../base/model/address.ts'
import { withinOneEdit } from '../base/word-edits.ts'
import { findCounty } from '../regions/counties.ts'
import { isPlace } from '../regions/places.ts'
import type { SitusHit } from '../store/store.ts'

export type AskedPlace = {
  state: string
  fips: number | undefined
  /** Folded by `foldCity`. */
  city: string | undefined
  /** Five digits. If parcels in several places match, those with this ZIP are kept. */
  zip?: string | undefined
}

/** Keeps hits in the asked county and city, and in those cut from the line; prefers the ZIP. */
export function keepPlace(hits: SitusHit[], asked: AskedPlace, reading: TailReading): SitusHit[] {
  const { state, fips, city, zip } = asked
  if (hits.length === 0) return hits
  const inCounty = fips === undefined ? hits : hits.filter((hit) => hit.fips === fips)
  const typed = keepTyped(inCounty, reading, asked)
  // A record without a city cannot contradict the asked one; the county that came with it must
  // match.
  const inCity = city === undefined ? typed : preferCity(typed, city, state)
  if (zip === undefined) return inCity
  const inZip = inCity.filter((hit) => hit.zip === zip)
  return inZip.length > 0 ? inZip : inCity
}

/** Reports whether a hit has the city or the ZIP of the request, or one cut from the line. */
export function agreesInPlace(
  hit: SitusHit,
  { state, city, zip }: AskedPlace,
  reading: TailReading,
): boolean {
  const hasCity = (name = '') => name !== '' && isNamed(hit, name, state)
  const hasZip = (code = '') => code !== '' && hit.zip === code
  return hasCity(city) || hasCity(reading.city) || hasZip(zip) || hasZip(reading.zip)
}

/**
 * Keeps hits that agree with the city and ZIP cut from the line. A record with only one of them
 * must agree in that one. A record with neither counts when the request has its county and the cut
 * words can only be a city. Hits that agree in both take precedence.
 */
function keepTyped(hits: SitusHit[], reading: TailReading, asked: AskedPlace): SitusHit[] {
  const { city, zip, isSure } = reading
  if (city === '' && zip === '') return hits
  const possible = hits.filter((hit) => {
    const sameZip = zip !== '' && hit.zip === zip
    const sameCity =
      city !== '' && (isNamed(hit, city, asked.state) || (sameZip && isLike(city, hit.city)))
    if (!sameCity && city !== '' && hit.city !== '') return false
    if (!sameZip && zip !== '' && hit.zip !== '') return false
    return sameCity || sameZip || (asked.fips !== undefined && isSure)
  })
  const exact = city === '' ? possible : preferCity(possible, city, asked.state)
  const inCity = exact.length > 0 ? exact : possible
  if (zip === '') return inCity
  const inZip = inCity.filter((hit) => hit.zip === zip)
  return inZip.length > 0 ? inZip : inCity.filter((hit) => hit.zip === '')
}

/** Reports whether a city is another one misspelt, or its initials: `LA` with the ZIP. */
const isLike = (city: string, recorded: string): boolean =>
  withinOneEdit(city, recorded) ||
  recorded.replace(/(?<=\b\w)\w*( |$)/g, '') === city.replaceAll(' ', '')

const isNamed = ({ fips, city, municipality }: SitusHit, name: string, state: string): boolean =>
  isSameCity(city, name, state) ||
  isSameCity(municipality ?? '', name, state) ||
  (BOROUGHS.has(name) && findCounty('NY', name)?.fips === fips)

/** New York's boroughs are counties with postal cities of their own: `QUEENS` has `FLUSHING`. */
const BOROUGHS = new Set(['BRONX', 'BROOKLYN', 'MANHATTAN', 'QUEENS', 'STATEN ISLAND'])

/**
 * Blanks do not count, nor `CITY` at one end: `O'Fallon` is `O FALLON`, `SALT LAKE` Salt Lake City,
 * unless the state has towns of both names. In New Jersey a township is the town of its name.
 */
function isSameCity(recorded: string, asked: string, state: string): boolean {
  if (recorded === asked) return true
  const kind = state === 'NJ' ? / (?:CITY|TWP|TOWNSHIP|BORO|BOROUGH|TOWN)$/ : / CITY$/
  const [one, other] = [joinCity(recorded), joinCity(asked)]
  const isShort =
    joinCity(recorded.replace(kind, '')) === other || one === joinCity(asked.replace(kind, ''))
  return (one === other || isShort) && !(isPlace(recorded, state) && isPlace(asked, state))
}

const joinCity = (name: string) =>
  name
    .replace(/ TWP$/, ' TOWNSHIP')
    .replace(/ BORO$/, ' BOROUGH')
    .replaceAll(' ', '')

/** Returns hits of the postal city; else of the municipality; else those without a city. */
function preferCity(hits: SitusHit[], city: string, state: string): SitusHit[] {
  const exact = hits.filter((hit) => hit.city === city)
  if (exact.length > 0) return exact
  const postal = hits.filter((hit) => isSameCity(hit.city, city, state))
  const whole = postal.filter((hit) => joinCity(hit.city) === joinCity(city))
  const named = hits.filter((hit) => isNamed(hit, city, state))
  const inCity = [whole, postal, named].find((some) => some.length > 0)
  return inCity ?? hits.filter((hit) => hit.city === '')
}
