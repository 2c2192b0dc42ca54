/** The map: its page, the tiles, and its data about places and parcels. */
import { decodeParcel } from '../../record/stored.ts'
import { type ConsoleContext, operationOf } from '../context.ts'
import { readMapFacts } from '../map-facts.ts'
import type { PageReply, Routes } from '../routes.ts'
import { html } from '../show/html.ts'
import { describeRecord } from '../show/record-words.ts'
import type { FlatRecord } from '../show/words.ts'
import { askForParcel, parcelPath, recordsOf } from './search.ts'

/** Most parcels shown without tiles. */
const NEAR_MAX = '100'
/** Longest search for the first parcels of a county, in milliseconds. */
const START_MS = 5000

/** Properties of a record for colours and the table of a map without tiles, named as in tiles. */
type MapProperties = {
  propertyId: string
  address: string
  use: string | null
  value: number | null
  valuePerAcre: number | null
  saleYear: number | null
  yearBuilt: number | null
  ownerKind: string | null
}

export function addMapPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/map', async ({ query }) => {
    const start = await findStart(context, Number(query.get('in')))
    const hasTiles = operationOf('tile') !== undefined
    const body = html`<div id="map" data-start="${start ?? ''}"
    data-tiles="${hasTiles ? 'yes' : 'no'}"
  role="region" aria-label="Map of parcels. The table of parcels in view says the same."></div>
<aside id="card" class="card" aria-label="The chosen parcel" tabindex="-1" hidden></aside>
<div id="legend" class="card"><label>Colour by <select id="colour"></select></label><ul></ul>
<button class="quiet" id="as-table" aria-expanded="false" aria-controls="in-view">Parcels in
view</button>
<p class="note" id="far-note" hidden>The larger a circle, the more parcels. Go nearer to see each
one.</p></div>
<div id="in-view" class="card" hidden></div>
${
  start === undefined &&
  html`<div class="empty over">
<p>No parcel is loaded yet. The outlines are counties.</p>
<p><a class="button" href="/imports">Import a county's roll</a></p></div>`
}
<noscript><p class="empty">The map needs JavaScript. <a href="/search">Search</a> and
<a href="/coverage">coverage</a> do not.</p></noscript>`
    const styles = ['maplibre-gl.css', 'map.css']
    return { title: 'Map', body, wide: true, scripts: ['map.js'], styles }
  })

  routes.get('/tiles/:z/:x/:y', async ({ params }) => showTile(context, params))

  routes.get('/near.json', async ({ query }) => ({ json: await listNear(context, query) }))

  routes.get('/facts.json', async ({ query }) => {
    const [west, south, east, north] = (query.get('box') ?? '').split(',').map(Number)
    const isBox = [west, south, east, north].every((side) => Number.isFinite(side))
    if (!isBox) return { json: { error: 'box is west,south,east,north in degrees' }, status: 400 }
    const box = { west, south, east, north } as Parameters<typeof readMapFacts>[1]
    return { json: { facts: await readMapFacts(await context.parcels(), box) } }
  })

  routes.get('/card.json', async ({ query }) => {
    const propertyId = query.get('id') ?? ''
    const [record] = recordsOf(await askForParcel(context, propertyId))
    if (record === undefined) return { json: { error: 'This parcel is gone.' }, status: 404 }
    const { title, facts, source } = describeRecord(record)
    return { json: { title, facts: facts.slice(0, 8), source, path: parcelPath({ propertyId }) } }
  })
}

/**
 * Returns `latitude,longitude` of a parcel in a county given by FIPS code, or in the largest one;
 * `undefined` when nothing is loaded.
 */
export async function findStart(
  context: ConsoleContext,
  asked: number,
): Promise<string | undefined> {
  const parcels = await context.parcels()
  const counties = await parcels.coverage({ partial: true })
  const [largest] = counties.sort((one, other) => other.parcels - one.parcels)
  const chosen = counties.find(({ fips }) => fips === asked) ?? largest
  if (chosen === undefined) return undefined
  const { state, fips } = chosen
  const filter = { state, fips, assignedOnly: true }
  const page = await parcels.page(filter, 0, 0, 40, performance.now() + START_MS)
  const placed = page.parcels
    .map(({ fieldValues }) => decodeParcel(fieldValues))
    .filter(({ latitude }) => latitude !== null)
  const middle = placed[Math.floor(placed.length / 2)]
  return middle === undefined ? undefined : `${middle.latitude},${middle.longitude}`
}

async function showTile(
  context: ConsoleContext,
  params: Record<string, string>,
): Promise<PageReply> {
  const type = 'application/vnd.mapbox-vector-tile'
  const nothing = { bytes: '', type, status: 204 }
  if (operationOf('tile') === undefined) return nothing
  const asked = await context.ask('tile', {}, params)
  if (asked.bytes === undefined || asked.status !== 200) return nothing
  const encoding = asked.headers['content-encoding']
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding }
  return { bytes: asked.bytes, type, headers }
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

function readProperties(record: FlatRecord): MapProperties {
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
