/** Jobs as a list that a page keeps up to date: who started what, and what came of it. */
import type { Job, Jobs } from '../jobs.ts'
import { type Html, html } from './html.ts'
import { showChange } from './parts.ts'
import { countOf, showBytes, showCount, showTime } from './words.ts'

/** Parcels of nearly the name that are listed. */
const NEAR_MAX = 20

/** The script of a page with such a list. */
export const JOBS_SCRIPT = 'jobs.js'

/** Shows the jobs of some commands that have a title. `csrf`: of somebody who may stop them. */
export function showJobs(jobs: Jobs, csrf: string | undefined, commands: readonly string[]): Html {
  const shown = jobs.list().filter((job) => job.title !== '' && commands.includes(job.command))
  const running = shown.some(({ endedAt }) => endedAt === null)
  return html`<div data-jobs${running && html`="running"`} data-fresh>${
    shown.length > 0 && html`<ul class="jobs">${shown.map((job) => showOne(job, csrf))}</ul>`
  }</div>`
}

function showOne(job: Job, csrf: string | undefined): Html {
  const { id, title, operator, startedAt, endedAt, error, lines } = job
  const mayStop = csrf !== undefined && endedAt === null && job.command !== 'suppress'
  const line = lines.at(-1) ?? 'It begins …'
  const said = endedAt === null ? line : (error ?? describe(job))
  const share = endedAt === null ? /(\d{1,3})\s?%/.exec(line)?.[1] : undefined
  return html`<li class="card" data-job="${id}"><p><b>${title}</b>
<small>${operator}, ${showTime(startedAt)}</small></p>
<p role="status" class="${error !== null ? 'bad' : endedAt === null ? '' : 'good'}">${
    endedAt !== null && error === null && 'Done. '
  }${said}</p>
${
  share !== undefined &&
  html`<progress max="100" value="${share}" aria-label="Progress of: ${title}"></progress>`
}${mayStop && showChange(csrf, `/jobs/${id}/stop`, 'Stop', { name: `Stop: ${title}` })}</li>`
}

/** What a finished job did. */
function describe({ command, result }: Job): Html {
  if (result === null) return html``
  const { folder, file, rows, bytes, removed, restored, returned, suppressions } = result
  if (command === 'backup') return html`It is in <code>${String(folder)}</code>.`
  if (command === 'export') {
    const name = String(file).replace(/^.*\//, '')
    return html`${countOf(rows, 'parcel')}, ${showBytes(bytes)}:
<a href="/exports/${name}" download>${name}</a>`
  }
  if (command === 'unload') return html`${countOf(removed, 'parcel')} removed.`
  if (command === 'import') {
    return html`${countOf(removed, 'parcel')} removed, ${showCount(restored)} restored,
${showCount(returned)} back.`
  }
  if (command === 'check') return html`All is as it should be.`
  if (suppressions !== undefined) return describeSuppression(result)
  return html`${describeSources(result.sources ?? []).join(' ')}`
}

type SourceResult = {
  id: string
  outcome?: string
  load?: { loaded: number; updated: number; removed: number; rejected: number } | null
  rows?: number | null
  missing?: string[] | null
}

function describeSources(sources: SourceResult[]): string[] {
  return sources.map(({ id, outcome, load, rows, missing }) => {
    if (load != null) {
      const [news, changed, gone] = [load.loaded, load.updated, load.removed].map(showCount)
      return `${id}: ${news} new, ${changed} changed, ${gone} removed.`
    }
    if (outcome !== undefined) return `${id}: ${outcome}.`
    const counted = rows == null ? 'it answers' : countOf(rows, 'row')
    const lacks = missing == null || missing.length === 0 ? '' : `; it lacks ${missing.join(', ')}`
    return `${id}: ${counted}${lacks}.`
  })
}

type Hidden = { hidden: number; removed: number; near: string[]; older: string[] }

/** `near`: parcels whose owner is nearly that name and is shown. */
function describeSuppression({ hidden, removed, near, older }: Hidden): Html {
  return html`Something is hidden in ${showCount(hidden)} ${
    hidden === 1 ? 'parcel' : 'parcels'
  }, and ${showCount(removed)} are
gone.
${
  near.length > 0 &&
  html`Nearly this name, and still shown:
<span class="text">${near
    .slice(0, NEAR_MAX)
    .map((id) => html`<a href="/search?q=${encodeURIComponent(id)}">${id}</a> `)}</span>`
}
${older.length > 0 && html`Copies that may still hold it: <code>${older.join(', ')}</code>`}`
}
