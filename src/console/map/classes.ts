/** Classes of the map's colours: quantiles of the loaded parcels, the same wherever one looks. */
import { numberAt } from '../../store/facts/chunk.ts'
import { type FactBlock, openFactTable } from '../../store/facts/table.ts'
import type { ParcelReader } from '../../store/store.ts'

const CLASSES = 6
/** Most values of one fact that are sorted; of more, every n-th is taken. */
const VALUES_MAX = 300_000
const DAY_MS = 86_400_000

const FACTS = ['marketValue', 'assessedValue', 'acres', 'transferDay', 'yearBuilt'] as const

/** `cuts`: where the second to the sixth class begin. `parcels`: those with a value. */
type Classes = { cuts: number[]; least: number; parcels: number }

/** By the name of a mode of the map; those without any value are absent. */
export type MapClasses = Record<string, Classes>

/** `states`: those that are loaded. `parcels`: how many they have. */
export async function readMapClasses(
  reader: ParcelReader,
  states: readonly string[],
  parcels: number,
): Promise<MapClasses> {
  const every = Math.max(1, Math.ceil(parcels / VALUES_MAX))
  const values = new Map(Object.keys(MODES).map((name) => [name, [] as number[]]))
  const counts = new Map<string, number>()
  for (const state of states) {
    const table = await openFactTable(reader, state)
    for await (const block of table.read(FACTS)) {
      for (const [name, read] of Object.entries(MODES)) {
        for (let place = 0; place < block.ids.length; place += 1) {
          const value = read(block, place)
          if (Number.isNaN(value)) continue
          const before = counts.get(name) ?? 0
          counts.set(name, before + 1)
          if (before % every === 0) values.get(name)?.push(value)
        }
      }
    }
  }
  return Object.fromEntries(
    [...values].flatMap(([name, all]) =>
      all.length === 0 ? [] : [[name, cut(all, counts.get(name) ?? 0)]],
    ),
  )
}

function cut(values: readonly number[], parcels: number): Classes {
  const sorted = Float64Array.from(values).sort()
  const least = sorted[0] as number
  const cuts = Array.from(
    { length: CLASSES - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / CLASSES)] as number,
  )
  return { cuts: [...new Set(cuts)].filter((one) => one > least), least, parcels }
}

type Read = (block: FactBlock, place: number) => number

const factOf =
  (fact: (typeof FACTS)[number]): Read =>
  ({ columns }, place) => {
    const column = columns[fact]
    return column === undefined ? Number.NaN : numberAt(column, place)
  }
const [market, assessed, acres] = [factOf('marketValue'), factOf('assessedValue'), factOf('acres')]
const [sold, built] = [factOf('transferDay'), factOf('yearBuilt')]

const dollarsOf: Read = (block, place) => {
  const value = market(block, place)
  return Number.isNaN(value) ? assessed(block, place) : value
}

/** NaN: unknown. */
const MODES: Record<string, Read> = {
  value: dollarsOf,
  valuePerAcre(block, place) {
    const area = acres(block, place)
    return area > 0 ? Math.round(dollarsOf(block, place) / area) : Number.NaN
  },
  saleYear: (block, place) => new Date(sold(block, place) * DAY_MS).getUTCFullYear(),
  yearBuilt: built,
}
