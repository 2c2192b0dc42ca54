/** Summary: groups of parcels as bars, a table and a CSV, by the operation `propertySummary`. */
import { type Asked, type ConsoleContext, operationOf } from '../context.ts'
import {
  type Filters,
  readConsoleFilters,
  showChips,
  showFilters,
  withoutEmpty,
} from '../filters.ts'
import type { LoadedPlace } from '../question.ts'
import { showLines } from '../request-lines.ts'
import type { Routes } from '../routes.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import { type FlatRecord, showCount, showCounty, showDollars, showField } from '../show/words.ts'
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
      const body = html`<div class="empty"><p>Nothing is loaded yet.</p>
<p><a class="button" href="/imports">Import a county's roll</a></p></div>`
      return { title: 'Summary', body }
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
    const bytes = toCsv(groups.map(({ key, ...measures }) => ({ ...key, ...measures })))
    const headers = { 'content-disposition': 'attachment; filename="summary.csv"' }
    return { bytes, type: 'text/csv; charset=utf-8', headers }
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
<select name="${name}">${valuesOf(name).map(
    (value) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${nameOf(
        value,
      )}</option>`,
  )}</select></label>`
  return html`<form action="/summary" class="row" aria-label="What to sum up">
<label>In <select name="in">${showPlaces(places, within)}</select></label>
${choose('groupBy', 'By', groupBy)}${choose('measure', 'Show', measure)}
<button>Sum up</button>
${showFilters(filters)}
</form>`
}

const NAMES: Record<string, string> = {
  count: 'number of parcels',
  useStandardCode: 'use',
  ownerState: "owner's state",
  yearBuiltDecade: 'decade built',
  sumAcres: 'acres in all',
  sumMarketValue: 'market value in all',
  sumAssessedValue: 'assessed value in all',
  ownerOccupiedShare: 'share lived in by the owner',
}

function nameOf(name: string): string {
  return NAMES[name] ?? showField(name)
}

function showAnswer(asked: Asked, { groupBy, measure }: Question, query: URLSearchParams): Html {
  if (asked.status !== 200) {
    return html`<div class="empty" role="status"><p class="error">${
      asked.refusal ?? 'The summary failed.'
    }</p></div>`
  }
  const { groups, metadata } = asked.body as {
    groups: Group[]
    metadata: { total: number; groups: number; complete: boolean }
  }
  if (groups.length === 0) {
    return html`<div class="empty" role="status"><p>No parcel meets all filters.</p>
<p>Remove a filter, or choose another place.</p></div>`
  }
  const most = Math.max(...groups.map((group) => sizeOf(group, measure)))
  const rows = groups.map((group, at) => showGroup(group, { groupBy, measure, most, at }))
  const isPart = metadata.groups > groups.length
  return html`<p class="summary" role="status">${showCount(metadata.total)}
${metadata.total === 1 ? 'parcel' : 'parcels'} in ${showCount(metadata.groups)}
${metadata.groups === 1 ? 'group' : 'groups'}${isPart && `, the largest ${groups.length} here`}${
  !metadata.complete && '; the time limit came before all were read'
} · <a href="/summary.csv?${query.toString()}" download>Download as CSV</a></p>
<div class="scroll" tabindex="0" role="region" aria-label="Groups"><table class="bars"><thead><tr>
<th scope="col">${nameOf(groupBy)}</th><th scope="col"><span class="hidden">Bar</span></th>
${measure !== 'count' && html`<th scope="col" class="number">${nameOf(measure)}</th>`}
<th scope="col" class="number">parcels</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

type Showing = { groupBy: string; measure: string; most: number; at: number }

function showGroup(group: Group, { groupBy, measure, most, at }: Showing): Html {
  const width = most > 0 ? Math.round((sizeOf(group, measure) / most) * 1000) / 10 : 0
  const bar = html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect
class="bar" width="${Math.max(0, width)}" height="8"/></svg>`
  return html`<tr><th scope="row">${nameGroup(groupBy, group.key[groupBy])}</th>
<td class="track-cell">${at < BARS_MAX && bar}</td>
${measure !== 'count' && html`<td class="number">${showMeasure(measure, group[measure])}</td>`}
<td class="number">${showCount(group.count)}</td></tr>`
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
