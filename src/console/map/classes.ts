/** Classes of the map's colours: those of a county's parcels, the same wherever one looks in it. */
import type { FactBlock } from '../../store/facts/table.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'
import { showCounty } from '../show/words.ts'
import { eachFact } from './each-fact.ts'
import { MODE_FACTS, openModes, titleOf } from './modes.ts'

const CLASSES = 6
/** Most values of one fact that are sorted; of more, every n-th is taken. */
const VALUES_MAX = 300_000

/** `cuts`: where the second to the sixth class begin. `parcels`: those with a value. */
type Classes = { cuts: number[]; least: number; parcels: number }
/** The commonest first. */
type Kinds = { value: string; title: string; parcels: number }[]

/** By the name of a mode of the map; those without any value are absent. */
export type MapClasses = {
  county: string
  numbers: Record<string, Classes>
  kinds: Record<string, Kinds>
}

/** Reads the classes of a loaded county. */
export async function readMapClasses(
  reader: ParcelReader,
  county: CountyCoverage,
): Promise<MapClasses> {
  const every = Math.max(1, Math.ceil(county.parcels / VALUES_MAX))
  const { numbers, words } = openModes([county])
  const [numberModes, wordModes] = [Object.entries(numbers), Object.entries(words)]
  const { values, counts, kinds } = await eachFact(
    reader,
    {
      states: [county.state],
      tests: [{ fact: 'county', from: county.fips, to: county.fips }],
      facts: MODE_FACTS,
    },
    () => {
      const result = {
        values: new Map(Object.keys(numbers).map((name) => [name, [] as number[]])),
        counts: new Map<string, number>(),
        kinds: new Map(Object.keys(words).map((name) => [name, new Map<string, number>()])),
      }
      const visit = (block: FactBlock, place: number) => {
        for (const [name, read] of numberModes) {
          const value = read(block, place)
          if (Number.isNaN(value)) continue
          const before = result.counts.get(name) ?? 0
          result.counts.set(name, before + 1)
          if (before % every === 0) result.values.get(name)?.push(value)
        }
        for (const [name, read] of wordModes) {
          const word = read(block, place)
          const own = result.kinds.get(name)
          if (word !== '') own?.set(word, (own.get(word) ?? 0) + 1)
        }
      }
      return { visit, result }
    },
  )
  const classes = [...values].flatMap(([name, all]) =>
    all.length === 0 ? [] : [[name, cut(all, counts.get(name) ?? 0)]],
  )
  const listed = [...kinds].flatMap(([name, own]) =>
    own.size === 0 ? [] : [[name, list(name, own)]],
  )
  return {
    county: showCounty(county.fips),
    numbers: Object.fromEntries(classes),
    kinds: Object.fromEntries(listed),
  }
}

function list(mode: string, counts: ReadonlyMap<string, number>): Kinds {
  return [...counts]
    .sort((one, other) => other[1] - one[1])
    .map(([value, parcels]) => ({ value, title: titleOf(mode, value), parcels }))
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
