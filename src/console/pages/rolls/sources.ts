/** The catalogue of published rolls: a map and a list of it, what is followed, and its buttons. */
import { DAY_MS } from '../../../base/days.ts'
import { CommandError } from '../../../base/errors.ts'
import { readTable } from '../../../base/tables.ts'
import { loadCatalogue, type Source } from '../../../import/sources/catalogue.ts'
import { findFollowed, findSources, removeSource, stopSource } from '../../../import/sync/choose.ts'
import { isDue, readPeriodDays } from '../../../import/sync/due.ts'
import { type Kept, readKept } from '../../../import/sync/kept.ts'
import { findState } from '../../../regions/states.ts'
import type { Role } from '../../../store/console-store.ts'
import { findLoads } from '../../../store/history.ts'
import type { ConsoleContext, Routes } from '../../context.ts'
import { type Html, html } from '../../show/html.ts'
import { readHistory } from '../../show/import-history.ts'
import { JOBS_SCRIPT, showJobs } from '../../show/jobs.ts'
import { type Column, showChange, showEmpty, showForm, showTable } from '../../show/parts.ts'
import { countOf, showCount, showCounty, showTime } from '../../show/words.ts'

/** Who looks at a source, and what is known of it. */
type View = { csrf: string | undefined; kept: Kept; isFollowed: boolean; now: number }

export function addSourcePages(routes: Routes, context: ConsoleContext): void {
  const { config, jobs, now } = context
  routes.get('/sources', async ({ query, csrf }) => {
    const state = findState(query.get('state') ?? '')?.code
    const catalogue = loadCatalogue(config.data)
    const loads = findLoads(await readHistory(context))
    const followed = findFollowed(catalogue, config.data, loads)
    const ids = new Set(followed.map(({ id }) => id))
    const view = ({ id }: Source): View => {
      return { csrf, kept: readKept(config.data, id), isFollowed: ids.has(id), now: now() }
    }
    const listed = catalogue.filter((source) => source.state === state)
    const body = html`${csrf !== undefined && showAddressForm(csrf)}
${showJobs(jobs, csrf, ['sync', 'sources'])}
<section data-fresh><h2>Followed</h2>${showFollowed(followed, view, csrf)}</section>
<section id="catalogue"><h2>Catalogue <small>${showCount(catalogue.length)} published
rolls</small></h2>
${showStateTiles(countStates(catalogue, ids), state)}
<div data-fresh>${
      state === undefined
        ? html`<p class="note">Choose a state. A coloured one has a roll that is followed.</p>`
        : showState(findState(state)?.name ?? state, listed, view)
    }</div></section>`
    return { title: 'Sources', body, late: [JOBS_SCRIPT] }
  })

  const change = (action: string, run: (change: Change) => void) =>
    routes.post(`/sources/${action}`, async ({ form, signedIn }) => {
      const id = form.get('id') ?? ''
      const [source] = findSources(loadCatalogue(config.data), [id])
      if (source === undefined) throw new CommandError('choose a source', 2)
      run({ source, form, operator: signedIn.operator, role: signedIn.role })
      await context.note(signedIn.operator, `${action} source`, id)
      const isListed = form.get('from') === 'catalogue'
      // At the top, where the job is.
      return { redirect: isListed ? `/sources?state=${source.state}` : '/sources' }
    })

  change('sync', ({ source, form, operator, role }) => {
    const flags = ['geometry', 'force'].filter((name) => form.get(name) === 'yes')
    const words = ['sync', source.id, ...flags.map((name) => `--${name}`), ...allowPrivate(role)]
    jobs.start(operator, words, { title: `Load ${nameSource(source)}` })
  })
  change('check', ({ source, operator, role }) => {
    const words = ['sources', 'check', source.id, ...allowPrivate(role)]
    jobs.start(operator, words, { title: `Check ${nameSource(source)}` })
  })
  change('stop', ({ source }) => stopSource(config.data, source.id))
  change('remove', ({ source }) => removeSource(config.data, source.id))

  routes.post('/sources/check-all', async ({ signedIn }) => {
    const words = ['sources', 'check', ...allowPrivate(signedIn.role)]
    jobs.start(signedIn.operator, words, { title: 'Check all followed sources' })
    await context.note(signedIn.operator, 'check source', 'all that are followed')
    return { redirect: '/sources' }
  })
  routes.post('/sources/sync-due', async ({ signedIn }) => {
    const words = ['sync', '--all', '--due', ...allowPrivate(signedIn.role)]
    jobs.start(signedIn.operator, words, { title: 'Load all sources that are due' })
    await context.note(signedIn.operator, 'sync', 'all that are due')
    return { redirect: '/sources' }
  })
}

type Change = { source: Source; form: URLSearchParams; operator: string; role: Role }

/** Only an admin may let the console read addresses of the office's own network. */
export function allowPrivate(role: Role): string[] {
  return role === 'admin' ? ['--allow-private'] : []
}

function countStates(catalogue: Source[], followed: ReadonlySet<string>) {
  const counts = new Map<string, { count: number; isMarked: boolean }>()
  for (const { state, id } of catalogue) {
    const known = counts.get(state) ?? { count: 0, isMarked: false }
    counts.set(state, { count: known.count + 1, isMarked: known.isMarked || followed.has(id) })
  }
  return counts
}

/** A form that takes any address; `import-drop.js` is not needed for it. */
export function showAddressForm(csrf: string): Html {
  const fields = html`<label class="grow">Address of a file or layer: CSV, ZIP, ArcGIS, Socrata
<input type="url" name="url" required maxlength="2000" spellcheck="false"
placeholder="https://gis.example.gov/arcgis/rest/services/Parcels/FeatureServer/0"></label>
<button>Look at it</button>`
  return showForm(csrf, '/imports/address', fields, { look: 'row' })
}

function showFollowed(
  followed: Source[],
  view: (source: Source) => View,
  csrf: string | undefined,
): Html {
  if (followed.length === 0) {
    return showEmpty(
      html`<b>No published roll is followed yet.</b>`,
      html`Choose a state below and press <i>Load and follow</i>, or paste the address of a layer
above.`,
    )
  }
  const due = followed.filter((source) => isDueNow(source, view(source))).length
  return html`${showSources(followed, view, 'followed')}${
    csrf !== undefined &&
    html`<div class="actions">${
      due > 0 && showChange(csrf, '/sources/sync-due', `Load the ${showCount(due)} due`, {})
    }${showChange(csrf, '/sources/check-all', 'Check all', {})}</div>`
  }<p class="note">A timer may load what is due each night:
<code>platbook sync --all --due</code></p>`
}

function showState(name: string, sources: Source[], view: (source: Source) => View): Html {
  if (sources.length === 0) {
    return showEmpty(
      html`<b>The catalogue has no roll of ${name}.</b>`,
      'Paste the address of a file or layer above.',
    )
  }
  return html`<h3>${name}</h3>${showSources(sources, view, 'catalogue')}`
}

function showSources(sources: Source[], view: (source: Source) => View, from: string): Html {
  const columns: Column<Source>[] = [
    ['Source', nameAndHost, 'wide'],
    ['Where', placeOf],
    ['Parcels', ({ parcels }) => parcels !== undefined && showCount(parcels), 'number'],
    ['Status', (source) => showStatus(source, view(source)), 'wide'],
    ['Actions', (source) => html`<div class="do">${showActions(source, view(source), from)}</div>`],
  ]
  return showTable(sources, columns, { className: 'stack' })
}

function nameAndHost(source: Source): Html {
  const { id, publisher, url } = source
  const host = url === null ? 'no address' : new URL(url).host
  const about = [publisher, host].filter((text) => text !== undefined).join(', ')
  return html`<b>${nameSource(source)}</b><br><small>${about}</small><br><code>${id}</code>`
}

function showStatus(source: Source, { kept, isFollowed, now }: View): Html {
  const { url, updates, mapping } = source
  if (url === null) return html`No single address: download it, then drop it on Imports.`
  const { loadedAt, checkedAt, error } = kept
  const period = readPeriodDays(updates)
  const next = checkedAt === null ? null : checkedAt + period * DAY_MS
  return html`${
    loadedAt === null ? 'Never loaded here' : html`Loaded ${showTime(loadedAt)}`
  }${loadedAt === null && !source.tried && ', nor by Platbook'}.${
    mapping === null && ' No mapping reads it yet.'
  }${
    isFollowed &&
    html`<br>${isDueNow(source, { kept, now }) ? 'Due now' : html`Due ${showTime(next)}`},
every ${period === 1 ? 'day' : `${period} days`}.`
  }${error !== null && html`<br><span class="bad">Failed: ${error}</span>`}`
}

function isDueNow({ updates }: Source, { kept, now }: Pick<View, 'kept' | 'now'>): boolean {
  return isDue(updates, kept.checkedAt, now)
}

function showActions(source: Source, { csrf, isFollowed, kept }: View, from: string): Html {
  const { id, url, mapping, parcels } = source
  if (url === null || csrf === undefined) return html``
  const name = nameSource(source)
  const form = (action: string, text: string, more: Html | false = false, confirm?: string) =>
    showForm(
      csrf,
      `/sources/${action}`,
      html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="from"
value="${from}">${more}<button class="quiet" aria-label="${text}: ${name}">${text}</button>`,
      confirm === undefined ? {} : { confirm },
    )
  const size = parcels === undefined ? 'its parcels' : countOf(parcels, 'parcel')
  const geometry = html`<label class="check"><input type="checkbox" name="geometry" value="yes"
checked> with polygons</label>`
  const { host } = new URL(url)
  const whole = `Load ${size} of ${name} from ${host}? It replaces what is loaded there.`
  const draft = showForm(
    csrf,
    '/imports/address',
    html`<input type="hidden" name="url" value="${url}"><button class="quiet"
aria-label="Make a mapping: ${name}">Make a mapping</button>`,
  )
  return html`${
    mapping === null
      ? draft
      : isFollowed
        ? form('sync', 'Load now', kept.loadedAt === null && geometry)
        : form('sync', 'Load and follow', geometry, whole)
  }${form('check', 'Check')}${isFollowed && form('stop', 'Stop following')}${
    source.isOwn === true &&
    form('remove', 'Remove', false, `Remove ${name} from the catalogue? What is loaded stays.`)
  }`
}

function nameSource({ title, publisher, id }: Source): string {
  return title ?? publisher ?? id
}

function placeOf({ counties, state }: Source): string {
  const codes = [counties ?? []].flat()
  const names = codes.map((text) =>
    /^\d{5}/.test(text) ? showCounty(Number(text.slice(0, 5))) : text === 'all' ? 'all' : text,
  )
  const more = names.length - 3
  const shown = `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return shown === '' || shown === 'all' ? state : `${shown}, ${state}`
}

/** A dot is an empty place. */
const TILES = readTable('state-tiles.txt').flatMap((row) => row.split(' '))

/** `isMarked`: shown dark. `current`: the chosen state. */
function showStateTiles(
  counts: ReadonlyMap<string, { count: number; isMarked: boolean }>,
  current: string | undefined,
): Html {
  const tiles = TILES.map((state) => {
    if (state === '..') return html`<span></span>`
    const { count = 0, isMarked = false } = counts.get(state) ?? {}
    const name = findState(state)?.name ?? state
    return html`<a class="tile${isMarked && ' marked'}" href="/sources?state=${state}#catalogue"
${state === current && html` aria-current="true"`}>${state}
<small>${count}</small><span class="hidden">rolls of ${name}</span></a>`
  })
  return html`<nav class="tiles" aria-label="States">${tiles}</nav>`
}
