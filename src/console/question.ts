/** Turns the text of the search box into operations that may answer it. Pure. */
import { findState } from '../regions/states.ts'

export type LoadedPlace = { state: string; fips: string; name: string }

type Attempt = {
  operationId: string
  /** How the text was understood, as a sentence for the page. */
  reading: string
  query: Record<string, string>
}

const COUNTIES_MAX = 40
const STATES_MAX = 8
const RADIUS_MILES = '0.25'
/** Results of a page with filters. */
export const FILTERED_MAX = '50'

/** Returns the attempts for a text, the likeliest first. `places`: the counties to search in. */
export function readQuestion(text: string, places: readonly LoadedPlace[]): Attempt[] {
  const asked = text.trim().replace(/\s+/g, ' ')
  if (asked === '' || places.length === 0) return []
  const point = readPoint(asked)
  if (point !== undefined) return tryPoint(point)
  const counties = places.slice(0, COUNTIES_MAX)
  const states = [...new Set(places.map(({ state }) => state))].slice(0, STATES_MAX)
  if (looksLikeAddress(asked)) return tryAddress(asked, states)
  if (looksLikeParcelId(asked)) return tryParcelId(asked, counties)
  return tryOwner(asked, states, counties)
}

/** Reads `43.07, -89.4` as `[latitude, longitude]`; `undefined` for other texts. */
export function readPoint(text: string): [number, number] | undefined {
  const found = /^(-?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)°?$/.exec(text)
  if (found === null || !text.includes('.')) return undefined
  const [latitude, longitude] = [Number(found[1]), Number(found[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [latitude, longitude] : undefined
}

/** Returns the attempts for parcels that meet all filters. `sort`: an order of the API, or none. */
export function readFiltered(
  text: string,
  filters: Record<string, string>,
  sort: string,
  places: readonly LoadedPlace[],
): Attempt[] {
  const point = readPoint(text)
  const order = sort === '' ? {} : { sort }
  const common = { ...filters, ...order, limit: FILTERED_MAX, includeTotal: 'true' }
  if (point !== undefined) {
    const [latitude, longitude] = point
    const at = { latitude: String(latitude), longitude: String(longitude), radius: RADIUS_MILES }
    return [
      {
        operationId: 'locationSearch',
        reading: `parcels within ${RADIUS_MILES} miles of ${latitude}, ${longitude}`,
        query: { ...at, ...common },
      },
    ]
  }
  const [only, ...others] = places
  const within = only !== undefined && others.length === 0 ? { county: only.fips } : {}
  const states = [...new Set(places.map(({ state }) => state))].slice(0, STATES_MAX)
  return states.map((state) => ({
    operationId: 'propertySearch',
    reading: `parcels in ${state} that meet all filters${text === '' ? '' : `, for ${text}`}`,
    query: {
      ...{ state, ...within, ...(text !== '' && { query: text }), ...common },
      includeUnassignedAddress: 'true',
    },
  }))
}

function looksLikeAddress(text: string): boolean {
  return /^\d+[\w/-]*\s+.*[A-Za-z]{2}/.test(text) || /^\d+[A-Za-z]?\s+[A-Za-z]\b/.test(text)
}

function looksLikeParcelId(text: string): boolean {
  return /\d/.test(text) && !/[A-Za-z]{4}/.test(text)
}

function tryPoint([latitude, longitude]: [number, number]): Attempt[] {
  const query = { latitude: String(latitude), longitude: String(longitude) }
  return [
    {
      operationId: 'pointLookup',
      reading: `the parcel at ${latitude}, ${longitude}`,
      query: { ...query, tolerance: '30' },
    },
    {
      operationId: 'locationSearch',
      reading: `parcels within ${RADIUS_MILES} miles of ${latitude}, ${longitude}`,
      query: { ...query, radius: RADIUS_MILES, limit: '20' },
    },
  ]
}

/** `1422 Oak St Apt 2, Madison, WI 53703`: looks up the line alone, with its ZIP code. */
function tryAddress(text: string, states: string[]): Attempt[] {
  const zip = /\b(\d{5})(?:-\d{4})?$/.exec(text)?.[1]
  const [line = '', ...rest] = text.split(',').map((part) => part.trim())
  const last = rest.at(-1)?.replace(/\s*\d{5}(?:-\d{4})?$/, '') ?? ''
  const named = last === '' ? undefined : findState(last)?.code
  const asked = named === undefined ? states : states.filter((state) => state === named)
  const address = rest.length === 0 && zip !== undefined ? text.slice(0, -zip.length).trim() : line
  return asked.map((state) => ({
    operationId: 'addressLookup',
    reading: `the address ${address} in ${state}`,
    query: {
      state,
      address,
      candidates: 'true',
      ...(zip !== undefined && address !== text && { zipCode: zip }),
    },
  }))
}

function tryParcelId(text: string, counties: readonly LoadedPlace[]): Attempt[] {
  return counties.map(({ state, fips, name }) => ({
    operationId: 'parcelIdLookup',
    reading: `the parcel ID ${text} in ${name}, ${state}`,
    query: { state, county: fips, parcelId: text },
  }))
}

/** Searches for all words in one recorded name; a single word also as a surname with one edit. */
function tryOwner(text: string, states: string[], counties: readonly LoadedPlace[]): Attempt[] {
  const [only, ...others] = counties
  const within = only !== undefined && others.length === 0 ? { county: only.fips } : {}
  const isOneWord = !text.includes(' ')
  return states.map((state) => ({
    operationId: 'premiumOwnerSearch',
    reading: isOneWord
      ? `owners named ${text} in ${state}, one letter mistyped allowed`
      : `owners with all of the words ${text} in ${state}`,
    query: {
      state,
      ...within,
      ...(isOneWord ? { lastName: text, fuzzy: 'true' } : { nameContains: text }),
      limit: '25',
    },
  }))
}
