/** Suggests addresses that begin with the typed text, from the index of addresses. */
import { listPrefixes } from '../operations/find/address-prefixes.ts'
import type { ParcelReader } from '../store/store.ts'
import type { LoadedPlace } from './question.ts'
import { showName } from './show/words.ts'

const SUGGESTIONS_MAX = 10
const STATES_MAX = 8

/** Returns at most ten; none before a complete house number and the first letter of a street. */
export async function findSuggestions(
  parcels: ParcelReader,
  text: string,
  places: readonly LoadedPlace[],
): Promise<string[]> {
  const prefixes = listPrefixes(text)
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

function showSuggestion(key: string, city: string, state: string): string {
  const line = key
    .split('|')
    .filter((part) => part !== '')
    .join(' ')
  return city === '' ? `${line}, ${state}` : `${line}, ${showName(city)}, ${state}`
}
