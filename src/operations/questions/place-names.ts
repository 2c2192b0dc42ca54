/** The streets, subdivisions and cities of a state by their beginnings, made of its facts. */
import { foldLetters } from '../../base/fold.ts'
import { withinOneEdit } from '../../base/word-edits.ts'
import { type Column, numberAt, wordAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import type { Pause } from '../operation.ts'

export type NameKind = 'address' | 'subdivision' | 'city'

/** A name in a county. `key`: folded, as it is searched. `city`: of a street. */
export type PlaceName = {
  kind: NameKind
  key: string
  text: string
  city: string
  fips: number
  parcels: number
  /** A parcel of it. */
  id: number
}

/** Names of each kind in the order of their keys. */
type PlaceNames = Record<NameKind, PlaceName[]>

/** States whose names a process keeps. */
const STATES_MAX = 6
const kept = new Map<string, { table: FactTable; names: PlaceNames }>()

/** Returns the names of a state, from memory while its facts are unchanged. */
export async function readPlaceNames(
  state: string,
  table: FactTable,
  pause: Pause,
): Promise<PlaceNames> {
  const known = kept.get(state)
  if (known !== undefined && known.table.version === table.version) return known.names
  const found = new Map<string, PlaceName>()
  for await (const block of table.read(['street', 'subdivision', 'city', 'county'])) {
    gather(block, found)
    await pause()
  }
  const names: PlaceNames = { address: [], subdivision: [], city: [] }
  for (const name of found.values()) {
    names[name.kind].push(name)
    // Also by the name of the street without its direction.
    const bare = name.text.replace(/^(?:[NSEW]|NE|NW|SE|SW) /, '')
    if (name.kind === 'address' && bare !== name.text) names.address.push({ ...name, key: bare })
  }
  for (const list of Object.values(names)) list.sort(byKey)
  kept.delete(state)
  kept.set(state, { table, names })
  for (const oldest of kept.keys()) {
    if (kept.size <= STATES_MAX) break
    kept.delete(oldest)
  }
  return names
}

const byKey = (a: PlaceName, b: PlaceName) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id)

function gather({ ids, columns }: FactBlock, found: Map<string, PlaceName>): void {
  const { street, subdivision, city, county } = columns as Record<string, Column>
  const [streets, subdivisions, cities, counties] = [street, subdivision, city, county] as Four
  for (let place = 0; place < ids.length; place += 1) {
    const fips = numberAt(counties, place)
    const id = ids[place] as number
    const inCity = wordAt(cities, place)
    const line = wordAt(streets, place)
    if (line !== '') {
      const text = line
        .split('|')
        .filter((part) => part !== '')
        .join(' ')
      add(found, { kind: 'address', text, city: inCity, fips, id })
    }
    add(found, { kind: 'subdivision', text: wordAt(subdivisions, place), city: '', fips, id })
    add(found, { kind: 'city', text: inCity, city: '', fips, id })
  }
}

type Four = [Column, Column, Column, Column]

function add(found: Map<string, PlaceName>, name: Omit<PlaceName, 'key' | 'parcels'>): void {
  if (name.text === '') return
  const key = foldLetters(name.text).trim().replace(/\s+/g, ' ')
  const own = `${name.kind}\n${key}\n${name.city}\n${name.fips}`
  const known = found.get(own)
  if (known !== undefined) known.parcels += 1
  else found.set(own, { ...name, key, parcels: 1 })
}

/** Names examined for one question. */
const EXAMINED_MAX = 4000

/** Returns the names that begin with a text, those of the most parcels first. */
export function namesFrom(names: readonly PlaceName[], start: string): PlaceName[] {
  const found: PlaceName[] = []
  for (let at = lowerBound(names, start); at < names.length; at += 1) {
    const name = names[at] as PlaceName
    if (!name.key.startsWith(start) || found.length >= EXAMINED_MAX) break
    found.push(name)
  }
  return found.sort(byParcels)
}

/** Returns the names whose first word is one edit from that of a text, and continue alike. */
export function namesNear(names: readonly PlaceName[], text: string): PlaceName[] {
  const [asked = '', ...rest] = text.split(' ')
  const found: PlaceName[] = []
  const start = asked.slice(0, 2)
  let examined = 0
  for (let at = lowerBound(names, start); at < names.length; at += 1) {
    const name = names[at] as PlaceName
    examined += 1
    if (!name.key.startsWith(start) || examined > EXAMINED_MAX) break
    const [word = '', ...others] = name.key.split(' ')
    if (asked === word || asked.length < 4 || !withinOneEdit(asked, word)) continue
    if (others.join(' ').startsWith(rest.join(' '))) found.push(name)
  }
  return found.sort(byParcels)
}

const byParcels = (a: PlaceName, b: PlaceName) => b.parcels - a.parcels || byKey(a, b)

function lowerBound(names: readonly PlaceName[], key: string): number {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((names[middle] as PlaceName).key < key) from = middle + 1
    else to = middle
  }
  return from
}
