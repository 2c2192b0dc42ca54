/** The import history as a table: complete, or for one county. */
import { closing } from '../../base/at-end.ts'
import type { Role } from '../../store/console-store.ts'
import { type ImportEntry, isUndoable, type RollScope } from '../../store/history.ts'
import { openHistory } from '../../store/open-rolls.ts'
import type { ConsoleContext } from '../context.ts'
import { type Html, html } from './html.ts'
import { showEmpty, showTable } from './parts.ts'
import { nameCounty, showCount, showTime } from './words.ts'

const SHOWN_MAX = 50

/** The history of all loads, the newest first. */
export async function readHistory({ config }: ConsoleContext): Promise<ImportEntry[]> {
  await using reader = closing(await openHistory(config))
  return await reader.list()
}

/** `shown`: entries of `history`; `history` decides which of them can be undone. */
export function showHistory(shown: ImportEntry[], history: ImportEntry[], role: Role): Html {
  if (shown.length === 0) {
    return showEmpty("Nothing was imported yet. Drop a county's roll above.")
  }
  const more = shown.length - SHOWN_MAX
  const table = showTable(shown.slice(0, SHOWN_MAX), [
    ['When', ({ loadedAt }) => showTime(loadedAt * 1000)],
    ['What', (entry) => showKind(entry, history, role), 'time'],
    ['Where', ({ scopes }) => nameCounties(scopes), 'wide'],
    ['Rows', ({ rows }) => showCount(rows), 'number'],
    ['New', (entry) => showChanged(entry, entry.loaded), 'number'],
    ['Changed', (entry) => showChanged(entry, entry.updated), 'number'],
    ['Removed', (entry) => showChanged(entry, entry.removed), 'number'],
    ['Rejected', (entry) => showRejected(entry, role), 'number'],
    ['Mapping', ({ mapping }) => mapping || '–'],
  ])
  return html`${table}${
    shown.some(({ kind }) => kind === 'past') &&
    html`<p class="note">An earlier roll is kept as history: it changes no parcel of today.</p>`
  }${more > 0 && html`<p class="note">and ${more} older ones: platbook import list --all</p>`}`
}

const KINDS = { import: 'import', past: 'earlier roll', undo: 'undo', unload: 'unload' }

function showKind(entry: ImportEntry, history: ImportEntry[], role: Role): Html {
  return html`${KINDS[entry.kind]}${
    role !== 'viewer' &&
    isUndoable(entry, history) &&
    html`<br><a href="/imports/undo/${entry.id}"
aria-label="Undo the import of ${showTime(entry.loadedAt * 1000)}">undo …</a>`
  }`
}

/** An earlier roll changes nothing of today. */
const showChanged = ({ kind }: ImportEntry, count: number) =>
  kind === 'past' ? '–' : showCount(count)

function showRejected({ id, rejected, rejectsFile, loadedAt }: ImportEntry, role: Role): Html {
  return html`${showCount(rejected)}${
    rejectsFile !== null &&
    role !== 'viewer' &&
    html`<br><a href="/imports/rejects/${id}"
aria-label="Rejected rows of ${showTime(loadedAt * 1000)}">why</a>`
  }`
}

/** Names the counties of an import, the first three of many. */
export function nameCounties(scopes: readonly RollScope[]): string {
  const names = [...new Set(scopes.map(nameCounty))]
  const more = names.length - 3
  return `${names.slice(0, 3).join('; ')}${more > 0 ? ` and ${more} more` : ''}`
}
