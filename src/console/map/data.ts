/** The map's data routes: classes, facts of a view, dots, and the parcels that meet filters. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { FACT_FILTERS, openWords, readFactTests } from '../../operations/find/fact-filters.ts'
import { readParameters } from '../../operations/parameters.ts'
import type { FactTest } from '../../operations/questions/select.ts'
import { openAsOf } from '../../operations/time/as-of.ts'
import type { CountyCoverage } from '../../store/store.ts'
import type { ConsoleContext } from '../context.ts'
import { type Filters, readConsoleFilters } from '../filters.ts'
import type { PageReply, Routes } from '../routes.ts'
import { showDate } from '../show/words.ts'
import { readTile } from './basemap.ts'
import { type MapClasses, readMapClasses } from './classes.ts'
import { DOTS_ZOOM_MAX, dotTiles } from './dots.ts'
import { findLastYear, readMapFacts } from './facts.ts'
import { searchShape } from './selection.ts'
import { readYear } from './years.ts'

const TILE_TYPE = 'application/vnd.mapbox-vector-tile'
const NOTHING: PageReply = { bytes: '', type: TILE_TYPE, status: 204 }
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
    if (tile === undefined || tile.z > DOTS_ZOOM_MAX) return NOTHING
    const filters = readConsoleFilters(query)
    const name = new URLSearchParams(filters).toString()
    const bytes = await dots(tile, { mode: params.mode ?? '', tests: testsOf(filters), name })
    if (bytes === undefined) return NOTHING
    return { bytes, type: TILE_TYPE, headers: { 'content-encoding': 'gzip' } }
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
    const classes = known.get(fips) ?? read()
    known.set(fips, classes)
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
