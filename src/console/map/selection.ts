/** A selection of the map: chosen parcels, or those of a drawn area, as a table and as CSV. */
import { refuse } from '../../base/errors.ts'
import { nextTurn } from '../../base/event-loop.ts'
import { closeRing, decodePolyline } from '../../geo/polyline.ts'
import { askForParcel, type ConsoleContext, type Routes, recordsOf } from '../context.ts'
import { readConsoleFilters, showChips } from '../filters.ts'
import { PARCEL_COLUMNS } from '../pages/search.ts'
import { linkWatch } from '../pages/watches.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import { sendCsv, showEmpty, showTable } from '../show/parts.ts'
import { RESULT_MAP, showResultMap } from '../show/result-map.ts'
import { countOf, type FlatRecord, showCount, showDate, showDollars } from '../show/words.ts'

/** Parcels that an address can name, and those of an area that are read. */
const IDS_MAX = 200
const AREA_MAX = 20_000
/** Rows of the table, and parcels that the map marks. */
const ROWS_MAX = 500
const MARKED_MAX = 5000
/** Places that the map of the table numbers. */
const PLACES_MAX = 100
/** Parcels that are read at once, so that other requests do not wait. */
const PAGE_SIZE = 500

/** The first that is known. */
const ACRES = ['acres', 'calculatedAcres']

/** What the page of a selection shows of a parcel. */
const TABLE_FIELDS = [
  ...['propertyId', 'parcelId', 'addressFull', 'ownerName', 'ownerName2', 'useDescription'],
  ...['useStandardDescription', 'totalMarketValue', 'totalAssessedValue', 'transferDate'],
  ...['latitude', 'longitude', ...ACRES],
].join()

type Selection = {
  records: FlatRecord[]
  /** Number of parcels, of which `records` may be the first. */
  total: number
  areaSqMiles: number | undefined
}

export function addSelectionPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/area.json', async ({ query }) => {
    const asked = { ...readConsoleFilters(query), polygon: query.get('polygon') ?? '' }
    const found = await searchShape(context, asked, MARKED_MAX, 'propertyId')
    const ids = found.records.map(({ propertyId }) => propertyId)
    return { json: { ids, total: found.total, areaSqMiles: found.areaSqMiles } }
  })

  routes.get('/selection', async ({ query }) => {
    const { records, total, areaSqMiles } = await readSelection(context, query, TABLE_FIELDS)
    if (total === 0)
      return {
        title: 'Selection',
        body: showEmpty(
          'Nothing is selected.',
          html`<a class="button" href="/map">Choose parcels on the map</a>`,
        ),
      }
    const shown = records.slice(0, ROWS_MAX)
    const body = html`<p class="summary" role="status">${describe(records, total, areaSqMiles)}</p>
<nav class="actions" aria-label="About this selection">
<a class="button" href="/selection.csv?${query.toString()}" download>Download as CSV</a>
${showWayBack(records)} ${linkWatch(...readWatched(query))}</nav>
${showChips('/selection', query, readConsoleFilters(query))}
${showParcels(shown)}
${
  total > shown.length &&
  html`<p class="note">The first ${showCount(shown.length)}; the CSV has
${total > AREA_MAX ? `the first ${showCount(AREA_MAX)}` : 'all'}.</p>`
}
${showResultMap(shown.slice(0, PLACES_MAX))}`
    return { title: 'Selection', body, ...RESULT_MAP }
  })

  routes.get('/selection.csv', async ({ query }) => {
    const { records } = await readSelection(context, query)
    return sendCsv('selection', toCsv(records))
  })
}

/** What a watch of the selection is of: its area, or its parcels. */
function readWatched(query: URLSearchParams): [kind: string, what: string] {
  const ring = closeRing(decodePolyline(query.get('polygon') ?? '') ?? [])
  if (ring.length === 0) return ['parcels', query.getAll('id').slice(0, IDS_MAX).join(' ')]
  return ['shape', JSON.stringify({ type: 'Polygon', coordinates: [ring] })]
}

async function readSelection(
  context: ConsoleContext,
  query: URLSearchParams,
  fields?: string,
): Promise<Selection> {
  const polygon = query.get('polygon') ?? ''
  if (polygon !== '') {
    return searchShape(context, { ...readConsoleFilters(query), polygon }, AREA_MAX, fields)
  }
  const records: FlatRecord[] = []
  for (const id of query.getAll('id').slice(0, IDS_MAX)) {
    records.push(...recordsOf(await askForParcel(context, id)))
  }
  return { records, total: records.length, areaSqMiles: undefined }
}

/**
 * Returns the parcels of a shape, at most `most`. Throws *bad request* for a wrong shape or filter.
 * `fields`: only those.
 */
export async function searchShape(
  context: ConsoleContext,
  query: Record<string, string>,
  most: number,
  fields?: string,
): Promise<Selection> {
  const found: Selection = { records: [], total: 0, areaSqMiles: undefined }
  const common = {
    ...{ ...query, includeUnassignedAddress: 'true' },
    ...(fields !== undefined && { fields }),
  }
  for (let cursor: string | null = ''; cursor !== null && found.records.length < most; ) {
    const isFirst: boolean = cursor === ''
    const paging: Record<string, string> = isFirst ? { includeTotal: 'true' } : { cursor }
    const asked = await context.ask(
      'shapeSearch',
      { ...common, ...paging },
      { pageSize: PAGE_SIZE },
    )
    await nextTurn()
    if (asked.status !== 200) throw refuse.badRequest(asked.refusal ?? 'The area was not searched')
    found.records.push(...recordsOf(asked))
    const about = asked.body?.metadata ?? {}
    if (isFirst) Object.assign(found, { total: about.total ?? 0, areaSqMiles: about.areaSqMiles })
    cursor = about.nextCursor ?? null
  }
  // A first page that ended early has counted a part only.
  found.total = Math.max(found.total, found.records.length)
  return found
}

function describe(records: readonly FlatRecord[], total: number, area: number | undefined): string {
  const sum = (...names: string[]) =>
    records.reduce((all, record) => {
      const value = names.map((name) => record[name]).find((one) => typeof one === 'number')
      return all + Number(value ?? 0)
    }, 0)
  const count = countOf(total, 'parcel')
  const where =
    area === undefined ? '' : ` in ${area < 1 ? area.toFixed(2) : area.toFixed(1)} square miles`
  if (total > records.length) return `${count}${where}`
  const [acres, dollars] = [sum(...ACRES), sum('totalMarketValue', 'totalAssessedValue')]
  return [
    `${count}${where}`,
    ...(acres > 0 ? [`${showCount(Math.round(acres * 10) / 10)} acres`] : []),
    ...(dollars > 0 ? [`${showDollars(dollars)} in all`] : []),
  ].join(' · ')
}

function showWayBack(records: readonly FlatRecord[]): Html {
  const placed = records.find(({ latitude }) => typeof latitude === 'number')
  if (placed === undefined) return html``
  const { latitude, longitude } = placed
  return html`<a class="button" href="/map#16/${String(latitude)}/${String(longitude)}">Map</a>`
}

function showParcels(records: readonly FlatRecord[]): Html {
  return showTable(
    records,
    [
      PARCEL_COLUMNS.parcel,
      ['Owner', ({ ownerName, ownerName2 }) => String(ownerName ?? ownerName2 ?? '–'), 'wide'],
      PARCEL_COLUMNS.use,
      ['Acres', ({ acres, calculatedAcres }) => String(acres ?? calculatedAcres ?? '–'), 'number'],
      PARCEL_COLUMNS.value,
      ['Last sold', ({ transferDate }) => showDate(transferDate) ?? '–', 'time'],
    ],
    { label: 'The selected parcels' },
  )
}
