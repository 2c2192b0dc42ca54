/** The loaded counties, their age, and the share of parcels with each field. */
import { STATUS } from '../../base/errors.ts'
import { COVERAGE_FIELDS, type CoverageField } from '../../base/model/coverage.ts'
import { fipsCode } from '../../regions/counties.ts'
import type { Role } from '../../store/console-store.ts'
import { type ImportEntry, isWithin } from '../../store/history.ts'
import type { CountyCoverage } from '../../store/store.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { type Html, html } from '../show/html.ts'
import { readHistory, showHistory } from '../show/import-history.ts'
import { JOBS_SCRIPT, showJobs } from '../show/jobs.ts'
import { type Column, showBar, showNothingLoaded, showTable } from '../show/parts.ts'
import { countOf, nameCounty, showAge, showCount, showField, wordsOf } from '../show/words.ts'
import { showExportForm, showExports } from './rolls/exports.ts'

/** The fields in the list; a county's own page shows all. */
const LISTED: readonly CoverageField[] = [
  'owner',
  'address',
  'assessedValue',
  'salePrice',
  'geometry',
]

export function addCoveragePages(routes: Routes, context: ConsoleContext): void {
  const { now } = context
  const readCounties = async () => (await context.parcels()).coverage({ partial: true })
  routes.get('/coverage', async ({ csrf }) => {
    const counties = (await readCounties()).sort(byName)
    const body = html`${showJobs(context.jobs, csrf, ROLL_COMMANDS)}${showCounties(counties, now())}
<div data-fresh>${csrf !== undefined && showExports(context, csrf)}</div>`
    const page = { title: 'Coverage', body, late: [JOBS_SCRIPT] }
    if (counties.length === 0) return page
    return { ...page, late: ['maplibre-gl.css', 'coverage-map.js', JOBS_SCRIPT] }
  })

  /** The data of each county for the map. */
  routes.get('/coverage.json', async () => ({
    json: {
      counties: (await readCounties()).map((county) => ({
        fips: fipsCode(county.fips),
        parcels: county.parcels,
        rollYear: county.rollYear,
        ageDays: Math.max(0, Math.floor((now() / 1000 - county.loadedAt) / 86_400)),
      })),
    },
  }))

  routes.get('/coverage/:fips', async ({ params, signedIn, csrf }) => {
    const county = (await readCounties()).find(({ fips }) => fips === Number(params.fips))
    if (county === undefined) {
      return {
        title: 'Not loaded',
        body: html`<p>This county is not loaded. <a href="/coverage">Coverage</a> lists what is, and
<a href="/sources">Sources</a> what is published.</p>`,
        status: STATUS.notFound,
      }
    }
    const history = await readHistory(context)
    const body = html`${showCountyPage(county, history, { now: now(), role: signedIn.role })}
${csrf !== undefined && showOffice(county, csrf)}
${showJobs(context.jobs, csrf, ROLL_COMMANDS)}`
    return { title: nameCounty(county), body, late: [JOBS_SCRIPT] }
  })
}

const ROLL_COMMANDS = ['export', 'unload']

/** What an operator does with a loaded county. */
function showOffice(county: CountyCoverage, csrf: string): Html {
  const fips = fipsCode(county.fips)
  return html`<section><h2>Export</h2>${showExportForm(csrf, county.state, fips)}
<p class="note">The file is then on <a href="/coverage">Coverage</a>. What is suppressed is left
out.</p></section>
<section><h2>Unload</h2><p>Removes its parcels for good.
<a class="button" href="/coverage/${fips}/unload">Unload ${nameCounty(county)} …</a></p></section>`
}

function showCounties(counties: CountyCoverage[], now: number): Html {
  if (counties.length === 0) {
    return showNothingLoaded()
  }
  const total = counties.reduce((sum, { parcels }) => sum + parcels, 0)
  const states = new Set(counties.map(({ state }) => state)).size
  return html`<p class="summary">${countOf(total, 'parcel')} in
${countOf(counties.length, 'county', 'counties')}${states > 1 && ` of ${states} states`}</p>
<section aria-label="Map"><div id="coverage-map" role="region"
aria-label="Map of the loaded counties. The table has the same data."></div>
<div class="legend"><label>Colour by <select id="coverage-colour"></select></label>
<ul id="coverage-legend"></ul></div></section>
<div data-fresh>${showTable(counties, [
    ['County', (one) => html`<a href="/coverage/${fipsCode(one.fips)}">${nameCounty(one)}</a>`],
    ['Parcels', ({ parcels }) => showCount(parcels), 'number'],
    ['Roll', ({ rollYear }) => rollYear ?? '–'],
    ['Loaded', ({ loadedAt }) => showAge(loadedAt * 1000, now), 'time'],
    ...LISTED.map(
      (field): Column<CountyCoverage> => [nameField(field), (one) => showShare(one, field)],
    ),
  ])}</div>`
}

function showCountyPage(
  county: CountyCoverage,
  history: ImportEntry[],
  { now, role }: { now: number; role: Role },
): Html {
  const { state, fips } = county
  const own = history.filter(({ scopes }) =>
    scopes.some((scope) => isWithin(scope, { state, fips })),
  )
  return html`<p class="summary">${countOf(county.parcels, 'parcel')}, roll of
  ${county.rollYear ?? 'an unknown year'},
loaded ${showAge(county.loadedAt * 1000, now)}</p>
<nav class="actions" aria-label="About this county"><a class="button"
href="/map?in=${fipsCode(county.fips)}">On the map</a>
<a class="button" href="/search?in=${fipsCode(county.fips)}">Search in it</a>
<a class="button" href="/coverage/${fipsCode(county.fips)}/quality">Quality</a>
<a class="button" href="/coverage/${fipsCode(county.fips)}/ratios">Are values fair?</a>
<a class="button" href="/imports">Imports and sources</a></nav>
<h2>How many parcels have each field</h2>
<table class="fill"><tbody>${COVERAGE_FIELDS.map(
    (field) =>
      html`<tr><th scope="row">${nameField(field)}</th><td>${showShare(county, field)}</td></tr>`,
  )}</tbody></table>
<h2>Its imports</h2>${showHistory(own, history, role)}`
}

/** Shows a bar and its number, because screen readers cannot read colour and length. */
function showShare({ filled, parcels }: CountyCoverage, field: CoverageField): Html {
  const share = parcels === 0 ? 0 : filled[field] / parcels
  // 99.97 % must not be shown as 100 %.
  const percent = share > 0.99 && share < 1 ? '>99' : String(Math.round(share * 100))
  return html`<span class="share">${showBar(share)}
<span>${percent} %</span></span>`
}

function nameField(field: CoverageField): string {
  return NAMES[field] ?? showField(field)
}

const NAMES = wordsOf('coverage')

function byName(one: CountyCoverage, other: CountyCoverage): number {
  return one.state === other.state
    ? nameCounty(one).localeCompare(nameCounty(other))
    : one.state.localeCompare(other.state)
}
