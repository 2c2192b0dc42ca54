/** Groups the parcels of a selection and computes measures of each group. */
import type { FactName } from '../../record/facts.ts'
import { type Column, numberAt, wordAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import { eachBlock, type Limits, type Selected } from './pick.ts'
import { factsOf, isWord, type Selection } from './select.ts'

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

type Summed = { groups: Group[]; total: number; outOfTime: boolean }

/** Returns all groups in no order. Throws `FactsChanged` when an import commits meanwhile. */
export async function sumUp(table: FactTable, asked: SumAsked, limits: Limits): Promise<Summed> {
  const { selection, groupings, measures } = asked
  const facts = [
    ...factsOf(selection),
    ...groupings.flatMap((one) => one.facts),
    ...measures.map(({ fact }) => fact),
  ]
  const sums = new Sums(asked)
  let total = 0
  for await (const selected of eachBlock(table, selection, facts, limits)) {
    if (selected === undefined) return { groups: sums.finish(), total, outOfTime: true }
    sums.add(selected)
    total += selected.length
  }
  return { groups: sums.finish(), total, outOfTime: false }
}

const NO_GROUP = 0xffffffff

/** Keys of groups, each with its number. */
class Sums {
  readonly #asked: SumAsked
  readonly #numbers = new Map<number | string, number>()
  readonly #keys: (number | string | null)[][] = []
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

  finish(): Group[] {
    const size = this.#keys.length
    const columns = this.#asked.measures.map(({ by }, at) =>
      (this.#gathered[at] as Gathered).finish(by, size),
    )
    return this.#keys.map((key, group) => ({
      key,
      firstId: this.#firstIds[group] as number,
      count: this.#counts[group] as number,
      values: columns.map((values) => {
        const value = values[group] as number
        return Number.isNaN(value) ? null : value
      }),
    }))
  }

  #numberOf(a: number | string | null, b: number | string | null, isPair: boolean): number {
    const name = isPair ? `${a ?? '\n'}\n${b ?? '\n'}` : (a ?? '\n')
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#keys.length
    this.#numbers.set(name, number)
    this.#keys.push(isPair ? [a, b] : [a])
    return number
  }
}

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
          key = make(isWord(fact) ? wordAt(column, place) : numberAt(column, place))
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
  finish(by: Measure['by'], size: number): Float64Array {
    const counts = new Uint32Array(size + 1)
    for (let at = 0; at < this.#length; at += 1) {
      ;(counts[(this.#groups[at] as number) + 1] as number) += 1
    }
    if (by === 'median') return this.#medians(counts, size)
    const sums = new Float64Array(size)
    for (let at = 0; at < this.#length; at += 1) {
      ;(sums[this.#groups[at] as number] as number) += this.#numbers[at] as number
    }
    return sums.map((sum, group) => {
      const count = counts[group + 1] as number
      if (count === 0) return Number.NaN
      // Sums of acres have four decimal places, and shares too.
      return Math.round((by === 'share' ? sum / count : sum) * 10_000) / 10_000
    })
  }

  #medians(counts: Uint32Array, size: number): Float64Array {
    const starts = counts
    for (let group = 1; group <= size; group += 1) {
      ;(starts[group] as number) += starts[group - 1] as number
    }
    const next = starts.slice()
    const sorted = new Float64Array(this.#length)
    for (let at = 0; at < this.#length; at += 1) {
      const group = this.#groups[at] as number
      sorted[next[group] as number] = this.#numbers[at] as number
      ;(next[group] as number) += 1
    }
    const medians = new Float64Array(size)
    for (let group = 0; group < size; group += 1) {
      medians[group] = medianOf(sorted.subarray(starts[group], starts[group + 1]))
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

/** The middle number, or the mean of the middle two; NaN for none. Sorts its argument. */
function medianOf(numbers: Float64Array): number {
  if (numbers.length === 0) return Number.NaN
  numbers.sort()
  const middle = numbers.length >> 1
  const upper = numbers[middle] as number
  return numbers.length % 2 === 1 ? upper : (upper + (numbers[middle - 1] as number)) / 2
}
