/**
 * Cities, towns and villages by name. Source: 2022 Census Gazetteer of places,
 * `scripts/write-places.ts`.
 */
import { readTable } from '../base/tables.ts'

let places: Map<string, ReadonlySet<string>> | undefined

/**
 * Reports whether the state has a place of that name. `folded`: by `foldCity`; `state`: two
 * letters, `''` gives false.
 *
 * The Census lists cities, towns, villages, boroughs and unincorporated places; not townships, and
 * not every postal name. The list of 32,000 names is read on first use.
 */
export function isPlace(folded: string, state: string): boolean {
  places ??= readPlaces()
  return places.get(state)?.has(folded) ?? false
}

/** Reports whether any state has a place of that name, folded by `foldCity`. */
export function isPlaceAnywhere(folded: string): boolean {
  places ??= readPlaces()
  for (const names of places.values()) if (names.has(folded)) return true
  return false
}

function readPlaces(): Map<string, ReadonlySet<string>> {
  return new Map(
    readTable('us-places.txt').map((line) => {
      const [state = '', names = ''] = line.split('\t')
      return [state, new Set(names.split(';'))]
    }),
  )
}
