/** The streets, subdivisions and cities of a state by their beginnings, made of its facts. */
import { showKey } from '../../address/forgive.ts'
import { foldLetters } from '../../base/fold.ts'
import { withinOneEdit } from '../../base/word-edits.ts'
import { type Codes, type Column, numberAt, wordAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import { keepRecent } from '../../store/keep-recent.ts'
import type { Pause } from '../operation.ts'

export type NameKind = 'address' | 'subdivision' | 'city'

/** A name in a county. `key`: folded, as it is searched. `city`: of a street. */
export type PlaceName = {
  kind: NameKind
  key: string
  text: string
  /** Of a street: direction, name, type and direction as in address keys; `''` otherwise. */
  line: string
  city: string
  fips: number
  parcels: number
  /** A parcel of it. */
  id: number
}

/** Names of a kind in the order of their keys, and where each first word begins. */
type NameList = { names: PlaceName[]; firsts: { word: string; at: number }[] }
export type PlaceNames = Record<NameKind, NameList>

/** States whose names a process keeps: more than one suggestion reads, or none would last. */
const STATES_MAX = 12
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
  const lists: Record<NameKind, PlaceName[]> = { address: [], subdivision: [], city: [] }
  let seen = 0
  for (const name of found.values()) {
    seen += 1
    if (seen % SORTED_AT_ONCE === 0) await pause()
    lists[name.kind].push(name)
    // Also by the name of the street without its direction.
    const bare = name.text.replace(/^(?:[NSEW]|NE|NW|SE|SW) /, '')
    if (name.kind === 'address' && bare !== name.text) lists.address.push({ ...name, key: bare })
  }
  const names = {
    address: await openList(lists.address, pause),
    subdivision: await openList(lists.subdivision, pause),
    city: await openList(lists.city, pause),
  }
  return keepRecent(kept, state, { table, names }, STATES_MAX).names
}

async function openList(unsorted: PlaceName[], pause: Pause): Promise<NameList> {
  const names = await sortInTurns(unsorted, pause)
  const firsts: NameList['firsts'] = []
  for (const [at, { key }] of names.entries()) {
    const [word = ''] = key.split(' ', 1)
    if (firsts.at(-1)?.word !== word) firsts.push({ word, at })
  }
  return { names, firsts }
}

const byKey = (a: PlaceName, b: PlaceName) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id)

/** Names that are sorted or merged between two pauses. */
const SORTED_AT_ONCE = 2048

/** Sorts by key. Other requests are answered in between. */
async function sortInTurns(names: PlaceName[], pause: Pause): Promise<PlaceName[]> {
  let runs: PlaceName[][] = []
  for (let at = 0; at < names.length; at += SORTED_AT_ONCE) {
    runs.push(names.slice(at, at + SORTED_AT_ONCE).sort(byKey))
    await pause()
  }
  while (runs.length > 1) {
    const merged: PlaceName[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], pause))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(
  ones: readonly PlaceName[],
  others: readonly PlaceName[],
  pause: Pause,
): Promise<PlaceName[]> {
  const merged: PlaceName[] = []
  let [at, place] = [0, 0]
  while (at < ones.length || place < others.length) {
    const [one, other] = [ones[at], others[place]]
    const takesOne = other === undefined || (one !== undefined && byKey(one, other) <= 0)
    merged.push((takesOne ? ones[at++] : others[place++]) as PlaceName)
    if (merged.length % SORTED_AT_ONCE === 0) await pause()
  }
  return merged
}

/** Adds the names of a block, each of its combinations once. */
function gather({ ids, columns }: FactBlock, found: Map<string, PlaceName>): void {
  const { street, subdivision, city, county } = columns as Record<string, Column>
  const [streets, subdivisions, cities, counties] = [street, subdivision, city, county] as Four
  const place = (at: number) => ({ fips: numberAt(counties, at), id: ids[at] as number })
  const each = ids.length
  for (const [at, parcels] of countAlike(each, counties, streets, cities)) {
    const line = wordAt(streets, at)
    const text = showKey(line)
    add(found, { kind: 'address', text, line, city: wordAt(cities, at), ...place(at), parcels })
  }
  for (const [at, parcels] of countAlike(each, counties, subdivisions)) {
    const text = wordAt(subdivisions, at)
    add(found, { kind: 'subdivision', text, line: '', city: '', ...place(at), parcels })
  }
  for (const [at, parcels] of countAlike(each, counties, cities)) {
    add(found, {
      kind: 'city',
      text: wordAt(cities, at),
      line: '',
      city: '',
      ...place(at),
      parcels,
    })
  }
}

/** Greater than any county's FIPS code. */
const COUNTIES = 2 ** 17

/** Returns the first parcel of each combination of words in a county, and how many have it. */
function countAlike(
  length: number,
  counties: Column,
  ...words: readonly Column[]
): Map<number, number> {
  const firsts = new Map<number, number>()
  const counts = new Map<number, number>()
  for (let at = 0; at < length; at += 1) {
    let alike = 0
    // A code of a word has 16 bits.
    for (const one of words) alike = alike * 65_536 + ((one as Codes).codes[at] as number)
    alike = alike * COUNTIES + numberAt(counties, at)
    const first = firsts.get(alike)
    if (first === undefined) firsts.set(alike, at)
    counts.set(first ?? at, (counts.get(first ?? at) ?? 0) + 1)
  }
  return counts
}

type Four = [Column, Column, Column, Column]

function add(found: Map<string, PlaceName>, name: Omit<PlaceName, 'key'>): void {
  if (name.text === '') return
  const key = foldLetters(name.text).trim().replace(/\s+/g, ' ')
  const own = `${name.kind}\n${key}\n${name.city}\n${name.fips}`
  const known = found.get(own)
  if (known !== undefined) known.parcels += name.parcels
  else found.set(own, { ...name, key })
}

/** Names examined for one word of a question. */
const EXAMINED_MAX = 4000
/** Shorter words have no edit. */
const EDITED_MIN = 4

/** Which names are wanted, and how many at most. `fips`: of this county alone. */
type Wanted = { fips: number | undefined; most: number }

/** Returns the names that begin with a text, those of the most parcels first. */
export function namesFrom({ names }: NameList, start: string, wanted: Wanted): PlaceName[] {
  return takeBest(eachFrom(names, start), wanted)
}

/** Names that a text begins after one edit in a word of 4 letters or more; most parcels first. */
export function namesNear(list: NameList, text: string, wanted: Wanted): PlaceName[] {
  return takeBest(new Set(eachNear(list, text.split(' '))), wanted)
}

function* eachNear(list: NameList, words: readonly string[]): Generator<PlaceName> {
  for (const [at, word] of words.entries()) {
    if (word.length < EDITED_MIN || /^\d+$/.test(word)) continue
    const rest = words.slice(at + 1).join(' ')
    if (at === 0) {
      yield* nearFirst(list, word, rest)
      continue
    }
    const before = `${words.slice(0, at).join(' ')} `
    for (const name of eachFrom(list.names, before)) {
      const [own = ''] = name.key.slice(before.length).split(' ', 1)
      const isBegun = rest === '' || name.key.startsWith(rest, before.length + own.length + 1)
      if (isBegun && isNear(word, own, rest === '')) yield name
    }
  }
}

/** The names whose first word is one edit from a word, and whose others begin with `rest`. */
function* nearFirst({ names, firsts }: NameList, asked: string, rest: string) {
  const [a, b] = [asked.charCodeAt(0), asked.charCodeAt(1)]
  let left = EXAMINED_MAX
  for (const [place, { word, at }] of firsts.entries()) {
    const [one, two] = [word.charCodeAt(0), word.charCodeAt(1)]
    // One edit leaves one of the first two letters near its place.
    if (one !== a && two !== b && one !== b && two !== a) continue
    if (!isNear(asked, word, rest === '')) continue
    const end = Math.min(firsts[place + 1]?.at ?? names.length, at + left)
    for (let own = at; own < end; own += 1) {
      const name = names[own] as PlaceName
      if (rest === '' || name.key.startsWith(rest, word.length + 1)) yield name
    }
    left -= end - at
    if (left <= 0) return
  }
}

/** The first by `byParcels`, kept in order while they are found. */
function takeBest(found: Iterable<PlaceName>, { fips, most }: Wanted): PlaceName[] {
  const best: PlaceName[] = []
  for (const name of found) {
    if (fips !== undefined && name.fips !== fips) continue
    const last = best[most - 1]
    if (last !== undefined && byParcels(name, last) >= 0) continue
    let at = Math.min(best.length, most - 1)
    for (; at > 0 && byParcels(name, best[at - 1] as PlaceName) < 0; at -= 1) {
      best[at] = best[at - 1] as PlaceName
    }
    best[at] = name
  }
  return best
}

/** `isOpen`: the asked word may be the beginning of a longer one. */
function isNear(asked: string, word: string, isOpen: boolean): boolean {
  if (asked === word || asked.length > word.length + 1) return false
  if (withinOneEdit(asked, word, 0)) return true
  if (!isOpen || word.length <= asked.length || word.startsWith(asked)) return false
  // A missing letter, another or swapped ones, and one too many.
  return [1, 0, -1].some((more) => withinOneEdit(asked, word.slice(0, asked.length + more), 0))
}

function* eachFrom(names: readonly PlaceName[], start: string): Generator<PlaceName> {
  const from = lowerBound(names, start)
  const end = Math.min(names.length, from + EXAMINED_MAX)
  for (let at = from; at < end; at += 1) {
    const name = names[at] as PlaceName
    if (!name.key.startsWith(start)) return
    yield name
  }
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
