/**
 * Cities, towns and villages by name. Source: 2022 Census Gazetteer of places,
 * `scripts/write-places.ts`.
 */
import { readFileSync } from 'node:fs'

let places: Map<string, ReadonlySet<string>> | undefined

/**
 * Whether the state has a place of that name. `folded`: by `foldCity`; `state`: two letters, `''`
 * gives false.
 *
 * The Census lists cities, towns, villages, boroughs and places without a government of their own;
 * not townships, and not every name that the post uses. The list of 32,000 names is read at the
 * first call.
 */
export function isPlace(folded: string, state: string): boolean {
  places ??= readPlaces()
  return places.get(state)?.has(folded) ?? false
}

function readPlaces(): Map<string, ReadonlySet<string>> {
  const text = readFileSync(new URL('./us-places.txt', import.meta.url), 'utf8')
  const lines = text.trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [state = '', names = ''] = line.split('\t')
      return [state, new Set(names.split(';'))]
    }),
  )
}
