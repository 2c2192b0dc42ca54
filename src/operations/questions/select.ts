/** Tests the facts of parcels against filters, block by block. */
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import type { Point } from '../../geo/sphere.ts'
import type { FactName } from '../../record/facts.ts'
import { type Codes, type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock } from '../../store/facts/table.ts'

/** A condition on one fact. A parcel without the fact meets none. */
export type FactTest =
  | { fact: FactName; from?: number; to?: number }
  /** `is`: whether a word is one of those asked for. */
  | { fact: FactName; is: (word: string) => boolean }

export type Selection = {
  tests: readonly FactTest[]
  /** Only parcels whose point is there, in degrees. */
  holds?: ((point: Point) => boolean) | undefined
  ids?: ReadonlySet<number> | undefined
}

export function factsOf({ tests, holds }: Selection): FactName[] {
  const place: FactName[] = holds === undefined ? [] : ['x', 'y']
  return [...new Set([...tests.map(({ fact }) => fact), ...place])]
}

/** Places of a block's parcels; only the first `length` count. */
type Places = { list: Uint16Array; length: number }

/** Fills `places` with the parcels of a block that meet a selection, ascending. */
export function selectBlock(block: FactBlock, asked: Selection, places: Places): void {
  const { list } = places
  places.length = block.ids.length
  for (let place = 0; place < places.length; place += 1) list[place] = place
  for (const test of asked.tests) {
    if (places.length === 0) return
    narrow(block.columns[test.fact] as Column, test, places)
  }
  const { ids, holds } = asked
  if (ids !== undefined) keepIf(places, (place) => ids.has(block.ids[place] as number))
  if (holds !== undefined) {
    const [x, y] = [block.columns.x as Column, block.columns.y as Column]
    keepIf(places, (place) => {
      const point = pointAt(x, y, place)
      return !Number.isNaN(point[0] + point[1]) && holds(point)
    })
  }
}

function narrow(column: Column, test: FactTest, places: Places): void {
  if (column.kind === 'codes') {
    if ('is' in test) narrowWords(column, test.is, places)
    else narrowCodes(column, test, places)
    return
  }
  const { values } = column
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } =
    'is' in test ? {} : test
  keepIf(places, (place) => (values[place] as number) >= from && (values[place] as number) <= to)
}

/** Compares codes, which have the order of their numbers. */
function narrowCodes(column: Codes, test: { from?: number; to?: number }, places: Places): void {
  const { codes, none } = column
  const first = test.from === undefined ? 0 : firstCode(column, test.from)
  const last = test.to === undefined ? none - 1 : lastCode(column, test.to)
  const { list } = places
  let length = 0
  for (let at = 0; at < places.length; at += 1) {
    const place = list[at] as number
    const code = codes[place] as number
    list[length] = place
    // Cheaper than a branch that is taken at random.
    length += Number(code >= first && code <= last)
  }
  places.length = length
}

/** The first code whose number is at least `from`. */
function firstCode({ base, scale, none }: Codes, from: number): number {
  let code = Math.max(0, Math.min(none, Math.floor(from * scale) - base - 1))
  while (code < none && (code + base) / scale < from) code += 1
  return code
}

/** The last code whose number is at most `to`; -1 for none. */
function lastCode({ base, scale, none }: Codes, to: number): number {
  let code = Math.max(-1, Math.min(none - 1, Math.ceil(to * scale) - base + 1))
  while (code >= 0 && (code + base) / scale > to) code -= 1
  return code
}

function narrowWords({ codes, words = [] }: Codes, is: (word: string) => boolean, places: Places) {
  // Codes of unknown ones are beyond the words.
  TABLE.fill(0)
  const table = TABLE
  for (const [code, word] of words.entries()) table[code] = is(word) ? 1 : 0
  const { list } = places
  let length = 0
  for (let at = 0; at < places.length; at += 1) {
    const place = list[at] as number
    list[length] = place
    length += table[codes[place] as number] as number
  }
  places.length = length
}

/** A block has fewer parcels, so that a code of a word has at most 16 bits. */
const TABLE = new Uint8Array(65_536)

function keepIf(places: Places, test: (place: number) => boolean): void {
  const { list } = places
  let length = 0
  for (let at = 0; at < places.length; at += 1) {
    const place = list[at] as number
    if (test(place)) list[length++] = place
  }
  places.length = length
}

export function pointAt(x: Column, y: Column, place: number): Point {
  return [numberAt(x, place) / UNITS_PER_DEGREE, numberAt(y, place) / UNITS_PER_DEGREE]
}
