/** The page of imports: inspects a file, corrects its mapping, tries, loads, shows the history. */
import { readFileSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import { findMapping, listMappingNames } from '../../../import/mapping/mapping.ts'
import type { Role } from '../../../store/console-store.ts'
import type { ConsoleContext, Routes } from '../../context.ts'
import type { Job } from '../../jobs.ts'
import { type Html, html } from '../../show/html.ts'
import { readHistory, showHistory } from '../../show/import-history.ts'
import { JOBS_SCRIPT, showJobs } from '../../show/jobs.ts'
import { showBytes, showTime } from '../../show/words.ts'
import type { SignedIn } from '../../sign-in/sessions.ts'
import { addRejectPages } from './rejects.ts'
import { allowPrivate, showAddressForm } from './sources.ts'
import {
  dropUpload,
  findUpload,
  followUpload,
  keepAddress,
  keepUpload,
  listFieldNames,
  saveMapping,
  type Upload,
} from './uploads.ts'

/** Adds the pages of imports: history, sources, rejected rows, uploads and running jobs. */
export function addImportPages(routes: Routes, context: ConsoleContext): void {
  const { jobs } = context
  routes.get('/imports', async ({ signedIn, csrf }) => {
    const history = await readHistory(context)
    const body = html`${csrf !== undefined && showDrop(csrf)}${showRunning(jobs.list())}
${showJobs(jobs, csrf, ['import'])}
<section data-fresh><h2>History</h2>${showHistory(history, history, signedIn.role)}</section>
<p class="note">Published rolls that are loaded from the web again and again are on
<a href="/sources">Sources</a>.</p>`
    return { title: 'Imports', body, late: ['import-drop.js', JOBS_SCRIPT] }
  })

  addRejectPages(routes, context)
  addUploadPages(routes, context)
  addLoadPages(routes, context)
}

/** Adds the page of a dropped file or an address, and its inspection. */
function addUploadPages(routes: Routes, context: ConsoleContext): void {
  const { jobs, config } = context
  routes.post('/imports/upload', async ({ raw, signedIn }) => {
    const upload = await keepUpload(config.data, String(raw.headers['x-file-name'] ?? ''), raw.body)
    inspect(upload, signedIn, new URLSearchParams())
    return { json: { path: `/imports/${upload.id}` } }
  })

  routes.post('/imports/address', async ({ form, signedIn }) => {
    const upload = keepAddress(config.data, form.get('url')?.trim() ?? '')
    const chosen = new URLSearchParams({ follow: 'yes', source: form.get('source') ?? '' })
    inspect(upload, signedIn, chosen)
    return { redirect: `/imports/${upload.id}` }
  })

  routes.as('operator').get('/imports/:id', async ({ params }) => {
    const upload = findUpload(config.data, params.id ?? '')
    const body = showUpload(upload, jobs.find(upload.job() ?? ''))
    return { title: upload.name, body, late: ['imports.js'], broad: true }
  })

  /** Returns the inspection of the file, and the mapping as last edited. */
  routes.as('operator').get('/imports/:id/draft.json', async ({ params }) => {
    const upload = findUpload(config.data, params.id ?? '')
    const inspection = JSON.parse(upload.inspection() ?? 'null')
    return { json: { inspection, mapping: readFileSync(upload.mapping, 'utf8') } }
  })

  /** The text of a mapping that comes with Platbook. */
  routes.get('/imports/layouts/:name', async ({ params }) => {
    const mapping = readLayout(params.name ?? null)
    if (mapping === undefined) throw new CommandError(`there is no layout ${params.name}`)
    return { json: { mapping } }
  })

  routes.post('/imports/:id/inspect', async ({ params, form, signedIn }) => {
    const upload = findUpload(config.data, params.id ?? '')
    const job = inspect(upload, signedIn, form)
    return { json: { job: job.id } }
  })

  function inspect(upload: Upload, { operator, role }: SignedIn, form: URLSearchParams): Job {
    const options = Object.entries(readPlace(form)).flatMap(([name, value]) => [`--${name}`, value])
    const words = ['inspect', upload.file, '--out', upload.mapping, '--force', ...options]
    upload.keepChoices({ ...upload.choices(), ...readChoices(form) })
    const job = jobs.start(operator, [...words, ...privateFlags(upload, role)], {
      whenDone: ({ result }) => {
        upload.keepInspection(JSON.stringify(result))
        saveMapping(upload, readLayout(result.mapping) ?? JSON.stringify(result.draft, null, 2))
      },
    })
    upload.noteJob(job.id)
    return job
  }
}

/** Adds what the buttons of an upload request: try and load. */
function addLoadPages(routes: Routes, context: ConsoleContext): void {
  const { jobs, config } = context
  routes.post('/imports/:id/try', async ({ params, form, signedIn }) => {
    const upload = findUpload(config.data, params.id ?? '')
    saveMapping(upload, form.get('mapping') ?? '')
    upload.keepChoices(readChoices(form))
    const words = ['import', upload.file, '--mapping', upload.mapping, '--dry-run']
    const flags = privateFlags(upload, signedIn.role)
    const job = jobs.start(signedIn.operator, [...words, ...flags, ...readOptions(form)])
    return { json: { job: job.id } }
  })

  routes.post('/imports/:id/load', async ({ params, form, signedIn }) => {
    const upload = findUpload(config.data, params.id ?? '')
    saveMapping(upload, form.get('mapping') ?? '')
    const { operator, role } = signedIn
    const isFollowed = upload.isAddress && form.get('follow') === 'yes'
    if (isFollowed && form.get('partial') === 'yes') {
      throw new CommandError('a part of a roll cannot be followed; untick one of the two', 2)
    }
    // What was asked for is loaded, also when it has not changed.
    const words = isFollowed
      ? [
          ...['sync', followUpload(config.data, upload, form), '--again'],
          ...readFlags(form, ['geometry', 'force']),
        ]
      : ['import', upload.file, '--mapping', upload.mapping, ...readOptions(form)]
    const job = jobs.start(operator, [...words, ...privateFlags(upload, role)], {
      page: `/imports/${upload.id}`,
      whenDone: () => dropUpload(upload),
    })
    upload.noteJob(job.id)
    await context.note(operator, isFollowed ? 'follow' : 'import', upload.name)
    return { json: { job: job.id } }
  })
}

/** Only what is read from the web needs it. */
function privateFlags({ isAddress }: Upload, role: Role): string[] {
  return isAddress ? allowPrivate(role) : []
}

/** Reads a mapping that comes with Platbook; `undefined` for another name or none. */
function readLayout(name: string | null): string | undefined {
  if (name === null || !listMappingNames().includes(name)) return undefined
  return readFileSync(findMapping(name), 'utf8')
}

/** Reads the state and county of rows that have none. */
function readPlace(form: URLSearchParams): Record<string, string> {
  const names = ['state', 'county'].flatMap((name) => {
    const value = form.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(names)
}

const FLAGS = ['geometry', 'partial', 'force']

function readOptions(form: URLSearchParams): string[] {
  const place = Object.entries(readPlace(form)).flatMap(([name, value]) => [`--${name}`, value])
  return [...place, ...readFlags(form, FLAGS)]
}

function readFlags(form: URLSearchParams, names: readonly string[]): string[] {
  return names.filter((name) => form.get(name) === 'yes').map((name) => `--${name}`)
}

function readChoices(form: URLSearchParams): Record<string, string> {
  const flags = [...FLAGS, 'follow'].map((name) => [name, form.get(name) === 'yes' ? 'yes' : ''])
  const source = form.get('source')
  return { ...readPlace(form), ...Object.fromEntries(flags), ...(source !== null && { source }) }
}

function showDrop(csrf: string): Html {
  return html`<div class="drop card" data-drop>
<label><b>Load a county's roll</b> <input type="file" name="file"></label>
<p class="note">Or drop it here: CSV, Excel, GeoJSON, GeoPackage, Parquet, a shapefile in a ZIP;
also gzipped.
Nothing is loaded before you have seen a preview.</p>
<p role="status" data-state></p></div>
${showAddressForm(csrf)}
<noscript><p>Without JavaScript, import on the command line:
<code>platbook import FILE --mapping NAME</code></p></noscript>`
}

function showRunning(jobs: Job[]): Html {
  const running = jobs.filter(({ endedAt, page }) => endedAt === null && page !== null)
  return html`${running.map(
    ({ lines, startedAt, page, isWaiting }) =>
      html`<p class="card" role="status"><span><b>An import is
      ${isWaiting ? 'waiting' : 'running'}</b> since
      ${showTime(startedAt)}. ${lines.at(-1) ?? ''} <a href="${page}">Watch it</a></span></p>`,
  )}`
}

/** Shows columns and mapping on the left, the preview on the right; `imports.js` fills both. */
function showUpload(upload: Upload, job: Job | undefined): Html {
  const choices = upload.choices()
  const step = job?.page === null ? 'inspect' : 'load'
  const flag = (name: string, text: string) =>
    html`<label class="check"><input type="checkbox" data-flag="${name}"${
      choices[name] === 'yes' && html` checked`
    }> ${text}</label>`
  const size = upload.isAddress ? 'From the web' : showBytes(upload.bytes)
  return html`<p class="note">${size}. <a href="/imports">All imports</a></p>
<div data-upload="${upload.id}" data-job="${job?.id ?? ''}" data-step="${step}"
data-draft="${upload.inspection() === undefined ? 'no' : 'yes'}"
data-fields="${JSON.stringify(listFieldNames())}">
<div class="card"><p role="status" aria-live="polite" data-state>The file is read …</p>
<progress max="1" data-bar hidden aria-label="Progress"></progress>
<button class="quiet" type="button" data-stop hidden>Stop</button></div>
<div class="found-layout" data-found data-read hidden></div>
<form class="row" data-place hidden><div data-layouts></div><label>State, if no column has it
<input name="state" size="4" maxlength="30" value="${choices.state ?? ''}"></label>
<label>County, if no column has it <input name="county" maxlength="60"
value="${choices.county ?? ''}"></label>
<button class="quiet">Read again</button></form>
<div class="actions" data-read hidden><button data-load disabled>Import</button>
<button class="quiet" data-try>Dry run</button>
${flag('geometry', 'with polygons')}
${flag('partial', 'a part of the roll: remove nothing')}
${flag('force', 'load it in spite of the warning')}
${upload.isAddress && flag('follow', 'follow it: load it again when it changes')}</div>
<div class="sides" data-read hidden><section><h2>Columns</h2><div data-columns></div>
<details><summary>The mapping as text</summary><label>Mapping, JSON
<textarea data-mapping rows="24" spellcheck="false"></textarea></label></details></section>
<section class="beside"><h2>Dry run</h2><div data-account>
<p class="note">What becomes of the rows.</p></div><div data-preview>
<p class="note">Parcels as they will be served, each next to its row.</p></div></section></div>
</div>`
}
