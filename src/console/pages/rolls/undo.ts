/** Undoing an import and unloading a county: each is planned first, named, and then confirmed. */
import { CommandError, WrongValue } from '../../../base/errors.ts'
import { undoImport } from '../../../import/undo.ts'
import { fipsCode } from '../../../regions/counties.ts'
import {
  type ImportEntry,
  isUndoable,
  isWithin,
  type LoadedScope,
  type ScopeFilter,
} from '../../../store/history.ts'
import { openHistory } from '../../../store/open-rolls.ts'
import type { ConsoleContext, Routes } from '../../context.ts'
import { html } from '../../show/html.ts'
import { nameCounties, readHistory } from '../../show/import-history.ts'
import { showConfirmation } from '../../show/parts.ts'
import { countOf, showCount, showCounty, showName, showTime } from '../../show/words.ts'

export function addUndoPages(routes: Routes, context: ConsoleContext): void {
  addUndo(routes, context)
  addUnload(routes, context)
}

function addUndo(routes: Routes, context: ConsoleContext): void {
  const { config, jobs } = context
  const find = async (id: string) => {
    const history = await readHistory(context)
    const entry = history.find((one) => String(one.id) === id && isUndoable(one, history))
    if (entry === undefined) throw new CommandError(`import ${id} cannot be undone any more`)
    return { history, entry }
  }

  routes.as('operator').get('/imports/undo/:id', async ({ params, signedIn }) => {
    const { history, entry: found } = await find(params.id ?? '')
    const job = {
      ...{ dataDir: config.data, databaseUrl: config.databaseUrl, confirmed: false },
      loadedAt: Math.floor(context.now() / 1000),
    }
    const { entry, counts } = await undoImport(job, history, filterOf(found), found.id)
    const body = showConfirmation(signedIn.csrf, {
      action: `/imports/undo/${entry.id}`,
      content: html`<p>The import of ${showTime(entry.loadedAt * 1000)} is undone in
<b>${nameCounties(entry.scopes)}</b>:</p>
<ul><li>Removed: ${countOf(counts.removed, 'parcel')} that it added.</li>
<li>Restored to the record of before: ${countOf(counts.restored, 'parcel')}.</li>
<li>Brought back: ${countOf(counts.returned, 'parcel')} that it removed.</li></ul>
<p class="note">Callers are answered from the earlier roll at once. An undo cannot be undone:
import the file again to have it back.</p>`,
      button: html`<button autofocus>Undo the import</button>`,
      back: '/imports',
    })
    return { title: 'Undo an import', body }
  })

  routes.post('/imports/undo/:id', async ({ params, signedIn }) => {
    const { entry } = await find(params.id ?? '')
    const title = `Undo the import of ${nameCounties(entry.scopes)}`
    const words = ['import', '--undo', '--id', String(entry.id), '--confirm']
    jobs.start(signedIn.operator, [...words, ...optionsOf(filterOf(entry))], { title })
    await context.note(
      signedIn.operator,
      'undo import',
      `${entry.id}: ${nameCounties(entry.scopes)}`,
    )
    return { redirect: '/imports' }
  })
}

function addUnload(routes: Routes, context: ConsoleContext): void {
  const find = async (fips: string) => {
    const reader = await openHistory(context.config)
    const loaded = await reader.scopes().finally(() => reader.close())
    const scopes = loaded.filter((scope) => scope.fips === Number(fips))
    const [first] = scopes
    if (first === undefined) throw new CommandError('this county is not loaded')
    return { scopes, state: first.state, name: showCounty(first.fips) }
  }

  routes.as('operator').get('/coverage/:fips/unload', async ({ params, signedIn }) => {
    const { scopes, state, name } = await find(params.fips ?? '')
    const parcels = scopes.reduce((sum, scope) => sum + scope.parcels, 0)
    const path = `/coverage/${params.fips}`
    const body = showConfirmation(signedIn.csrf, {
      action: `${path}/unload`,
      content: html`<p>This removes <b>${countOf(parcels, 'parcel')} of ${name}, ${state}</b>,
with all earlier versions. Callers no longer find them.</p>
${scopes.length > 1 && html`<p>Its rolls: ${listScopes(scopes)}.</p>`}
<p class="note">This cannot be undone. An import of the roll brings the parcels back, with new
record IDs.</p>
<label>Type <b>${name}</b> to confirm
<input name="name" required autocomplete="off" autofocus></label>`,
      button: html`<button class="danger">Unload ${name}</button>`,
      back: path,
    })
    return { title: `Unload ${name}, ${state}`, body }
  })

  routes.post('/coverage/:fips/unload', async ({ params, form, signedIn }) => {
    const fips = params.fips ?? ''
    const { state, name } = await find(fips)
    if (form.get('name')?.trim().toLowerCase() !== name.toLowerCase()) {
      throw new WrongValue(`type ${name} to confirm that it is unloaded`, 'name')
    }
    const words = ['unload', '--state', state, '--county', fips, '--confirm']
    const title = `Unload ${name}, ${state}`
    context.jobs.start(signedIn.operator, words, { title })
    await context.note(signedIn.operator, 'unload', `${name}, ${state}`)
    return { redirect: '/coverage' }
  })
}

/** Selects the scopes of an import: its county, its state, or all. */
function filterOf({ scopes }: ImportEntry): ScopeFilter {
  const [first] = scopes
  if (first === undefined) return {}
  const { state, fips, municipality } = first
  const filters: ScopeFilter[] = [{ state, fips, municipality }, { state, fips }, { state }]
  const fits = (filter: ScopeFilter) => scopes.every((scope) => isWithin(scope, filter))
  return filters.find(fits) ?? {}
}

function optionsOf({ state, fips, municipality }: ScopeFilter): string[] {
  return [
    ...(state === undefined ? [] : ['--state', state]),
    ...(fips === undefined ? [] : ['--county', fipsCode(fips)]),
    ...(municipality === undefined || municipality === '' ? [] : ['--municipality', municipality]),
  ]
}

function listScopes(scopes: readonly LoadedScope[]): string {
  return scopes
    .map(({ municipality, parcels }) => `${showName(municipality)} (${showCount(parcels)})`)
    .join(', ')
}
