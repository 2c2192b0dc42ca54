/** Summary: groups of parcels as bars, a table and a CSV, by the operation `propertySummary`. */
import { type Asked, type ConsoleContext, operationOf, type Routes } from '../context.ts'
import {
  type Filters,
  readConsoleFilters,
  showChips,
  showFilters,
  withoutEmpty,
} from '../filters.ts'
import type { LoadedPlace } from '../question.ts'
import { showLines } from '../request-lines.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import {
  sendCsv,
  showBar,
  showEmpty,
  showNothingLoaded,
  showOptions,
  showTable,
} from '../show/parts.ts'
import {
  countOf,
  type FlatRecord,
  showCount,
  showCounty,
  showDollars,
  showField,
  wordsOf,
} from '../show/words.ts'
import { listPlaces, showPlaces } from './search.ts'

const TOP = '100'
/** Bars shown; the table below has all groups. */
const BARS_MAX = 25

type Question = { within: string; groupBy: string; measure: string; filters: Filters }
type Group = { key: Record<string, string | number | null>; count: number } & FlatRecord

export function addSummaryPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/summary', async ({ query }) => {
    const clean = withoutEmpty(query)
    if (clean !== undefined) return { redirect: `/summary?${clean}` }
    const places = await listPlaces(context)
    const question = readQuestion(query, places)
    if (places.length === 0) {
      return { title: 'Summary', body: showNothingLoaded() }
    }
    const asked = await sumUp(context, question, places)
    const body = html`${showForm(question, places)}${showChips('/summary', query, question.filters)}
${showAnswer(asked, question, query)}
<section><h2>Ask for it by program</h2>${showLines(context, asked)}</section>`
    return { title: 'Summary', body }
  })

  routes.get('/summary.csv', async ({ query }) => {
    const places = await listPlaces(context)
    const question = readQuestion(query, places)
    const { body } = await sumUp(context, question, places)
    const groups: Group[] = body?.groups ?? []
    return sendCsv(
      'summary',
      toCsv(groups.map(({ key, ...measures }) => ({ ...key, ...measures }))),
    )
  })
}

/** The values that the operation takes for a parameter. */
function valuesOf(name: string): string[] {
  const parameter = operationOf('propertySummary')?.parameters[name]
  return parameter !== undefined && 'values' in parameter ? [...(parameter.values ?? [])] : []
}

/** A place that is not loaded, or none, is the largest county. */
function readQuestion(query: URLSearchParams, places: readonly LoadedPlace[]): Question {
  const choose = (name: string, values: readonly string[], otherwise: string) => {
    const given = query.get(name) ?? ''
    return values.includes(given) ? given : otherwise
  }
  const known = places.flatMap(({ state, fips }) => [state, fips])
  return {
    within: choose('in', known, places[0]?.fips ?? ''),
    groupBy: choose('groupBy', valuesOf('groupBy'), 'city'),
    measure: choose('measure', valuesOf('measure'), 'count'),
    filters: readConsoleFilters(query),
  }
}

function sumUp(
  context: ConsoleContext,
  { within, groupBy, measure, filters }: Question,
  places: readonly LoadedPlace[],
): Promise<Asked> {
  const county = places.find(({ fips }) => fips === within)
  return context.ask('propertySummary', {
    state: county?.state ?? within,
    ...(county !== undefined && { county: within }),
    ...filters,
    groupBy,
    ...(measure !== 'count' && { measure, orderBy: measure }),
    top: TOP,
  })
}

function showForm({ within, groupBy, measure, filters }: Question, places: LoadedPlace[]): Html {
  const choose = (name: string, label: string, chosen: string) => html`<label>${label}
<select name="${name}">${showOptions(
    valuesOf(name).map((value) => [value, nameOf(value)] as const),
    chosen,
  )}</select></label>`
  return html`<form action="/summary" class="row" aria-label="What to sum up">
<label>In <select name="in">${showPlaces(places, within)}</select></label>
${choose('groupBy', 'By', groupBy)}${choose('measure', 'Show', measure)}
<button>Sum up</button>
${showFilters(filters)}
</form>`
}

const NAMES = wordsOf('summaries')

function nameOf(name: string): string {
  return NAMES[name] ?? showField(name)
}

function showAnswer(asked: Asked, { groupBy, measure }: Question, query: URLSearchParams): Html {
  if (asked.status !== 200) {
    return showEmpty(html`<span class="error">${asked.refusal ?? 'The summary failed.'}</span>`)
  }
  const { groups, metadata } = asked.body as {
    groups: Group[]
    metadata: { total: number; groups: number; complete: boolean }
  }
  if (groups.length === 0) {
    return showEmpty('No parcel meets all filters.', 'Remove a filter, or choose another place.')
  }
  const most = Math.max(...groups.map((group) => sizeOf(group, measure)))
  const isPart = metadata.groups > groups.length
  const counts = `${countOf(metadata.total, 'parcel')} in ${countOf(metadata.groups, 'group')}`
  return html`<p class="summary" role="status">${counts}${
    isPart && `, the largest ${groups.length} here`
  }${
    !metadata.complete && '; the time limit came before all were read'
  } · <a href="/summary.csv?${query.toString()}" download>Download as CSV</a></p>
${showTable(
  groups,
  [
    [nameOf(groupBy), ({ key }) => nameGroup(groupBy, key[groupBy])],
    [
      html`<span class="hidden">Bar</span>`,
      (group, at) => at < BARS_MAX && showBar(most > 0 ? sizeOf(group, measure) / most : 0),
      'track-cell',
    ],
    measure !== 'count' && [
      nameOf(measure),
      (group) => showMeasure(measure, group[measure]),
      'number',
    ],
    ['parcels', ({ count }) => showCount(count), 'number'],
  ],
  { label: 'Groups', className: 'bars' },
)}`
}

function sizeOf(group: Group, measure: string): number {
  const value = group[measure]
  return typeof value === 'number' ? value : 0
}

function nameGroup(groupBy: string, key: string | number | null | undefined): string {
  if (key == null) return 'unknown'
  if (groupBy === 'county' && typeof key === 'number') return showCounty(key)
  return groupBy === 'yearBuiltDecade' ? `${key}s` : String(key)
}

function showMeasure(measure: string, value: unknown): string {
  if (typeof value !== 'number') return '–'
  if (measure === 'ownerOccupiedShare') return `${Math.round(value * 100)} %`
  return measure === 'sumAcres' ? showCount(Math.round(value)) : (showDollars(value) ?? '–')
}
