/** Shows from which cells of which file the values of a parcel come. */
import type { Asked } from '../context.ts'
import { type Html, html } from './html.ts'
import { showTable } from './parts.ts'
import { showField } from './words.ts'

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
