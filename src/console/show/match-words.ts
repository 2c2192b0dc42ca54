/** Explains a match and its values' sources, by the operation or by the `X-Match` header. */
import type { Asked } from '../context.ts'
import { type Html, html } from './html.ts'
import { showTable } from './parts.ts'
import { type FlatRecord, showField, wordsOf } from './words.ts'

const MATCHES = wordsOf('matches')

export function explainMatch(asked: Asked, record: FlatRecord): Html {
  const match = asked.headers['x-match']
  if (asked.status === 300) return html`<p>Several addresses match, and none is the likeliest.</p>`
  if (match !== undefined) return html`<p>${MATCHES[match] ?? match}</p>`
  const { lastName, nameContains, fuzzy } = asked.query
  const words = nameContains ?? lastName
  if (words === undefined) return html`<p>It matches all filters of the request.</p>`
  return html`<p>The recorded owner is <b>${String(record.ownerName ?? '')}</b>; asked ${
    nameContains === undefined ? 'was the surname or company' : 'were the words'
  } <b>${words}</b>${fuzzy === 'true' && ', with one letter mistyped allowed in each word'}.</p>`
}

/** Shows the operation's explanation of its whole answer, if there is one. */
export function showExplanation({ body }: Asked): Html {
  const explained = body?.metadata?.explain ?? body?.explain
  if (explained === undefined) return html``
  const { words, ...rest } = explained
  return html`<h2>How it was searched</h2>
${Array.isArray(words) && html`<ul>${words.map((line) => html`<li>${String(line)}</li>`)}</ul>`}
<details><summary>All of it</summary>${showValue(rest)}</details>`
}

/** Any JSON as nested lists. */
function showValue(value: unknown): Html {
  if (value === null || typeof value !== 'object') return html`${String(value)}`
  if (Array.isArray(value))
    return html`<ul>${value.map((item) => html`<li>${showValue(item)}</li>`)}</ul>`
  return html`<dl class="tree">${Object.entries(value).map(
    ([name, item]) => html`<div><dt>${showField(name)}</dt><dd>${showValue(item)}</dd></div>`,
  )}</dl>`
}

type Origin = {
  file?: string
  row?: number
  columns?: string[]
  recorded?: string[]
  rule: string
}

/** `asked`: a lookup with `explain`. */
export function showOrigins({ body }: Asked): Html {
  const { values, missing, import: own } = body?.explain?.provenance ?? {}
  if (values === undefined) return html`${missing && html`<p class="note">${missing}</p>`}`
  const origins = Object.entries(values as Record<string, Origin>)
  return html`<details><summary>Where each value comes from</summary>
<p class="note">Import ${own.id}, mapping ${own.mapping}. ${
    !own.keepsSource &&
    'An import with --keep-source would also show what the file has in each cell.'
  }</p>
${showTable(origins, [
  ['Field', ([path]) => showField(path)],
  [
    'File and row',
    ([, { file, row }]) => (file === undefined ? 'not from the roll' : `${file}, row ${row}`),
    'time',
  ],
  ['Columns', ([, { columns = [] }]) => columns.join(', ')],
  ['As recorded', ([, { recorded = [] }]) => recorded.join(' | ')],
  ['Rule', ([, { rule }]) => rule, 'wide'],
])}</details>`
}
