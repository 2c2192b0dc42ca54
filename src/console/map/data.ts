/** The map's data routes: classes, facts of a view, dots, and the parcels that meet filters. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { FACT_FILTERS, openWords, readFactTests } from '../../operations/find/fact-filters.ts'
import { readParameters } from '../../operations/parameters.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import { openAsOf } from '../../operations/time/as-of.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { type Filters, readConsoleFilters } from '../filters.ts'
import { showCounty, showDate } from '../show/words.ts'
import { GZIP, readTile, sendTile } from './basemap.ts'
import { DOTS_ZOOM_MAX, dotTiles } from './dots.ts'
import { findLastYear, readMapFacts } from './facts.ts'
import { eachFact, MODE_FACTS, openModes, titleOf } from './modes.ts'
import { searchShape } from './selection.ts'
import { readYear } from './years.ts'

/** Most parcels of a view that are said to meet the filters. */
const MATCHES_MAX = 5000

export function addMapData(routes: Routes, context: ConsoleContext): void {
  const classes = keepClasses(context)
  routes.get('/classes.json', async ({ query }) => ({
    json: await classes(Number(query.get('county'))),
  }))

  routes.get('/facts.json', async ({ query }) => {
    const [west, south, east, north] = readBox(query)
    const [mode, owner] = [query.get('mode') ?? '', query.get('owner') === 'yes']
    const year = readYear(query)
    const facts = await readMapFacts(
      openAsOf(await context.parcels(), year),
      { west, south, east, north },
      { mode, owner, isPast: year !== undefined },
    )
    return { json: { facts } }
  })

  routes.get('/matches.json', async ({ query }) => {
    const filters = readConsoleFilters(query)
    const place = { bbox: readBox(query).join() }
    const { records } = await searchShape(
      context,
      { ...filters, ...place },
      MATCHES_MAX,
      'propertyId',
    )
    return { json: { ids: records.map(({ propertyId }) => propertyId) } }
  })

  const dots = dotTiles(context.parcels)
  routes.get('/dots/:mode/:z/:x/:y', async ({ params, query }) => {
    const tile = readTile(params)
    if (tile === undefined || tile.z > DOTS_ZOOM_MAX) return sendTile(undefined)
    const filters = readConsoleFilters(query)
    const name = new URLSearchParams(filters).toString()
    const asked = { mode: params.mode ?? '', tests: testsOf(filters), name }
    return sendTile(await dots(tile, asked), GZIP)
  })
}

type Sides = [west: number, south: number, east: number, north: number]

/** Throws *bad request*. */
function readBox(query: URLSearchParams): Sides {
  const sides = (query.get('box') ?? '').split(',').map(Number)
  if (sides.length === 4 && sides.every(Number.isFinite)) return sides as Sides
  throw refuse.badRequest('box is west,south,east,north in degrees')
}

type Answer = MapClasses & {
  /** The roll that values are compared with: its year, or `15 March 2024` within one. */
  lastYear: string | null
}

/** Returns the classes of a county, or of the largest; they are read once for a version. */
function keepClasses({ parcels }: ConsoleContext): (fips: number) => Promise<Answer | object> {
  let version = ''
  const known = new Map<number, Promise<Answer>>()
  return async (asked) => {
    const reader = await parcels()
    const now = await reader.version()
    if (version !== now) known.clear()
    version = now
    const counties = await reader.coverage({ partial: true })
    const [largest] = counties.toSorted((one, other) => other.parcels - one.parcels)
    const county = joinScopes(counties, asked) ?? largest
    if (county === undefined) return {}
    const { fips, state } = county
    const read = async (): Promise<Answer> => {
      const [found, days] = await Promise.all([
        readMapClasses(reader, county),
        findLastYear(reader, state),
      ])
      const day = days.get(fips)
      return { ...found, lastYear: day === undefined ? null : nameRoll(day) }
    }
    const classes = known.getOrInsertComputed(fips, read)
    // A reading that failed is tried again.
    classes.catch(() => known.delete(fips))
    return classes
  }
}

function nameRoll(day: number): string {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
  return date.endsWith('-01-01') ? date.slice(0, 4) : (showDate(date) ?? date)
}

/** A county may be loaded in several scopes, one a municipality. */
function joinScopes(counties: readonly CountyCoverage[], fips: number): CountyCoverage | undefined {
  const own = counties.filter((one) => one.fips === fips)
  const parcels = own.reduce((sum, one) => sum + one.parcels, 0)
  return own[0] && { ...own[0], parcels }
}

/** Throws *bad request* for a value that is none. */
function testsOf({ city, zipCode, ...facts }: Filters): FactTest[] {
  const values = readParameters(FACT_FILTERS, new URLSearchParams(facts).toString())
  const words = [
    ['city', city],
    ['zip', zipCode],
  ] as const
  return [
    ...readFactTests(values),
    ...words.flatMap(([fact, text]) =>
      text === undefined ? [] : [{ fact, is: openWords(text.split(',')) }],
    ),
  ]
}

const CLASSES = 6
/** Most values of one fact that are sorted; of more, every n-th is taken. */
const VALUES_MAX = 300_000

/** `cuts`: where the second to the sixth class begin. `parcels`: those with a value. */
type Classes = { cuts: number[]; least: number; parcels: number }
/** The commonest first. */
type Kinds = { value: string; title: string; parcels: number }[]

/** By the name of a mode of the map; those without any value are absent. */
type MapClasses = {
  county: string
  numbers: Record<string, Classes>
  kinds: Record<string, Kinds>
}

async function readMapClasses(reader: ParcelReader, county: CountyCoverage): Promise<MapClasses> {
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
