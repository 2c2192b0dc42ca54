/** Search: one box for everything; results, why each matched, and the API requests for them. */
import { isSupportId } from '../../accounts/whois.ts'
import { STATUS } from '../../base/errors.ts'
import { PAGING } from '../../operations/questions/question.ts'
import { fipsCode } from '../../regions/counties.ts'
import {
  type Asked,
  askForParcel,
  type ConsoleContext,
  operationOf,
  type PageRequest,
  type Routes,
  recordsOf,
} from '../context.ts'
import {
  type Filters,
  readConsoleFilters,
  showChips,
  showFilters,
  withoutEmpty,
} from '../filters.ts'
import { priceOf, showPriced } from '../prices.ts'
import {
  FILTERED_MAX,
  type LoadedPlace,
  readFiltered,
  readPoint,
  readQuestion,
} from '../question.ts'
import { showLines } from '../request-lines.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import { explainMatch, showExplanation, showOrigins } from '../show/match-words.ts'
import {
  type Column,
  noParcel,
  readWhole,
  sendCsv,
  showNothingLoaded,
  showOptions,
  showPages,
} from '../show/parts.ts'
import { describeRecord, parcelPath, showCountyOf } from '../show/record-words.ts'
import { RESULT_MAP, showResultMap } from '../show/result-map.ts'
import {
  countOf,
  type FlatRecord,
  showCount,
  showCounty,
  showDollars,
  showName,
  wordsOf,
} from '../show/words.ts'
import { linkHistory } from './parcel-history.ts'
import { linkOthers } from './parcel-others.ts'
import { linkWatch } from './watches.ts'
import { showWhois } from './whois.ts'

const TEXT_MAX = 200

type Found = { asked: Asked; reading: string }
type Result = { record: FlatRecord; asked: Asked }

export function addSearchPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/', async () => ({ redirect: '/map' }))

  routes.get('/search', async ({ query }) => {
    const clean = withoutEmpty(query)
    if (clean !== undefined) return { redirect: `/search?${clean}` }
    const question = readAsked(query)
    if (isSupportId(question.text)) return showWhois(context, question.text)
    const places = await listPlaces(context)
    const found = await search(context, question, places)
    const isEmpty = found.length === 0 && question.text === ''
    const chips = showChips('/search', queryOf(question), question.filters)
    const body = html`${showForm(question, places)}${chips}
      ${isEmpty || places.length === 0 ? showHints(places) : showResults(question, found)}
      ${await showQueries(context, found)}`
    return { title: 'Search', body, ...RESULT_MAP }
  })

  routes.get('/search.csv', async ({ query }) => {
    const question = readAsked(query)
    const found = await search(context, question, await listPlaces(context))
    return sendCsv('parcels', toCsv(listResults(found, question.sort).map(({ record }) => record)))
  })

  routes.get('/suggest', async ({ query }) => {
    const { text, within } = readAsked(query)
    const [place] = within === '' ? [] : narrow(await listPlaces(context), within)
    const asked = await context.ask('suggest', {
      ...{ q: text, kinds: 'address,parcelId' },
      ...(place !== undefined && { state: place.state }),
      ...(place?.fips === within && { county: within }),
    })
    return { json: { suggestions: (asked.body?.suggestions ?? []).flatMap(showSuggestion) } }
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
      fips: fipsCode(fips),
      name: showCounty(fips),
    }))
}

type Suggestion = { kind: string; text: string; detail: string | null; state: string }

/** Streets and houses without a number are no address that could be searched for. */
function showSuggestion({ kind, text, detail, state }: Suggestion): string[] {
  if (kind !== 'address') return [text]
  if (!/^\d/.test(text)) return []
  return [[text, ...(detail ? [showName(detail)] : []), state].join(', ')]
}

async function search(
  context: ConsoleContext,
  { text, within, filters, sort, page }: SearchQuestion,
  loaded: LoadedPlace[],
): Promise<Found[]> {
  const places = narrow(loaded, within)
  const isFiltered = Object.keys(filters).length > 0 || (text === '' && sort !== '')
  const read = isFiltered ? readFiltered(text, filters, sort, places) : readQuestion(text, places)
  const attempts = read.flatMap((attempt) => {
    const operation = operationOf(attempt.operationId)
    if (operation === undefined) return []
    const explained = 'explain' in operation.parameters ? { explain: 'true' } : {}
    // Pages of several states would not be in one order.
    const skips = isFiltered && page > 1 && read.length === 1
    const offset = String((page - 1) * Number(FILTERED_MAX))
    return [{ ...attempt, query: { ...attempt.query, ...explained, ...(skips && { offset }) } }]
  })
  return Promise.all(
    attempts.map(async ({ operationId, reading, query }) => ({
      asked: await context.ask(operationId, query),
      reading,
    })),
  )
}

/** Lists each parcel once, by the first attempt that found it. */
function listResults(found: Found[], sort: string): Result[] {
  const byId = new Map<unknown, Result>()
  for (const { asked } of found) {
    for (const record of recordsOf(asked)) {
      if (!byId.has(record.propertyId)) byId.set(record.propertyId, { record, asked })
    }
  }
  const results = [...byId.values()]
  const field = SORTED[sort.replace('-', '')]
  if (field === undefined) return results
  const sign = sort.startsWith('-') ? -1 : 1
  // Dates are compared as numbers; what is unknown comes last.
  const rank = ({ record }: Result) => {
    const number = Number(String(record[field] ?? '').replaceAll('-', '') || Number.NaN)
    return Number.isNaN(number) ? Number.POSITIVE_INFINITY : sign * number
  }
  return results.sort((one, other) => {
    const [a, b] = [rank(one), rank(other)]
    return a === b ? 0 : a - b
  })
}

/** The orders of results, and the field of a record that each follows. */
const SORTED = wordsOf('sorted fields')
const SORTS = [['', 'the best match'] as const, ...Object.entries(wordsOf('orders'))]

type SearchQuestion = {
  text: string
  within: string
  filters: Filters
  sort: string
  /** From 1. */
  page: number
}

/** Pages of results: an order is followed no deeper by offset. */
const PAGES_MAX = 100

function readAsked(query: URLSearchParams): SearchQuestion {
  const text = (query.get('q') ?? '').slice(0, TEXT_MAX).trim()
  const sort = SORTS.find(([order]) => order === query.get('sort'))?.[0] ?? ''
  const page = readWhole(query.get('page'), PAGES_MAX)
  return { text, within: query.get('in') ?? '', filters: readConsoleFilters(query), sort, page }
}

/** The query of a page that asks the same. */
function queryOf({ text, within, filters, sort }: SearchQuestion): URLSearchParams {
  const rest = { ...(within !== '' && { in: within }), ...filters, ...(sort !== '' && { sort }) }
  return new URLSearchParams({ ...(text !== '' && { q: text }), ...rest })
}

/** `within`: a state or a county's FIPS code; `''`: everywhere. */
function narrow(places: LoadedPlace[], within: string): LoadedPlace[] {
  if (within === '') return places
  return places.filter(({ state, fips }) => state === within || fips === within)
}

/** Shows the loaded states, if there are several, and counties as options. */
export function showPlaces(places: LoadedPlace[], within: string): Html {
  const states = [...new Set(places.map(({ state }) => state))].sort()
  const choices: [string, string][] = [
    ...(states.length > 1
      ? states.map((state): [string, string] => [state, `all of ${state}`])
      : []),
    ...places.map(({ fips, name, state }): [string, string] => [fips, `${name}, ${state}`]),
  ]
  return showOptions(choices, within)
}

function showForm({ text, within, filters, sort }: SearchQuestion, places: LoadedPlace[]): Html {
  return html`<form action="/search" class="row" role="search" aria-label="Search on this page">
<label class="grow">Address, parcel ID, owner or coordinates
<input name="q" type="search" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off"
list="suggestions" data-suggest></label>
<datalist id="suggestions"></datalist>
<label>In <select name="in"><option value="">all that is loaded</option>
${showPlaces(places, within)}</select></label>
<label>Sorted by <select name="sort">${showOptions(SORTS, sort)}</select></label>
<button>Search</button>
${showFilters(filters)}
</form>`
}

function showHints(places: LoadedPlace[]): Html {
  if (places.length === 0) {
    return showNothingLoaded()
  }
  return html`<dl class="hints">
<div><dt>An address</dt><dd>1422 Oak St Apt 2, with or without city, state, ZIP</dd></div>
<div><dt>A parcel ID</dt><dd>0709-123-0101-4, with or without its punctuation</dd></div>
<div><dt>An owner</dt><dd>a surname, a full name in any order, or words of a company</dd></div>
<div><dt>Coordinates</dt><dd>43.0731, -89.4012</dd></div>
<div><dt>A request or key</dt><dd>a request's id, or a key's first characters</dd></div>
</dl>
<p class="note">Press <kbd>/</kbd> on any page to come to the search box.</p>`
}

function showResults(question: SearchQuestion, found: Found[]): Html {
  const results = listResults(found, question.sort)
  if (results.length === 0) return showNothing(question.text, found)
  const query = queryOf(question)
  const csv = `/search.csv?${query}`
  const total = found.reduce((sum, { asked }) => sum + Number(asked.body?.metadata?.total ?? 0), 0)
  const isPart = found.some(({ asked }) => isCut(asked))
  const begins = isPart && question.page === 1
  return html`<p class="summary" role="status">${begins && 'The first '}${
    total > results.length
      ? html`${showCount(results.length)} of ${countOf(total, 'parcel')}`
      : countOf(results.length, 'parcel')
  }${
    total > 0 &&
    question.text === '' &&
    html` · <a href="/summary?${withoutSort(query).toString()}">Sum them up</a>`
  } · <a href="${csv}" download>Download as CSV</a>${showWatched(question, found)}
    </p>
<div class="found"><ol class="results">${results.map(showResult)}</ol>
${showResultMap(results.map(({ record }) => record))}</div>
${found.length === 1 && showResultPages(question, total)}`
}

function showResultPages(question: SearchQuestion, total: number): Html {
  const last = Math.min(PAGES_MAX, Math.ceil(total / Number(FILTERED_MAX)))
  const link = (to: number) => {
    const query = queryOf(question)
    query.set('page', String(to))
    return `/search?${query}`
  }
  return showPages('the results', { page: question.page, last, link })
}

/** Links to a watch of the same: a property search of one place, or an owner. */
function showWatched({ text }: SearchQuestion, found: Found[]): Html {
  const own = found.flatMap(({ asked }) => (recordsOf(asked).length > 0 ? [asked] : []))
  if (own.some(({ operation }) => operation.operationId === 'premiumOwnerSearch')) {
    const [state, another] = new Set(own.map(({ query }) => query.state))
    return html` · ${linkWatch('owner', text, another === undefined ? state : '')}`
  }
  const [only, another] = own
  if (another !== undefined || only?.operation.operationId !== 'propertySearch') return html``
  const asked = Object.entries(only.query).filter(
    ([name]) => !PAGING.has(name) && name !== 'explain',
  )
  return html` · ${linkWatch('search', new URLSearchParams(asked).toString())}`
}

function withoutSort(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  rest.delete('sort')
  return rest
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
    ...new Set(
      found.flatMap(({ asked }) => (asked.status === STATUS.notFound ? [] : (asked.refusal ?? []))),
    ),
  ]
  return html`<div class="empty" role="status"><p>${
    text === '' ? 'No parcel meets all filters.' : `Nothing was found for “${text}”.`
  }</p>
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
        ${cost === 0 ? 'free' : `${countOf(cost, 'token')} for a caller`}</span>
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

export const PARCEL_COLUMNS = {
  parcel: ['Parcel', (one) => html`<a href="${parcelPath(one)}">${describeRecord(one).title}</a>`],
  use: [
    'Use',
    ({ useStandardDescription: use, useDescription }) => String(use ?? useDescription ?? '–'),
  ],
  value: [
    'Value',
    (one) => showDollars(one.totalMarketValue ?? one.totalAssessedValue) ?? '–',
    'number',
  ],
} as const satisfies Record<string, Column<FlatRecord>>

async function showParcel(context: ConsoleContext, { query }: PageRequest) {
  const id = `${query.get('county') ?? ''}-${query.get('parcelId') ?? ''}`
  const asked = await askForParcel(context, id)
  const [record] = recordsOf(asked)
  if (record === undefined) {
    return noParcel(asked.refusal ?? 'There is no such parcel.', STATUS.notFound)
  }
  const { title, facts, source } = describeRecord(record)
  const body = html`<div class="found"><div>
  <dl class="facts">${facts.map(
    ([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd>
  </div>`,
  )}</dl>
<p class="note">${source}</p></div>
${showResultMap([record])}</div>
<nav class="actions" aria-label="About this parcel">${await showActions(context, record)}
${await linkHistory(context, record)}
${await linkOthers(context, record)}</nav>
<section><h2>Ask for it by program</h2>${showLines(context, asked)}</section>
${showOrigins(await askForParcel(context, id, { explain: 'true' }))}
<details><summary>The whole record</summary><pre>${JSON.stringify(record, null, 2)}</pre></details>`
  return { title, body, status: 200, ...RESULT_MAP }
}

async function showActions(context: ConsoleContext, record: FlatRecord): Promise<Html[]> {
  const [map, owner] = [mapPath(record), ownerPath(record)]
  return [
    html`${map !== undefined && html`<a class="button" href="${map}">On the map</a>`}`,
    ...(owner === undefined
      ? []
      : [await showPriced(context, 'premiumOwnerSearch', owner, 'Parcels under this name')]),
  ]
}

function mapPath({ latitude, longitude }: FlatRecord): string | undefined {
  return typeof latitude === 'number' ? `/map#18/${latitude}/${String(longitude)}` : undefined
}

function ownerPath({ ownerName1, state }: FlatRecord): string | undefined {
  if (typeof ownerName1 !== 'string' || ownerName1 === '') return undefined
  return `/search?${new URLSearchParams({ q: ownerName1, in: String(state) })}`
}
