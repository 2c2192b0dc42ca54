/** The beginnings of strict address keys that a partial address line may mean. */

const DIRECTIONS = ['', 'N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']

/** The commonest types of streets, as keys write them. */
const TYPES = [
  ...['ST', 'AVE', 'RD', 'DR', 'LN', 'CT', 'PL', 'BLVD', 'CIR', 'WAY', 'TER', 'TRL', 'PKWY'],
]

/**
 * Returns the prefixes of keys for a house number and the beginning of a street; none before both.
 * A key is `number|direction|street|type|direction|`, so each direction needs its own.
 *
 * @example listPrefixes('1445 K')[0] // '1445||K'
 */
export function listPrefixes(text: string): string[] {
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
