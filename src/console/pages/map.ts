/** The map: its page, the tiles, and its data about places and parcels. */
import { STATUS } from '../../base/errors.ts'
import { fipsCode } from '../../regions/counties.ts'
import type { CountyCoverage } from '../../store/store.ts'
import { askForParcel, type ConsoleContext, type Routes, recordsOf } from '../context.ts'
import {
  type Filters,
  readConsoleFilters,
  showChips,
  showFilters,
  withoutEmpty,
} from '../filters.ts'
import { GZIP, readTile, sendTile } from '../map/basemap.ts'
import { findDensest, type Opening } from '../map/densest.ts'
import { readYear, showYears } from '../map/years.ts'
import { type Html, html } from '../show/html.ts'
import { showTable } from '../show/parts.ts'
import { describeRecord, parcelPath } from '../show/record-words.ts'
import { countOf, type FlatRecord, nameCounty, showCount } from '../show/words.ts'
import { PARCEL_COLUMNS } from './search.ts'

/** Most parcels shown without tiles. */
const NEAR_MAX = '100'
/** The zoom of the tiles with parcels that have no polygon; maps draw them up to zoom 16. */
const POINTS_ZOOM = 14
/** Counties without coordinates that the legend names, and rows of the list of one. */
const UNPLACED_MAX = 3
const UNPLACED_ROWS = '40'

export function addMapPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/map', async ({ query }) => {
    const clean = withoutEmpty(query)
    if (clean !== undefined) return { redirect: `/map?${clean}` }
    const { opening, county, unplaced } = await findStart(context, Number(query.get('in')))
    if (county !== undefined && opening === undefined) {
      return { title: 'Map', body: await showUnplaced(context, county) }
    }
    const filters = readConsoleFilters(query)
    // Filters are of the present.
    const years =
      county !== undefined &&
      Object.keys(filters).length === 0 &&
      (await showYears(context, county, readYear(query)))
    const body = html`<div id="map" data-start="${opening?.at ?? ''}"
    data-zoom="${opening?.zoom}" data-county="${county && fipsCode(county.fips)}"
    data-filters="${new URLSearchParams(filters).toString()}"
  role="region" aria-label="Map of parcels. The table of parcels in view says the same."></div>
<p id="hover" class="card" aria-hidden="true" hidden></p>
${await showTools(context, query, filters)}
<aside id="card" class="card" aria-label="The chosen parcel" tabindex="-1" hidden></aside>
<div id="legend" class="card">${years}
<label>Colour by <select id="colour"></select></label><ul></ul>
<p class="note" id="classes"></p>
<p class="note" id="far-note" hidden></p>
<button class="quiet" id="as-table" aria-expanded="false" aria-controls="in-view">Parcels in
view</button>
${showUnplacedNote(unplaced)}</div>
<div id="in-view" class="card" hidden></div>
<div id="picked" class="card bottom" role="status" hidden><span></span>
<a class="button">Table</a><a class="button" download>CSV</a>
<button class="quiet">Clear</button></div>
<div id="drawing" class="card bottom" role="status" hidden><span></span>
<button disabled>Finish</button><button class="quiet" disabled>Undo a corner</button>
<button class="quiet">Cancel</button></div>
<figure id="sheet" aria-hidden="true"><img alt=""><div class="scale"></div>
<figcaption></figcaption></figure>
${
  county === undefined &&
  html`<div class="empty over">
<p>No parcel is loaded yet. The outlines are counties.</p>
<p><a class="button" href="/imports">Import a county's roll</a></p></div>`
}
<noscript><p class="empty">The map needs JavaScript. <a href="/search">Search</a> and
<a href="/coverage">coverage</a> do not.</p></noscript>`
    const late = ['maplibre-gl.css', 'map.js']
    return { title: 'Map', body, wide: true, late, styles: ['map.css'] }
  })

  routes.get('/tiles/:z/:x/:y', async ({ params, query }) => {
    const year = readYear(query)
    const asked = await context.ask('tile', year === undefined ? {} : { asOf: year }, {
      path: params,
    })
    const encoding = asked.headers['content-encoding']
    const headers = encoding === undefined ? {} : { 'content-encoding': encoding }
    return sendTile(asked.status === 200 ? asked.bytes : undefined, headers)
  })

  routes.get('/points/:z/:x/:y', async ({ params, query }) => {
    const tile = readTile(params)
    const bytes =
      tile?.z === POINTS_ZOOM ? await context.pointTile(tile, readYear(query)) : undefined
    return sendTile(bytes, GZIP)
  })

  routes.get('/near.json', async ({ query }) => ({ json: await listNear(context, query) }))

  routes.get('/card.json', async ({ query }) => {
    const propertyId = query.get('id') ?? ''
    const year = readYear(query)
    const asOf = year === undefined ? {} : { asOf: `${year}-12-31` }
    const [record] = recordsOf(await askForParcel(context, propertyId, asOf))
    if (record === undefined)
      return { json: { error: 'This parcel is gone.' }, status: STATUS.notFound }
    const { title, facts, source } = describeRecord(record)
    return { json: { title, facts: facts.slice(0, 8), source, path: parcelPath({ propertyId }) } }
  })
}

/** Shows the filters with what they find, and the buttons to draw and to print. */
async function showTools(
  context: ConsoleContext,
  query: URLSearchParams,
  filters: Filters,
): Promise<Html> {
  const isFiltered = Object.keys(filters).length > 0
  return html`<div id="tools" class="card"><form action="/map">${showFilters(filters)}
<button>Apply</button></form>
<button class="quiet" id="draw" aria-pressed="false">Draw an area</button>
<button class="quiet" id="print">Print</button>
${isFiltered && html`${showChips('/map', query, filters)}${await showFiltered(context, filters)}`}
</div>`
}

/** How many parcels of all loaded states meet the filters, or why they are not understood. */
async function showFiltered(context: ConsoleContext, filters: Filters): Promise<Html> {
  const counties = await (await context.parcels()).coverage({ partial: true })
  const states = [...new Set(counties.map(({ state }) => state))]
  const asked = await Promise.all(
    states.map((state) =>
      context.ask('propertySearch', {
        ...{ state, ...filters, countOnly: 'true', includeUnassignedAddress: 'true' },
      }),
    ),
  )
  const refusal = asked.find(({ status }) => status === STATUS.badRequest)?.refusal
  if (refusal !== undefined) return html`<p class="error" role="alert">${refusal}</p>`
  const total = asked.reduce((sum, { body }) => sum + Number(body?.metadata?.total ?? 0), 0)
  return html`<p class="note" role="status">${showCount(total)}
${total === 1 ? 'parcel meets' : 'parcels meet'} the filters ·
<a href="/search?${new URLSearchParams(filters).toString()}">list them</a></p>`
}

function showUnplacedNote(unplaced: readonly CountyCoverage[]): Html {
  if (unplaced.length === 0) return html``
  const more = unplaced.length - UNPLACED_MAX
  const links = unplaced.slice(0, UNPLACED_MAX).map((one, at) => {
    const name = `${nameCounty(one)} (${showCount(one.parcels)})`
    return html`${at > 0 && ', '}<a href="/map?in=${fipsCode(one.fips)}">${name}</a>`
  })
  const rest = more > 0 && ` and ${more} more`
  return html`<p class="note" id="unplaced">Not on the map, without coordinates:
${links}${rest}.</p>`
}

type Start = {
  /** `undefined`: none of the county's parcels has coordinates. */
  opening: Opening | undefined
  /** `undefined`: nothing is loaded. */
  county: CountyCoverage | undefined
  /** Counties whose rolls have no coordinates, the largest first. */
  unplaced: CountyCoverage[]
}

/** Finds where the map opens: in the county given by FIPS code, or in the largest on the map. */
export async function findStart(context: ConsoleContext, asked: number): Promise<Start> {
  const parcels = await context.parcels()
  const counties = await parcels.coverage({ partial: true })
  counties.sort((one, other) => other.parcels - one.parcels)
  const unplaced = counties.filter(({ bounds }) => bounds === null)
  const [largest = counties[0]] = counties.filter(({ bounds }) => bounds !== null)
  const county = counties.find(({ fips }) => fips === asked) ?? largest
  if (county?.bounds == null) return { opening: undefined, county, unplaced }
  return { opening: await findDensest(parcels, county), county, unplaced }
}

/** What is shown for a county whose roll has no coordinates. */
async function showUnplaced(context: ConsoleContext, county: CountyCoverage): Promise<Html> {
  const { state, parcels } = county
  const asked = await context.ask('propertySearch', {
    ...{ state, county: fipsCode(county.fips), limit: UNPLACED_ROWS },
    includeUnassignedAddress: 'true',
  })
  const records = recordsOf(asked)
  const others = (await (await context.parcels()).coverage({ partial: true })).filter(
    ({ bounds }) => bounds !== null,
  )
  const found = `${countOf(parcels, 'parcel')} of ${nameCounty(county)}`
  return html`<p class="summary" role="status">${found} are loaded, but the roll
has no coordinates, so they cannot be on a map.</p>
<nav class="actions" aria-label="About this county">
<a class="button" href="/search?in=${fipsCode(county.fips)}">Search this county</a>
<a class="button" href="/coverage/${fipsCode(county.fips)}">What the roll has</a>
${others.map(
  (one) =>
    html`<a class="button" href="/map?in=${fipsCode(one.fips)}">Map of ${nameCounty(one)}</a>`,
)}</nav>
<p class="note">The map shows them once a roll with latitude and longitude, or with polygons, is
<a href="/imports">imported</a>.</p>
${showTable(records, [PARCEL_COLUMNS.parcel, PARCEL_COLUMNS.use, PARCEL_COLUMNS.value], {
  label: 'Its first parcels',
})}
${
  parcels > records.length &&
  html`<p class="note">The first ${records.length}; the search finds the others.</p>`
}`
}

/** Returns the parcels nearest to a point as GeoJSON, with polygons where they have one. */
async function listNear(context: ConsoleContext, query: URLSearchParams) {
  const asked = await context.ask('locationSearch', {
    latitude: query.get('latitude') ?? '',
    longitude: query.get('longitude') ?? '',
    radius: '1',
    limit: NEAR_MAX,
  })
  const features = recordsOf(asked).map((record) => ({
    type: 'Feature',
    geometry: record.geometry ?? record.location,
    properties: readProperties(record),
  }))
  return { type: 'FeatureCollection', features }
}

/** Properties for colours and the table of a map without tiles, named as in tiles. */
function readProperties(record: FlatRecord) {
  const number = (name: string) => (typeof record[name] === 'number' ? Number(record[name]) : null)
  const [value, acres] = [
    number('totalMarketValue') ?? number('totalAssessedValue'),
    number('acres'),
  ]
  return {
    propertyId: String(record.propertyId),
    address: String(record.address ?? record.parcelId),
    use: (record.useStandardDescription ?? record.useDescription) as string | null,
    value,
    valuePerAcre: value === null || !acres ? null : Math.round(value / acres),
    saleYear: Number(String(record.transferDate ?? '').slice(0, 4)) || null,
    yearBuilt: number('yearBuilt'),
    ownerKind: record.ownerType as string | null,
  }
}
