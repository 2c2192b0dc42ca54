/** The import history as a table: complete, or for one county. */
import type { Role } from '../../store/console-store.ts'
import { type ImportEntry, isUndoable } from '../../store/history.ts'
import { openHistory } from '../../store/open-rolls.ts'
import type { ConsoleContext } from '../context.ts'
import { type Html, html } from './html.ts'
import { showCount, showCounty, showTime } from './words.ts'

const SHOWN_MAX = 50

/** The history of all loads, the newest first. */
export async function readHistory({ config }: ConsoleContext): Promise<ImportEntry[]> {
  const reader = await openHistory(config)
  try {
    return await reader.list()
  } finally {
    await reader.close()
  }
}

/** `shown`: entries of `history`; `history` decides which of them can be undone. */
export function showHistory(shown: ImportEntry[], history: ImportEntry[], role: Role): Html {
  if (shown.length === 0) {
    return html`<div class="empty"><p>Nothing was imported yet. Drop a county's roll above.</p>
    </div>`
  }
  const more = shown.length - SHOWN_MAX
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">When</th>
  <th scope="col">What</th><th scope="col">Where</th>
<th scope="col" class="number">Rows</th><th scope="col" class="number">New</th>
<th scope="col" class="number">Changed</th>
<th scope="col" class="number">Removed</th><th scope="col" class="number">Rejected</th>
<th scope="col">Mapping</th></tr></thead>
<tbody>${shown.slice(0, SHOWN_MAX).map((entry) => showEntry(entry, history, role))}</tbody>
</table></div>
${more > 0 && html`<p class="note">and ${more} older ones: platbook import list --all</p>`}`
}

function showEntry(entry: ImportEntry, history: ImportEntry[], role: Role): Html {
  const counties = [
    ...new Set(entry.scopes.map(({ fips, state }) => `${showCounty(fips)}, ${state}`)),
  ]
  const more = counties.length - 3
  const undo =
    role !== 'viewer' &&
    isUndoable(entry, history) &&
    html`<br><a class="time" href="/imports/undo/${entry.id}"
aria-label="Undo the import of ${showTime(entry.loadedAt * 1000)}">undo …</a>`
  return html`<tr><th scope="row">${showTime(entry.loadedAt * 1000)}</th>
  <td>${entry.kind}${undo}</td>
<td class="wide">${counties.slice(0, 3).join('; ')}${more > 0 && ` and ${more} more`}</td>
${[entry.rows, entry.loaded, entry.updated, entry.removed].map(
  (count) => html`<td
class="number">${showCount(count)}</td>`,
)}
<td class="number">${showCount(entry.rejected)}${
    entry.rejectsFile !== null &&
    role !== 'viewer' &&
    html`<br><a href="/imports/rejects/${entry.id}"
aria-label="Rejected rows of ${showTime(entry.loadedAt * 1000)}">why</a>`
  }</td>
<td>${entry.mapping || '–'}</td></tr>`
}
