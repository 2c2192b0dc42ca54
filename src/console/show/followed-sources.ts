/** The published rolls that this installation follows, and when each is synced next. */
import { loadCatalogue, type Source } from '../../import/sources/catalogue.ts'
import { showAddress } from '../../import/sources/web.ts'
import { findFollowed } from '../../import/sync/choose.ts'
import { readPeriodDays } from '../../import/sync/due.ts'
import { readKept } from '../../import/sync/kept.ts'
import type { ImportEntry } from '../../store/history.ts'
import { type Html, html } from './html.ts'
import { showTime } from './words.ts'

const DAY_MS = 86_400_000

/** Shows a line per source, or how to follow one. `dataDir`: the folder with the syncs' state. */
export function showSources(dataDir: string, history: ImportEntry[], now: number): Html {
  const files = new Set(history.flatMap((entry) => entry.files))
  const isLoaded = ({ url }: Source) => url !== null && files.has(showAddress(url))
  const followed = findFollowed(loadCatalogue(dataDir), dataDir, isLoaded)
  if (followed.length === 0) {
    return html`<p class="note">No published roll is followed yet.
    <code>platbook sources --state WI</code> lists those of a
state, and <code>platbook sync ID</code> loads one and follows it.</p>`
  }
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Source</th>
  <th scope="col">Where</th>
<th scope="col">Loaded</th><th scope="col">Asked</th><th scope="col">Next sync</th></tr></thead>
<tbody>${followed.map((source) => showSource(source, dataDir, now))}</tbody></table></div>
<p class="note"><code>platbook sync --all --due</code> asks those that are due; a timer may run it
each night.</p>`
}

function showSource(source: Source, dataDir: string, now: number): Html {
  const { id, title, state, counties, updates } = source
  const { checkedAt, loadedAt, error } = readKept(dataDir, id)
  const dueAt = checkedAt === null ? now : checkedAt + readPeriodDays(updates) * DAY_MS
  const shownTitle = title !== undefined && html`<br><small>${title}</small>`
  const shownError = error !== null && html`<br><small class="bad">${error}</small>`
  return html`<tr><th scope="row"><code>${id}</code>${shownTitle}</th>
<td>${[counties ?? []].flat().slice(0, 3).join(', ')} ${state}</td>
<td class="time">${showTime(loadedAt)}</td>
<td class="time">${showTime(checkedAt)}${shownError}</td>
<td>${dueAt <= now ? 'due' : showTime(dueAt)}</td></tr>`
}
