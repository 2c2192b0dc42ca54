/** Search: one box for everything; results, why each matched, and the API requests for them. */
import { countyByFips } from '../../regions/counties.ts'
import { type Asked, type ConsoleContext, operationOf } from '../context.ts'
import { priceOf } from '../prices.ts'
import { type LoadedPlace, readPoint, readQuestion } from '../question.ts'
import { showLines } from '../request-lines.ts'
import type { PageRequest, Routes } from '../routes.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import { explainMatch, showExplanation } from '../show/match-words.ts'
import { describeRecord, showCountyOf } from '../show/record-words.ts'
import { RESULT_MAP, showResultMap } from '../show/result-map.ts'
import { type FlatRecord, showCount, showCounty } from '../show/words.ts'
import { findSuggestions } from '../suggestions.ts'
import { linkOthers } from './parcel-others.ts'

const TEXT_MAX = 200

type Found = { asked: Asked; reading: string }
type Result = { record: FlatRecord; asked: Asked }

export function addSearchPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/', async () => ({ redirect: '/map' }))

  routes.get('/search', async ({ query }) => {
    const { text, within } = readAsked(query)
    const places = await listPlaces(context)
    const found = await search(context, text, narrow(places, within))
    const results = listResults(found)
    const body = html`${showForm(text, within, places)}
      ${text === '' ? showHints(places) : showResults(text, within, results, found)}
      ${await showQueries(context, found)}`
    return { title: 'Search', body, ...RESULT_MAP }
  })

  routes.get('/search.csv', async ({ query }) => {
    const { text, within } = readAsked(query)
    const found = await search(context, text, narrow(await listPlaces(context), within))
    const bytes = toCsv(listResults(found).map(({ record }) => record))
    const headers = { 'content-disposition': 'attachment; filename="parcels.csv"' }
    return { bytes, type: 'text/csv; charset=utf-8', headers }
  })

  routes.get('/suggest', async ({ query }) => {
    const { text, within } = readAsked(query)
    const places = narrow(await listPlaces(context), within)
    return { json: { suggestions: await findSuggestions(await context.parcels(), text, places) } }
  })

  routes.get('/parcel', (request) => showParcel(context, request))
}

/** The loaded counties, the largest first. */
export async function listPlaces(context: ConsoleContext): Promise<LoadedPlace[]> {
  const counties = await (await context.parcels()).coverage({ partial: true })
  return counties
    .sort((one, other) => other.parcels - one.parcels)
    .map(({ state, fips }) => ({
      state,
      fips: String(fips).padStart(5, '0'),
      name: showCounty(fips),
    }))
}

async function search(
  context: ConsoleContext,
  text: string,
  places: readonly LoadedPlace[],
): Promise<Found[]> {
  const attempts = readQuestion(text, places).flatMap((attempt) => {
    const operation = operationOf(attempt.operationId)
    if (operation === undefined) return []
    const explained = 'explain' in operation.parameters ? { explain: 'true' } : {}
    return [{ ...attempt, query: { ...attempt.query, ...explained } }]
  })
  return Promise.all(
    attempts.map(async ({ operationId, reading, query }) => ({
      asked: await context.ask(operationId, query),
      reading,
    })),
  )
}

/** Lists each parcel once, by the first attempt that found it. */
function listResults(found: Found[]): Result[] {
  const byId = new Map<unknown, Result>()
  for (const { asked } of found) {
    for (const record of recordsOf(asked)) {
      if (!byId.has(record.propertyId)) byId.set(record.propertyId, { record, asked })
    }
  }
  return [...byId.values()]
}

/** Returns the records of an answer; for a 300 the candidates. */
export function recordsOf({ status, body }: Asked): FlatRecord[] {
  if (status === 300) return body?.candidates ?? []
  if (status !== 200) return []
  return body?.properties ?? (body?.property === undefined ? [] : [body.property])
}

function readAsked(query: URLSearchParams) {
  const text = (query.get('q') ?? '').slice(0, TEXT_MAX).trim()
  return { text, within: query.get('in') ?? '' }
}

/** `within`: a state or a county's FIPS code; `''`: everywhere. */
function narrow(places: LoadedPlace[], within: string): LoadedPlace[] {
  if (within === '') return places
  return places.filter(({ state, fips }) => state === within || fips === within)
}

function showForm(text: string, within: string, places: LoadedPlace[]): Html {
  const states = [...new Set(places.map(({ state }) => state))].sort()
  const choices: [string, string][] = [
    ...(states.length > 1
      ? states.map((state): [string, string] => [state, `all of ${state}`])
      : []),
    ...places.map(({ fips, name, state }): [string, string] => [fips, `${name}, ${state}`]),
  ]
  return html`<form action="/search" class="row" role="search" aria-label="Search on this page">
<label class="grow">Address, parcel ID, owner or coordinates
<input name="q" type="search" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off"
list="suggestions" data-suggest></label>
<datalist id="suggestions"></datalist>
<label>In <select name="in"><option value="">all that is loaded</option>
${choices.map(
  ([value, name]) =>
    html`<option value="${value}"${value === within && html` selected`}>${name}</option>`,
)}</select></label>
<button>Search</button>
</form>`
}

function showHints(places: LoadedPlace[]): Html {
  if (places.length === 0) {
    return html`<div class="empty"><p>Nothing is loaded yet.</p>
      <p><a class="button" href="/imports">Import a county's roll</a></p></div>`
  }
  return html`<dl class="hints">
<div><dt>An address</dt><dd>1422 Oak St Apt 2, with or without city, state, ZIP</dd></div>
<div><dt>A parcel ID</dt><dd>0709-123-0101-4, with or without its punctuation</dd></div>
<div><dt>An owner</dt><dd>a surname, a full name in any order, or words of a company</dd></div>
<div><dt>Coordinates</dt><dd>43.0731, -89.4012</dd></div>
</dl>
<p class="note">Press <kbd>/</kbd> on any page to come to the search box.</p>`
}

function showResults(text: string, within: string, results: Result[], found: Found[]): Html {
  if (results.length === 0) return showNothing(text, found)
  const csv = `/search.csv?${new URLSearchParams({ q: text, in: within })}`
  const isPart = found.some(({ asked }) => isCut(asked))
  return html`<p class="summary" role="status">${isPart && 'The first '}${showCount(results.length)}
    ${results.length === 1 ? 'parcel' : 'parcels'} · <a href="${csv}" download>Download as CSV</a>
    </p>
<div class="found"><ol class="results">${results.map(showResult)}</ol>
${showResultMap(
  results.map(({ record }) => record),
  operationOf('tile') !== undefined,
)}</div>`
}

/** Reports whether an answer has its maximum length, so that there may be more. */
function isCut({ query, body }: Asked): boolean {
  return query.limit !== undefined && body?.properties?.length === Number(query.limit)
}

function showResult({ record, asked }: Result, at: number): Html {
  const { title } = describeRecord(record)
  const county = `${showCountyOf(record)}${record.state ? `, ${record.state}` : ''}`
  const id = String(record.parcelId ?? record.propertyId ?? '')
  const owner = record.ownerName ? `${record.ownerName} · ` : ''
  return html`<li><span class="at">${at + 1}</span><a href="${parcelPath(record)}">${title}</a>
<span class="where">${owner}${id} · ${county}</span>
<details><summary>Why this matched</summary>${explainMatch(asked, record)}</details></li>`
}

function showNothing(text: string, found: Found[]): Html {
  const point = readPoint(text)
  const refusals = [
    ...new Set(found.flatMap(({ asked }) => (asked.status === 404 ? [] : (asked.refusal ?? [])))),
  ]
  return html`<div class="empty" role="status"><p>Nothing was found for “${text}”.</p>
${refusals.map((refusal) => html`<p class="error">${refusal}</p>`)}
${
  point !== undefined
    ? html`<p><a class="button" href="/map#17/${point[0]}/${point[1]}">Show this place on the
    map</a></p>`
    : html`<p>Try less: a house number with the street's name, a surname alone, or the parcel ID
    without its ending.
      <a href="/coverage">Coverage</a> lists the counties that are loaded.</p>`
}</div>`
}

/** Shows each query with its answer, cost, and its request in a program. */
async function showQueries(context: ConsoleContext, found: Found[]): Promise<Html> {
  if (found.length === 0) return html``
  const shown = [...found].sort((one, other) => one.asked.status - other.asked.status).slice(0, 12)
  const items = await Promise.all(
    shown.map(async ({ asked, reading }) => {
      const cost = await priceOf(context, asked.operation)
      return html`<li><details><summary>${reading}: ${describeStatus(asked)}
        <span class="note">${asked.ms} ms ·
        ${cost === 0 ? 'free' : `${cost} token${cost === 1 ? '' : 's'} for a caller`}</span>
        </summary>
        ${showLines(context, asked)}${showExplanation(asked)}</details></li>`
    }),
  )
  const more = found.length - shown.length
  return html`<section><h2>What was asked</h2><ul class="queries">${items}</ul>
    ${
      more > 0 &&
      html`<p class="note">and ${more} more counties, with nothing
    found</p>`
    }</section>`
}

function describeStatus(asked: Asked): string {
  if (asked.status !== 200) return asked.refusal ?? `answered ${asked.status}`
  const count = recordsOf(asked).length
  return `${showCount(count)} found`
}

/** Asks for the parcel of a property ID, such as `12001-00001-000-001`. */
export function askForParcel(context: ConsoleContext, propertyId: string): Promise<Asked> {
  const { fips, parcelId } = splitId(propertyId)
  const state = countyByFips(Number(fips))?.state ?? ''
  return context.ask('parcelIdLookup', { state, county: fips, parcelId })
}

function splitId(propertyId: unknown): { fips: string; parcelId: string } {
  const [, fips = '', parcelId = ''] = /^(\d{5})-(.*)$/.exec(String(propertyId)) ?? []
  return { fips, parcelId }
}

/** The page of a parcel. */
export function parcelPath({ propertyId }: FlatRecord): string {
  const { fips, parcelId } = splitId(propertyId)
  return `/parcel?${new URLSearchParams({ county: fips, parcelId })}`
}

async function showParcel(context: ConsoleContext, { query }: PageRequest) {
  const id = `${query.get('county') ?? ''}-${query.get('parcelId') ?? ''}`
  const asked = await askForParcel(context, id)
  const [record] = recordsOf(asked)
  if (record === undefined) {
    const body = html`<p>${asked.refusal ?? 'There is no such parcel.'}</p>
    <p><a href="/search">Search</a></p>`
    return { title: 'No such parcel', body, status: 404 }
  }
  const { title, facts, source } = describeRecord(record)
  const body = html`<div class="found"><div>
  <dl class="facts">${facts.map(
    ([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd>
  </div>`,
  )}</dl>
<p class="note">${source}</p></div>
${showResultMap([record], operationOf('tile') !== undefined)}</div>
<nav class="actions" aria-label="About this parcel">${await showActions(context, record)}
${await linkOthers(context, record)}</nav>
<section><h2>Ask for it by program</h2>${showLines(context, asked)}</section>
<details><summary>The whole record</summary><pre>${JSON.stringify(record, null, 2)}</pre></details>`
  return { title, body, status: 200, ...RESULT_MAP }
}

/** Shows the links from a parcel, with their price for callers. */
async function showActions(context: ConsoleContext, record: FlatRecord): Promise<Html[]> {
  const links: [operationId: string, title: string, path: string | undefined][] = [
    ['', 'On the map', mapPath(record)],
    ['premiumOwnerSearch', 'Parcels under this name', ownerPath(record)],
  ]
  return Promise.all(
    links.map(async ([operationId, title, path]) => {
      if (path === undefined) return html``
      const operation = operationOf(operationId)
      const cost = operation === undefined ? 0 : await priceOf(context, operation)
      const price = cost > 0 && html` <small>${cost} ${cost === 1 ? 'token' : 'tokens'}</small>`
      return html`<a class="button" href="${path}">${title}${price}</a>`
    }),
  )
}

function mapPath({ latitude, longitude }: FlatRecord): string | undefined {
  return typeof latitude === 'number' ? `/map#18/${latitude}/${String(longitude)}` : undefined
}

function ownerPath({ ownerName1, state }: FlatRecord): string | undefined {
  if (typeof ownerName1 !== 'string' || ownerName1 === '') return undefined
  return `/search?${new URLSearchParams({ q: ownerName1, in: String(state) })}`
}
