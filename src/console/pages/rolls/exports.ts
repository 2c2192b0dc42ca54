/** Exports: a county or a state as a file, kept in the data folder and downloaded here. */
import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { EXPORT_FORMATS } from '../../../export/run.ts'
import { countyByFips } from '../../../regions/counties.ts'
import { findState } from '../../../regions/states.ts'
import type { ConsoleContext, Routes } from '../../context.ts'
import { type Html, html } from '../../show/html.ts'
import { showChange, showForm, showOptions, showTable } from '../../show/parts.ts'
import { countOf, nameCounty, showBytes, showTime, wordsOf } from '../../show/words.ts'

const FORMAT_WORDS = wordsOf('formats')
const NAME = /^[\w-]+\.(?:parquet|csv|geojsonl)$/

export function addExportPages(routes: Routes, context: ConsoleContext): void {
  const folder = exportsFolder(context)
  routes.post('/exports', async ({ form, signedIn, raw }) => {
    const format = EXPORT_FORMATS.find((one) => one === form.get('format'))
    const state = findState(form.get('state') ?? '')?.code
    const county = countyByFips(Number(form.get('county') ?? 0))
    if (format === undefined || state === undefined) {
      throw new CommandError('choose a state and a format', 2)
    }
    makePrivateFolder(context.config.data)
    makePrivateFolder(folder)
    const day = new Date(context.now()).toISOString().replace(/[-:]|\..*/g, '')
    const place = county === undefined ? state : `${state}-${county.name.replace(/\W+/g, '-')}`
    const name = `${place.toLowerCase()}-${day}.${format}`
    const within = county === undefined ? [] : ['--county', String(form.get('county'))]
    const words = ['export', '--state', state, ...within, '--format', format]
    const where = county === undefined ? state : nameCounty(county)
    const title = `Export ${where} as ${format}`
    context.jobs.start(signedIn.operator, [...words, '--out', join(folder, name)], { title })
    await context.note(signedIn.operator, 'export', name)
    const { referer = '' } = raw.headers
    return { redirect: /\/coverage\/\d{5}$/.exec(referer)?.[0] ?? '/coverage' }
  })

  routes.as('operator').get('/exports/:name', async ({ params, signedIn }) => {
    const path = find(folder, params.name ?? '')
    await context.note(signedIn.operator, 'download export', params.name ?? '')
    return {
      bytes: createReadStream(path),
      type: 'application/octet-stream',
      headers: {
        'content-disposition': `attachment; filename="${params.name}"`,
        'content-length': String(statSync(path).size),
      },
    }
  })

  routes.post('/exports/:name/delete', async ({ params, signedIn }) => {
    rmSync(find(folder, params.name ?? ''))
    await context.note(signedIn.operator, 'delete export', params.name ?? '')
    return { redirect: '/coverage' }
  })
}

function exportsFolder({ config }: ConsoleContext): string {
  return join(config.data, 'exports')
}

function find(folder: string, name: string): string {
  const path = join(folder, name)
  if (NAME.test(name) && existsSync(path)) return path
  throw new CommandError('this export is not kept any more; export again')
}

/** A form that exports a county, or a state without one. */
export function showExportForm(csrf: string, state: string, fips?: string): Html {
  const fields = html`<input type="hidden" name="state"
value="${state}">${fips !== undefined && html`<input type="hidden" name="county" value="${fips}">`}
<label>Format <select name="format">${showOptions(Object.entries(FORMAT_WORDS))}</select></label>
<button class="quiet">Export</button>`
  return showForm(csrf, '/exports', fields, { look: 'row' })
}

/** Lists the files that are kept, the newest first. `csrf`: of somebody who may have them. */
export function showExports(context: ConsoleContext, csrf: string): Html {
  const folder = exportsFolder(context)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : []
  if (names.length === 0) return html``
  const files = names
    .map((name) => ({ name, file: statSync(join(folder, name)) }))
    .sort((one, other) => other.file.mtimeMs - one.file.mtimeMs)
  return html`<section><h2>Exports</h2>${showTable(files, [
    ['File', ({ name }) => html`<a href="/exports/${name}" download>${name}</a>`],
    ['Size', ({ file }) => showBytes(file.size), 'number'],
    ['Made', ({ file }) => showTime(file.mtimeMs), 'time'],
    [
      html`<span class="hidden">Delete</span>`,
      ({ name }) =>
        showChange(csrf, `/exports/${name}/delete`, 'Delete', {
          ...{ name: `Delete ${name}`, confirm: `Delete ${name}?` },
        }),
    ],
  ])}<p class="note">They hold owners' names. They are
deleted after ${countOf(context.config.filesDays, 'day')}.</p></section>`
}
