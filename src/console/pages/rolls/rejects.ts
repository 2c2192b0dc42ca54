/** Rejected rows of an import with their reasons. For operators only: rows hold recorded names. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import { CsvSplitter } from '../../../import/readers/csv.ts'
import type { ConsoleContext, Routes } from '../../context.ts'
import { type Html, html } from '../../show/html.ts'
import { readHistory } from '../../show/import-history.ts'
import { showEmpty, showTable } from '../../show/parts.ts'
import { countOf, showCount, showTime } from '../../show/words.ts'

const BYTES_MAX = 1_000_000
const SHOWN_MAX = 200
const ROW_MAX = 300

type Reject = { file: string; line: string; reason: string; row: string }

export function addRejectPages(routes: Routes, context: ConsoleContext): void {
  routes.as('operator').get('/imports/rejects/:id', async ({ params }) => {
    const history = await readHistory(context)
    const entry = history.find(({ id }) => String(id) === params.id)
    if (entry === undefined) throw new CommandError(`there is no import ${params.id}`)
    const { rejected, rejectsFile, loadedAt } = entry
    const isKept = rejectsFile !== null && existsSync(rejectsFile)
    const rejects = isKept ? readRejects(rejectsFile) : undefined
    const rows = countOf(rejected, 'row')
    const body = html`<p class="summary">${rows} of the import of
${showTime(loadedAt * 1000)} made no parcel.
<a href="/imports">All imports</a></p>
${
  rejects === undefined
    ? showEmpty('They are not kept any more. Import the file again to see them.')
    : showRejects(rejects, rejected)
}
${isKept && html`<p class="note">All of them: <code>${rejectsFile}</code></p>`}`
    return { title: 'Rejected rows', body }
  })
}

/** Reads the rows at the beginning of the file. */
function readRejects(path: string): Reject[] {
  const handle = openSync(path, 'r')
  const bytes = Buffer.alloc(BYTES_MAX)
  const length = readSync(handle, bytes, 0, BYTES_MAX, 0)
  closeSync(handle)
  const splitter = new CsvSplitter(',')
  splitter.push(bytes.toString('utf8', 0, length), true)
  const [, ...rows] = splitter.rows
  // The last row may be cut where the reading ended.
  const whole = length === BYTES_MAX ? rows.slice(0, -1) : rows
  return whole.map(([file = '', line = '', reason = '', row = '']) => ({ file, line, reason, row }))
}

function showRejects(rejects: Reject[], total: number): Html {
  const reasons = [...Map.groupBy(rejects, ({ reason }) => reason)]
    .map(([reason, rows]): [string, number] => [reason, rows.length])
    .sort(([, one], [, other]) => other - one)
  const part =
    rejects.length < total && html` <small>of the first ${showCount(rejects.length)}</small>`
  return html`<section><h2>Reasons${part}</h2>
${showTable(
  reasons,
  [
    ['Why', ([reason]) => reason],
    ['Rows', ([, count]) => showCount(count), 'number'],
  ],
  { className: 'compact' },
)}</section>
<section><h2>The first rows</h2>${showTable(rejects.slice(0, SHOWN_MAX), [
    ['Line', ({ line }) => showCount(Number(line)), 'number'],
    ['Why', ({ reason }) => reason, 'time'],
    ['Row', ({ row }) => html`<code>${row.slice(0, ROW_MAX)}</code>`],
  ])}</section>`
}
