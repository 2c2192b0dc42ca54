/** Lists linked from a parcel: neighbours, similar sales, other parcels of its owner. */
import { refuse, STATUS } from '../../base/errors.ts'
import {
  type Asked,
  askForParcel,
  type ConsoleContext,
  type PageRequest,
  type Routes,
} from '../context.ts'
import { showPriced } from '../prices.ts'
import { showLines } from '../request-lines.ts'
import { toCsv } from '../show/csv.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { showExplanation } from '../show/match-words.ts'
import { noParcel, sendCsv, showEmpty, showOptions } from '../show/parts.ts'
import { describeRecord, parcelPath } from '../show/record-words.ts'
import { RESULT_MAP, showResultMap } from '../show/result-map.ts'
import { countOf, type FlatRecord, showDollars, wordsOf } from '../show/words.ts'

type Other = {
  operationId: string
  title: string
  query: Record<string, string>
  /** Text for an answer without parcels. */
  nothing: string
  /** Has a choice of the distance, and labels for the mail. */
  isForMail?: boolean
  /** Returns the metadata that the answer has for the parcel at an index of the list. */
  // biome-ignore lint/suspicious/noExplicitAny: metadata of any operation
  remark(metadata: any, at: number): string | undefined
}

/** By the last part of the path. */
const OTHERS: Record<string, Other> = {
  neighbours: {
    operationId: 'abutterSearch',
    title: 'Neighbours',
    query: {},
    nothing: 'No parcel touches this one, or its polygon is not loaded.',
    isForMail: true,
    remark: ({ distancesFeet }, at) => {
      const feet = distancesFeet?.[at]
      return feet === undefined || feet === 0 ? 'next to it' : `${feet} feet away`
    },
  },
  comparables: {
    operationId: 'comparables',
    title: 'Comparable sales',
    query: { radius: '2', timeFrame: '60' },
    nothing: 'No sale like it within two miles and five years is recorded.',
    remark: (metadata, at) => describeComparison(metadata.sales?.[at]),
  },
  portfolio: {
    operationId: 'portfolioSearch',
    title: 'Same name or mailing address',
    query: { explain: 'true' },
    nothing: 'The roll shows no other parcel with this name or this mailing address.',
    remark: ({ reasons }, at) => REASONS[reasons?.[at]],
  },
}

/** Distances in feet that offices notify within, by the text of the choice. */
const DISTANCES = Object.entries(wordsOf('distances'))

const REASONS = wordsOf('reasons')

export function addOtherPages(routes: Routes, context: ConsoleContext): void {
  for (const [name, other] of Object.entries(OTHERS)) {
    routes.get(`/parcel/${name}`, (request) => showOthers(context, other, request))
  }

  routes.get('/parcel/labels.csv', async ({ query }) => {
    const asked = await context.ask('abutterSearch', {
      ...{ propertyId: readId(query), distance: readDistance(query), format: 'labels' },
    })
    if (asked.status !== 200) throw refuse.notFound(asked.refusal ?? 'There are no labels')
    const labels: (FlatRecord & { propertyIds: string[] })[] = asked.body.labels
    const rows = labels.map((label) => ({ ...label, propertyIds: label.propertyIds.join(' ') }))
    return sendCsv('labels', toCsv(rows))
  })
}

const readId = (query: URLSearchParams) => (query.get('propertyId') ?? '').slice(0, 200)

function readDistance(query: URLSearchParams): string {
  const asked = query.get('distance')
  return DISTANCES.find(([feet]) => feet === asked)?.[0] ?? '0'
}

/** The choice of a distance, and the mailing labels of all owners within it. */
function showMailTools(propertyId: string, distance: string, count: number): Html {
  const query = new URLSearchParams({ propertyId, distance })
  return html`<form class="actions" action="/parcel/neighbours">
<input type="hidden" name="propertyId" value="${propertyId}">
<label>Parcels <select name="distance">${showOptions(DISTANCES, distance)}</select>
</label><button>Show</button>
${
  count > 0 &&
  html`<a class="button" href="/parcel/labels.csv?${query.toString()}" download>Labels as CSV</a>`
}</form>`
}

/** Returns links to the lists, with their price for callers. */
export async function linkOthers(context: ConsoleContext, record: FlatRecord): Promise<Html[]> {
  const query = new URLSearchParams({ propertyId: String(record.propertyId) })
  const assessment = { operationId: 'comparables', title: 'Assessment next to others' }
  return Promise.all(
    Object.entries({ ...OTHERS, assessment }).map(([name, { operationId, title }]) =>
      showPriced(context, operationId, `/parcel/${name}?${String(query)}`, title),
    ),
  )
}

async function showOthers(
  context: ConsoleContext,
  { operationId, title, query, nothing, remark, isForMail }: Other,
  request: PageRequest,
): Promise<PageReply> {
  const propertyId = readId(request.query)
  const distance = readDistance(request.query)
  const [asked, parcel] = await Promise.all([
    context.ask(operationId, { propertyId, ...query, ...(isForMail && { distance }) }),
    askForParcel(context, propertyId),
  ])
  if (parcel.status >= STATUS.badRequest) {
    return noParcel('There is no such parcel.', STATUS.notFound)
  }
  const records: FlatRecord[] = asked.status === 200 ? (asked.body?.properties ?? []) : []
  const back = parcelPath({ propertyId })
  const named: FlatRecord | undefined = parcel.body?.property ?? parcel.body?.properties?.[0]
  const list = html`<ol class="results">${records.map((record, at) => {
    const { title: name, facts } = describeRecord(record)
    const told = remark(asked.body?.metadata ?? {}, at)
    const shown = facts.filter(([term]) => ['Owner', 'Use', 'Last sold'].includes(term))
    return html`<li><span class="at">${at + 1}</span><a href="${parcelPath(record)}">${name}</a>
${told !== undefined && html`<span class="told">${told}</span>`}
<span class="where">${shown.map(([, text]) => text).join(' · ')}</span></li>`
  })}</ol>`
  const body = html`<p class="summary" role="status">${countOf(records.length, 'parcel')}, for
  <a href="${back}">${named === undefined ? propertyId : describeRecord(named).title}</a></p>
${isForMail && showMailTools(propertyId, distance, records.length)}
${
  records.length === 0
    ? showEmpty(asked.status === 200 ? nothing : describeRefusal(asked, nothing))
    : html`<div class="found">${list}
${showResultMap(records)}</div>`
}
${showExplanation(asked)}
<section><h2>Ask for it by program</h2>${showLines(context, asked)}</section>`
  return { title, body, ...RESULT_MAP }
}

/** A 404 means that there are none; other refusals say why. */
function describeRefusal({ status, refusal }: Asked, nothing: string): string {
  return status === STATUS.notFound ? nothing : (refusal ?? nothing)
}

function describeComparison(
  comparison: { price?: number; distanceMiles?: number; similarity?: number } | undefined,
): string | undefined {
  if (comparison === undefined) return undefined
  const { price, distanceMiles, similarity } = comparison
  const parts = [
    showDollars(price) && `sold for ${showDollars(price)}`,
    distanceMiles !== undefined && `${distanceMiles.toFixed(2)} miles away`,
    similarity !== undefined && `${Math.round(similarity * 100)} % alike`,
  ]
  return parts.filter(Boolean).join(', ') || undefined
}
