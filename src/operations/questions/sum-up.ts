/** Groups the parcels of a selection and computes measures of each group. */
import { FACTS, type FactName } from '../../record/facts.ts'
import { type Column, numberAt, wordAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import { Numbering } from './numbering.ts'
import { BestOf, eachBlock, type Limits, type Selected, TURN_MS } from './pick.ts'
import { factsOf, type Selection } from './select.ts'

/** How a measure follows from a fact of the group's parcels. */
export type Measure = { name: string; fact: FactName; by: 'sum' | 'median' | 'share' }

/** The key of a group; `null`: unknown. `undefined`: the parcel is in no group. */
type Key = number | string | null | undefined

/** What parcels are grouped by. `open` returns a function from a place in a block to its key. */
export type Grouping = {
  facts: readonly FactName[]
  open(block: FactBlock): (place: number) => Key
}

type SumAsked = {
  selection: Selection
  groupings: readonly Grouping[]
  measures: readonly Measure[]
  /** The place of the measure by which groups are ordered, descending; -1: by count. */
  orderAt: number
  most: number
}

export type Group = {
  /** A key for each grouping; `null`: unknown. */
  key: (number | string | null)[]
  /** The lowest record ID of the group. */
  firstId: number
  count: number
  /** By measure; `null` where no parcel has its fact. */
  values: (number | null)[]
}

type Summed = { groups: Group[]; count: number; total: number; outOfTime: boolean }

/** The first groups by a measure, and their number. Throws `FactsChanged` after an import. */
export async function sumUp(table: FactTable, asked: SumAsked, limits: Limits): Promise<Summed> {
  const { selection, groupings, measures } = asked
  const facts = [
    ...factsOf(selection),
    ...groupings.flatMap((one) => one.facts),
    ...measures.map(({ fact }) => fact),
  ]
  const sums = new Sums(asked)
  let [total, outOfTime] = [0, false]
  for await (const selected of eachBlock(table, selection, facts, limits)) {
    if (selected === undefined) {
      outOfTime = true
      break
    }
    sums.add(selected)
    total += selected.length
  }
  return { groups: await sums.finish(openTurns(limits)), count: sums.size, total, outOfTime }
}

const NO_GROUP = 0xffffffff

/** Waits after some milliseconds of work, so that other requests are answered. */
type Turns = () => Promise<void>
/** Numbers worked on between two looks at the clock. */
const STEP = 4096

function openTurns({ pause }: Limits): Turns {
  let turn = performance.now()
  return async () => {
    if (performance.now() - turn < TURN_MS) return
    await pause()
    turn = performance.now()
  }
}

/** Keys of groups, each with its number. */
class Sums {
  readonly #asked: SumAsked
  readonly #first = new Numbering()
  readonly #second = new Numbering()
  readonly #pairs = new Numbering()
  readonly #keys: (number | string | null)[] = []
  /** Of the second grouping, if there is one. */
  readonly #others: (number | string | null)[] = []
  readonly #firstIds: number[] = []
  readonly #counts: number[] = []
  readonly #gathered: Gathered[]

  constructor(asked: SumAsked) {
    this.#asked = asked
    this.#gathered = asked.measures.map(() => new Gathered())
  }

  add({ block, list, length }: Selected): void {
    const { groupings, measures } = this.#asked
    const places = list.subarray(0, length)
    const [first, second] = groupings.map((one) => one.open(block))
    const groups = new Uint32Array(length)
    for (let at = 0; at < length; at += 1) {
      const place = places[at] as number
      const a = first === undefined ? null : first(place)
      const b = second === undefined ? null : second(place)
      if (a === undefined || b === undefined) {
        groups[at] = NO_GROUP
        continue
      }
      const group = this.#numberOf(a, b, second !== undefined)
      groups[at] = group
      if (this.#counts[group] === undefined) {
        this.#counts[group] = 0
        this.#firstIds[group] = block.ids[place] as number
      }
      ;(this.#counts[group] as number) += 1
    }
    for (const [number, { fact }] of measures.entries()) {
      this.#gathered[number]?.add(block.columns[fact] as Column, places, groups)
    }
  }

  get size(): number {
    return this.#keys.length
  }

  /** Unknown measures come last; ties are by the lowest record ID. */
  async finish(turns: Turns): Promise<Group[]> {
    const { orderAt, most, measures, groupings } = this.#asked
    const columns: Float64Array[] = []
    for (const [at, { by }] of measures.entries()) {
      columns.push(await (this.#gathered[at] as Gathered).finish(by, this.size, turns))
    }
    const sizes = orderAt === -1 ? this.#counts : (columns[orderAt] as Float64Array)
    const best = new BestOf(most, undefined)
    for (let group = 0; group < this.size; group += 1) {
      const size = sizes[group] as number
      const key = Number.isNaN(size) ? Number.POSITIVE_INFINITY : -size
      if (key <= best.worst) best.add(key, this.#firstIds[group] as number, group)
      if (group % STEP === 0) await turns()
    }
    return best.list().map(({ of: group }) => ({
      key: groupings.map((_, at) => (at === 0 ? this.#keys : this.#others)[group] ?? null),
      firstId: this.#firstIds[group] as number,
      count: this.#counts[group] as number,
      values: columns.map((values) => {
        const value = values[group] as number
        return Number.isNaN(value) ? null : value
      }),
    }))
  }

  #numberOf(a: number | string | null, b: number | string | null, isPair: boolean): number {
    const first = this.#first.of(a)
    const number = isPair ? this.#pairs.of(first * PAIRED + this.#second.of(b)) : first
    if (number === this.#keys.length) {
      this.#keys.push(a)
      if (isPair) this.#others.push(b)
    }
    return number
  }
}

/** More keys than a grouping has. */
const PAIRED = 2 ** 26

/** Groups by one fact. `show` turns a number or word into the key that is compared. */
export function groupBy(
  fact: FactName,
  show: (value: number | string) => number | string | null = (value) => value,
): Grouping {
  const make = (value: number | string): Key =>
    value === '' || Number.isNaN(value) ? null : show(value)
  return {
    facts: [fact],
    open({ columns }) {
      const column = columns[fact] as Column
      if (column.kind === 'values') return (place) => make(column.values[place] as number)
      const { codes } = column
      // The key of a code is made once for a block.
      const known = new Map<number, Key>()
      return (place) => {
        const code = codes[place] as number
        let key = known.get(code)
        if (key === undefined) {
          key = make(FACTS[fact].type === 'word' ? wordAt(column, place) : numberAt(column, place))
          known.set(code, key)
        }
        return key
      }
    },
  }
}

/** The known numbers of one fact with their groups. */
class Gathered {
  #groups = new Uint32Array(1024)
  #numbers = new Float64Array(1024)
  #length = 0

  add(column: Column, places: Uint16Array, groups: Uint32Array): void {
    this.#reserve(places.length)
    for (let at = 0; at < places.length; at += 1) {
      const value = numberAt(column, places[at] as number)
      if (Number.isNaN(value) || groups[at] === NO_GROUP) continue
      this.#groups[this.#length] = groups[at] as number
      this.#numbers[this.#length] = value
      this.#length += 1
    }
  }

  /** Returns a value for each group; NaN where it has no number. */
  async finish(by: Measure['by'], size: number, turns: Turns): Promise<Float64Array> {
    const starts = new Uint32Array(size + 1)
    const sums = new Float64Array(size)
    for (let at = 0; at < this.#length; at += 1) {
      const group = this.#groups[at] as number
      ;(starts[group + 1] as number) += 1
      ;(sums[group] as number) += this.#numbers[at] as number
      if (at % STEP === 0) await turns()
    }
    if (by === 'median') return this.#medians(starts, size, turns)
    for (let group = 0; group < size; group += 1) {
      const count = starts[group + 1] as number
      const value = (sums[group] as number) / (by === 'share' ? count : 1)
      // Sums of acres have four decimal places, and shares too.
      sums[group] = count === 0 ? Number.NaN : Math.round(value * 10_000) / 10_000
      if (group % STEP === 0) await turns()
    }
    return sums
  }

  async #medians(starts: Uint32Array, size: number, turns: Turns): Promise<Float64Array> {
    for (let group = 1; group <= size; group += 1) {
      ;(starts[group] as number) += starts[group - 1] as number
    }
    const next = starts.slice()
    const sorted = new Float64Array(this.#length)
    for (let at = 0; at < this.#length; at += 1) {
      const group = this.#groups[at] as number
      sorted[next[group] as number] = this.#numbers[at] as number
      ;(next[group] as number) += 1
      if (at % STEP === 0) await turns()
    }
    const medians = new Float64Array(size)
    let done = 0
    for (let group = 0; group < size; group += 1) {
      const [from, to] = [starts[group] as number, starts[group + 1] as number]
      medians[group] =
        to - from === 1
          ? (sorted[from] as number)
          : await medianOf(sorted.subarray(from, to), turns)
      done += to - from + 1
      if (done < STEP) continue
      done = 0
      await turns()
    }
    return medians
  }

  #reserve(more: number): void {
    const wanted = this.#length + more
    if (wanted <= this.#groups.length) return
    const size = Math.max(wanted, this.#groups.length * 2)
    const [groups, numbers] = [new Uint32Array(size), new Float64Array(size)]
    groups.set(this.#groups.subarray(0, this.#length))
    numbers.set(this.#numbers.subarray(0, this.#length))
    this.#groups = groups
    this.#numbers = numbers
  }
}

/** Numbers that are sorted at once, which takes some milliseconds. */
const SORTED_AT_ONCE = 32_768

/** The middle number, or the mean of the middle two; NaN for none. Moves its argument's numbers. */
async function medianOf(numbers: Float64Array, turns: Turns): Promise<number> {
  if (numbers.length === 0) return Number.NaN
  const middle = numbers.length >> 1
  await putInPlace(numbers, middle, turns)
  const upper = numbers[middle] as number
  if (numbers.length % 2 === 1) return upper
  let lower = Number.NEGATIVE_INFINITY
  for (let at = 0; at < middle; at += 1) lower = Math.max(lower, numbers[at] as number)
  return (upper + lower) / 2
}

/** Moves numbers until the one at `place` is where sorting puts it, with none greater before it. */
async function putInPlace(numbers: Float64Array, place: number, turns: Turns): Promise<void> {
  let [from, to] = [0, numbers.length]
  while (to - from > SORTED_AT_ONCE) {
    const [first, last] = [numbers[from] as number, numbers[to - 1] as number]
    const pivot = [first, numbers[(from + to) >> 1] as number, last].sort((a, b) => a - b)[1]
    const { less, equal } = partition(numbers, [from, to], pivot as number)
    await turns()
    if (place < less) to = less
    else if (place < equal) return
    else from = equal
  }
  numbers.subarray(from, to).sort()
}

/** Moves smaller numbers to the front, and returns where equal ones begin and end. */
function partition(numbers: Float64Array, [from, to]: [number, number], pivot: number) {
  let [less, at, end] = [from, from, to]
  while (at < end) {
    const one = numbers[at] as number
    if (one === pivot) at += 1
    else if (one < pivot) {
      numbers[at++] = numbers[less] as number
      numbers[less++] = one
    } else {
      numbers[at] = numbers[--end] as number
      numbers[end] = one
    }
  }
  return { less, equal: end }
}
