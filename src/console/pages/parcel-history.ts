/** What a parcel was in earlier rolls: values, owners, and the parcels it came from. */
import type { Asked, ConsoleContext, PageRequest, Routes } from '../context.ts'
import { showPriced } from '../prices.ts'
import { showLines } from '../request-lines.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { noParcel, showTable } from '../show/parts.ts'
import { showLine } from '../show/plots.ts'
import { parcelPath } from '../show/record-words.ts'
import { type FlatRecord, showDate, showDollars, wordsOf } from '../show/words.ts'

const TITLE = 'History'
/** Words of what happened, for parents and for children. */
const [OF, INTO] = [wordsOf('parents'), wordsOf('children')]

type Version = { from: string | null; to: string | null; what: string; record: FlatRecord | null }
type Relative = { propertyId: string; at: string; kind: string }

export function addHistoryPage(routes: Routes, context: ConsoleContext): void {
  routes.get('/parcel/history', (request) => showHistoryPage(context, request))
}

/** Returns the link to a parcel's history, with its price for callers. */
export async function linkHistory(context: ConsoleContext, record: FlatRecord): Promise<Html> {
  const query = new URLSearchParams({ propertyId: String(record.propertyId) })
  return showPriced(context, 'propertyHistory', `/parcel/history?${String(query)}`, TITLE)
}

async function showHistoryPage(context: ConsoleContext, request: PageRequest): Promise<PageReply> {
  const propertyId = (request.query.get('propertyId') ?? '').slice(0, 200)
  const asked = await context.ask('propertyHistory', { propertyId, records: 'true' })
  if (asked.status !== 200) {
    return noParcel(asked.refusal ?? 'There is no such parcel.', asked.status)
  }
  const lineage = await context.ask('propertyLineage', { propertyId })
  const versions: Version[] = asked.body.versions
  const [newest] = versions
  const name =
    newest?.what === 'removed'
      ? html`${propertyId}, which left the roll of ${showDate(newest.from) ?? 'an unknown day'}`
      : html`<a href="${parcelPath({ propertyId })}">${propertyId}</a>`
  const body = html`<p class="summary">${name}</p>
${showValues(versions)}
<section><h2>Owners and values</h2>${showVersions(versions)}</section>
<section><h2>Came from, became</h2>${showLineage(lineage)}</section>
<section><h2>Ask for it by program</h2>${showLines(context, asked)}</section>`
  return { title: TITLE, body }
}

const assessedOf = ({ record }: Version) => record?.totalAssessedValue ?? record?.totalMarketValue

/** A line of the values by year; nothing for a single one. */
function showValues(versions: Version[]): Html | false {
  const points = versions.toReversed().flatMap((version) => {
    const value = assessedOf(version)
    const year = Number(version.from?.slice(0, 4))
    return typeof value === 'number' && year > 0 ? [{ x: year, y: value }] : []
  })
  return points.length > 1 && showLine(points, 'Assessed value by year; the table has the numbers')
}

function showVersions(versions: Version[]): Html {
  return showTable(versions, [
    ['From', ({ from }) => showDate(from) ?? 'unknown'],
    ['To', ({ to }) => showDate(to) ?? 'now', 'time'],
    ['Owner', ({ record }) => String(record?.ownerName1 ?? '–'), 'wide'],
    ['Assessed', (version) => showDollars(assessedOf(version)) ?? '–', 'number'],
    ['What happened', ({ what }) => what],
  ])
}

function showLineage({ status, body }: Asked): Html {
  if (status !== 200) return html`<p>Nothing is known.</p>`
  const [parents, children]: Relative[][] = [body.parents, body.children]
  const lines = [
    ...(parents ?? []).map((one) => [OF[one.kind], one] as const),
    ...(children ?? []).map((one) => [INTO[one.kind], one] as const),
  ]
  if (lines.length === 0) return html`<p>No roll shows another parcel that it came from.</p>`
  return html`<ul>${lines.map(
    ([what, { propertyId, at }]) => html`<li>${showDate(at) ?? at}: ${what}
<a href="/parcel/history?${String(new URLSearchParams({ propertyId }))}">${propertyId}</a></li>`,
  )}</ul>`
}
