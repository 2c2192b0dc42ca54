/** What a parcel was in earlier rolls: values, owners, and the parcels it came from. */
import { type Asked, type ConsoleContext, operationOf } from '../context.ts'
import { priceOf } from '../prices.ts'
import { showLines } from '../request-lines.ts'
import type { PageReply, PageRequest, Routes } from '../routes.ts'
import { type Html, html } from '../show/html.ts'
import { showLine } from '../show/plots.ts'
import { type FlatRecord, showDollars } from '../show/words.ts'

const TITLE = 'History'
/** Words of what happened, for parents and for children. */
const KINDS: Record<string, [of: string, into: string]> = {
  split: ['split from', 'split into'],
  merge: ['merged from', 'merged into'],
  adjustment: ['got land of', 'gave land to'],
  renumbered: ['was', 'is now'],
}

type Version = { from: string | null; to: string | null; what: string; record: FlatRecord | null }
type Relative = { propertyId: string; at: string; kind: string }

type ParcelPath = (record: FlatRecord) => string

export function addHistoryPage(
  routes: Routes,
  context: ConsoleContext,
  parcelPath: ParcelPath,
): void {
  routes.get('/parcel/history', (request) => showHistoryPage(context, request, parcelPath))
}

/** Returns the link to a parcel's history, with its price for callers. */
export async function linkHistory(context: ConsoleContext, record: FlatRecord): Promise<Html> {
  const query = new URLSearchParams({ propertyId: String(record.propertyId) })
  const operation = operationOf('propertyHistory')
  const cost = operation === undefined ? 0 : await priceOf(context, operation)
  const price = cost > 0 && html` <small>${cost} ${cost === 1 ? 'token' : 'tokens'}</small>`
  return html`<a class="button" href="/parcel/history?${String(query)}">${TITLE}${price}</a>`
}

async function showHistoryPage(
  context: ConsoleContext,
  request: PageRequest,
  parcelPath: ParcelPath,
): Promise<PageReply> {
  const propertyId = (request.query.get('propertyId') ?? '').slice(0, 200)
  const asked = await context.ask('propertyHistory', { propertyId, records: 'true' })
  if (asked.status !== 200) {
    const body = html`<p>${asked.refusal ?? `There is no parcel ${propertyId}.`}</p>
<p><a href="/search">Search</a></p>`
    return { title: 'No such parcel', body, status: asked.status }
  }
  const lineage = await context.ask('propertyLineage', { propertyId })
  const versions: Version[] = asked.body.versions
  const [newest] = versions
  const name =
    newest?.what === 'removed'
      ? html`${propertyId}, which left the roll of ${newest.from}`
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
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">From</th>
<th scope="col">To</th><th scope="col">Owner</th><th scope="col" class="number">Assessed</th>
<th scope="col">What happened</th></tr></thead><tbody>${versions.map(
    (version) => html`<tr><th scope="row">${version.from ?? 'unknown'}</th>
<td class="time">${version.to ?? 'now'}</td>
<td class="wide">${String(version.record?.ownerName1 ?? '–')}</td>
<td class="number">${showDollars(assessedOf(version)) ?? '–'}</td><td>${version.what}</td></tr>`,
  )}</tbody></table></div>`
}

function showLineage({ status, body }: Asked): Html {
  if (status !== 200) return html`<p>Nothing is known.</p>`
  const [parents, children]: Relative[][] = [body.parents, body.children]
  const lines = [
    ...(parents ?? []).map((one) => [KINDS[one.kind]?.[0], one] as const),
    ...(children ?? []).map((one) => [KINDS[one.kind]?.[1], one] as const),
  ]
  if (lines.length === 0) return html`<p>No roll shows another parcel that it came from.</p>`
  return html`<ul>${lines.map(
    ([what, { propertyId, at }]) => html`<li>${at}: ${what}
<a href="/parcel/history?${String(new URLSearchParams({ propertyId }))}">${propertyId}</a></li>`,
  )}</ul>`
}
