/** Filters on the facts of parcels in the console: read from a URL, as a form, and as chips. */
import { FACT_FILTERS } from '../operations/find/fact-filters.ts'
import { type Html, html } from './show/html.ts'
import { showCount, showField, wordsOf } from './show/words.ts'

/** Given filters by the names of the API's parameters. */
export type Filters = Record<string, string>

type Filter = { type: string; values?: readonly string[] }
const FILTERS: Record<string, Filter> = {
  city: { type: 'words' },
  zipCode: { type: 'words' },
  ...FACT_FILTERS,
}
const VALUE_MAX = 100

/** A range or a single filter, and the words for it. */
type Group = { title: string; names: string[] }

const TITLES = wordsOf('filters')

const GROUPS: Group[] = [
  ...Map.groupBy(Object.keys(FILTERS), (name) => name.replace(/(?:Min|Max|From|To)$/, '')),
].map(([base, names]) => ({ title: TITLES[base] ?? showField(base), names }))

/** Reads the filters of a query; empty ones are left out. */
export function readConsoleFilters(query: URLSearchParams): Filters {
  const given = Object.keys(FILTERS).map((name) => [
    name,
    (query.get(name) ?? '').trim().slice(0, VALUE_MAX),
  ])
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The query without the empty members that a form sends; `undefined` when it has none. */
export function withoutEmpty(query: URLSearchParams): URLSearchParams | undefined {
  const kept = [...query].filter(([name, value]) => name === 'q' || value !== '')
  return kept.length === query.size ? undefined : new URLSearchParams(kept)
}

/** Shows the fields of all filters, folded away unless one is given. */
export function showFilters(given: Filters): Html {
  const count = Object.keys(given).length
  return html`<details class="filters"><summary>Filters${count > 0 && ` (${count})`}</summary>
<div class="fields">${GROUPS.map((group) => showGroup(group, given))}</div></details>`
}

function showGroup({ title, names }: Group, given: Filters): Html {
  const [name = '', upper] = names
  const filter = FILTERS[name]
  if (upper !== undefined) {
    return html`<div role="group" aria-label="${title}"><span class="term">${title}</span>
<span class="ends">${showInput(name, given, `${title} from`, 'from')}
${showInput(upper, given, `${title} to`, 'to')}</span></div>`
  }
  const choices =
    filter?.type === 'boolean'
      ? [
          ['true', 'yes'],
          ['false', 'no'],
        ]
      : filter?.values?.map((value) => [value, value])
  if (choices === undefined) {
    return html`<label><span class="term">${title}</span>
<input name="${name}" value="${given[name] ?? ''}" maxlength="${VALUE_MAX}"></label>`
  }
  return html`<label><span class="term">${title}</span>
<select name="${name}"><option value="">any</option>${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === given[name] && html` selected`}>${text}</option>`,
  )}</select></label>`
}

function showInput(name: string, given: Filters, label: string, hint: string): Html {
  const isDay = name.startsWith('saleDate')
  return html`<input name="${name}" type="${isDay ? 'date' : 'text'}"
inputmode="${isDay ? 'numeric' : 'decimal'}" value="${given[name] ?? ''}" aria-label="${label}"
placeholder="${hint}" maxlength="${VALUE_MAX}">`
}

/** Shows each given filter as a link that removes it. `query`: the page's. */
export function showChips(path: string, query: URLSearchParams, given: Filters): Html {
  const chips = GROUPS.filter(({ names }) => names.some((name) => name in given))
  if (chips.length === 0) return html``
  const without = (names: string[]) => {
    const rest = new URLSearchParams(query)
    for (const name of names) rest.delete(name)
    return `${path}?${rest}`
  }
  return html`<ul class="chips" aria-label="Given filters">${chips.map(
    (group) => html`<li><a href="${without(group.names)}"
title="Remove this filter"><span class="hidden">Remove </span>${describe(group, given)}
<span aria-hidden="true">×</span></a></li>`,
  )}${
    chips.length > 1 &&
    html`<li><a class="all" href="${without(Object.keys(FILTERS))}">Remove all</a></li>`
  }</ul>`
}

function describe({ title, names }: Group, given: Filters): string {
  const [name = '', upper] = names
  const [label, unit] = title.split(', ')
  const show = (value: string | undefined) => showAmount(value ?? '', unit, name)
  if (upper === undefined) {
    const value = given[name] ?? ''
    return `${label}: ${{ true: 'yes', false: 'no' }[value] ?? value}`
  }
  const [from, to] = [given[name], given[upper]]
  if (from === undefined) return `${label} at most ${show(to)}`
  return to === undefined
    ? `${label} at least ${show(from)}`
    : `${label} ${show(from)} to ${show(to)}`
}

function showAmount(value: string, unit: string | undefined, name: string): string {
  const number = Number(value)
  if (Number.isNaN(number) || name.startsWith('year')) return value
  const text = showCount(number)
  return unit === '$' ? `$${text}` : unit === undefined ? text : `${text} ${unit}`
}
