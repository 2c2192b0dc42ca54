/** Suggests addresses that begin with the typed text, from the index of addresses. */
import type { ParcelReader } from '../store/store.ts'
import type { LoadedPlace } from './question.ts'
import { showName } from './show/words.ts'

const SUGGESTIONS_MAX = 10
const STATES_MAX = 8
const DIRECTIONS = ['', 'N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']

/** Returns at most ten; none before a complete house number and the first letter of a street. */
export async function findSuggestions(
  parcels: ParcelReader,
  text: string,
  places: readonly LoadedPlace[],
): Promise<string[]> {
  const prefixes = keyPrefixes(text)
  if (prefixes.length === 0) return []
  const states = [...new Set(places.map(({ state }) => state))].slice(0, STATES_MAX)
  const found = await Promise.all(
    states.flatMap((state) =>
      prefixes.map(async (prefix) => {
        const hits = await parcels.addressesWithPrefix(state, prefix, SUGGESTIONS_MAX)
        return hits.map(({ key, city }) => showSuggestion(key, city, state))
      }),
    ),
  )
  return [...new Set(found.flat())].sort().slice(0, SUGGESTIONS_MAX)
}

/**
 * Returns the prefixes of strict address keys that the text may mean. A key is
 * `number|direction|street|type|direction|`, so each direction needs a prefix of its own.
 */
function keyPrefixes(text: string): string[] {
  const [, number, rest = ''] = /^\s*(\d+[A-Z]?)\s+([^,]*)/.exec(text.toUpperCase()) ?? []
  const words = rest.replace(/[^A-Z0-9 ]/g, '').trim()
  if (number === undefined || words === '') return []
  const [first = '', ...others] = words.split(' ')
  const asStreet = DIRECTIONS.map((direction) => `${number}|${direction}|${keyOf(words)}`)
  if (!DIRECTIONS.includes(first)) return asStreet
  return [`${number}|${first}|${keyOf(others.join(' '))}`, ...asStreet]
}

/**
 * Returns the words of a street's name and the beginning of its type: `OAK S` is also `OAK|S…`.
 */
function keyOf(words: string): string {
  const cut = words.lastIndexOf(' ')
  const last = words.slice(cut + 1)
  return cut > 0 && TYPES.some((type) => type.startsWith(last))
    ? `${words.slice(0, cut)}|${last}`
    : words
}

/** The commonest types of streets, as keys write them. */
const TYPES = [
  'ST',
  'AVE',
  'RD',
  'DR',
  'LN',
  'CT',
  'PL',
  'BLVD',
  'CIR',
  'WAY',
  'TER',
  'TRL',
  'PKWY',
]

function showSuggestion(key: string, city: string, state: string): string {
  const line = key
    .split('|')
    .filter((part) => part !== '')
    .join(' ')
  return city === '' ? `${line}, ${state}` : `${line}, ${showName(city)}, ${state}`
}
