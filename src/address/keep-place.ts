/** Which of the parcels at a key stand where the question says. Pure. */
import type { TailReading } from '../model/address.ts'
import type { SitusHit } from '../store/store.ts'

/** The place that a request names beside the line; `undefined`: not named. */
type AskedPlace = {
  fips: number | undefined
  /** Folded by `foldCity`. */
  city: string | undefined
  /** Five digits. */
  zip?: string | undefined
}

/**
 * Hits in the asked county and city, and in the city and ZIP that the reading cut off; the asked
 * ZIP narrows them.
 */
export function keepPlace(
  hits: SitusHit[],
  { fips, city, zip }: AskedPlace,
  reading: TailReading,
): SitusHit[] {
  if (hits.length === 0) return hits
  const inCounty = fips === undefined ? hits : hits.filter((hit) => hit.fips === fips)
  const typed = keepTyped(inCounty, reading, fips !== undefined)
  // A record without a city cannot contradict the asked one; the county that came with it must
  // match.
  const inCity = city === undefined ? typed : preferCity(typed, city)
  if (zip === undefined) return inCity
  const inZip = inCity.filter((hit) => hit.zip === zip)
  return inZip.length > 0 ? inZip : inCity
}

/**
 * Hits that agree with what the reading cut off. A record that knows its city or its ZIP only must
 * agree in that one; one that knows neither counts where the request names its county and the words
 * can be nothing but a city. Those that agree in both come before all others.
 */
function keepTyped(hits: SitusHit[], reading: TailReading, inCounty: boolean): SitusHit[] {
  const { city, zip, isSure } = reading
  if (city === '' && zip === '') return hits
  const possible = hits.filter((hit) => {
    const sameCity = city !== '' && (hit.city === city || hit.municipality === city)
    const sameZip = zip !== '' && hit.zip === zip
    if (!sameCity && city !== '' && hit.city !== '') return false
    if (!sameZip && zip !== '' && hit.zip !== '') return false
    return sameCity || sameZip || (inCounty && isSure)
  })
  const inCity = city === '' ? possible : preferCity(possible, city)
  if (zip === '') return inCity
  const inZip = inCity.filter((hit) => hit.zip === zip)
  return inZip.length > 0 ? inZip : inCity.filter((hit) => hit.zip === '')
}

/**
 * Hits of the postal city; else of the municipality of that name; else those whose city is unknown.
 */
function preferCity(hits: SitusHit[], city: string): SitusHit[] {
  const postal = hits.filter((hit) => hit.city === city)
  const inCity = postal.length > 0 ? postal : hits.filter((hit) => hit.municipality === city)
  return inCity.length > 0 ? inCity : hits.filter((hit) => hit.city === '')
}
