/** A parcel's assessed value next to those of parcels like it, on two pages when printed. */
import { STATUS } from '../../base/errors.ts'
import { MILES_PER_DEGREE } from '../../geo/sphere.ts'
import type { ShownLike, ShownSubject } from '../../operations/sales/assessments.ts'
import { askForParcel, type ConsoleContext, type Routes, recordsOf } from '../context.ts'
import { type Html, html } from '../show/html.ts'
import { noParcel, showEmpty, showTable } from '../show/parts.ts'
import { describeRecord, parcelPath } from '../show/record-words.ts'
import { type FlatRecord, showCount, showDollars } from '../show/words.ts'

const QUERY = { basis: 'assessment', radius: '2', limit: '25' }

export function addAppealPage(routes: Routes, context: ConsoleContext): void {
  routes.get('/parcel/assessment', async ({ query }) => {
    const propertyId = (query.get('propertyId') ?? '').slice(0, 200)
    const [record] = recordsOf(await askForParcel(context, propertyId))
    if (record === undefined) {
      return noParcel('There is no such parcel.', STATUS.notFound)
    }
    const asked = await context.ask('comparables', { propertyId, ...QUERY })
    const title = 'Assessment next to others'
    const about = html`<p class="summary"><a href="${parcelPath(record)}">${
      describeRecord(record).title
    }</a> · ${propertyId}</p>`
    if (asked.status !== 200) {
      const why = asked.refusal ?? 'There is nothing to compare it with.'
      return { title, body: html`${about}${showEmpty(`${why}.`)}` }
    }
    const { subject, assessments, rule } = asked.body.metadata
    const records = recordsOf(asked)
    const body = html`${about}${showSubject(subject)}
<p class="noprint"><button type="button" class="quiet" data-print>Print</button></p>
<h2>Where they are</h2>${showPlan(record, records)}
<section class="new-page"><h2>The parcels most like it</h2>
${showLikes(records, assessments)}
<p class="note">Parcels of the same county and use within two miles, the most alike first. Likeness
is the weighted sum of ${rule}.</p></section>`
    return { title, body }
  })
}

const perFoot = (value: number) => `$${value.toFixed(2)}`

function showSubject({ per, n, percentile, ...subject }: ShownSubject): Html {
  const sentence = `Assessed at ${perFoot(subject.valuePerSqFt)} a square foot of ${per}. The median
of ${showCount(n)} parcels like it is ${perFoot(subject.medianPerSqFt)}; ${percentile.toFixed(0)} %
of them are lower.`
  const facts: [string, string][] = [
    ['Assessed value', showDollars(subject.assessedValue) ?? '–'],
    ['At the median', showDollars(subject.valueAtMedian) ?? '–'],
  ]
  const list = facts.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)
  return html`<p>${sentence}</p><dl class="facts">${list}</dl>`
}

function showLikes(records: readonly FlatRecord[], likes: readonly ShownLike[]): Html {
  const rows = records.flatMap((record, at) => {
    const like = likes[at]
    return like === undefined ? [] : [{ record, like }]
  })
  return showTable(rows, [
    ['No.', (_, at) => at + 1, 'number'],
    [
      'Parcel',
      ({ record }) => html`<a href="${parcelPath(record)}">${describeRecord(record).title}</a>`,
      'wide',
    ],
    ['Assessed', ({ like }) => showDollars(like.assessedValue) ?? '–', 'number'],
    ['Per sq ft', ({ like }) => perFoot(like.valuePerSqFt), 'number'],
    ['Alike', ({ like }) => `${Math.round(like.similarity * 100)} %`, 'number'],
    ['Miles', ({ like }) => like.differences.distance?.toFixed(2) ?? '–', 'number'],
  ])
}

/** Inside of the plan, and its edge, in pixels. */
const [WIDE, HIGH, EDGE] = [560, 380, 20]

/** Draws the parcels as numbers around the subject, north up. Printers need no WebGL for it. */
function showPlan(subject: FlatRecord, records: readonly FlatRecord[]): Html {
  const [middleY, middleX] = [Number(subject.latitude), Number(subject.longitude)]
  const stretch = Math.cos((middleY * Math.PI) / 180)
  const places = records.map(({ latitude, longitude }, at) => ({
    number: at + 1,
    x: (Number(longitude) - middleX) * stretch,
    y: Number(latitude) - middleY,
  }))
  const reach = ({ x, y }: { x: number; y: number }) =>
    Math.max((2 * Math.abs(x)) / WIDE, (2 * Math.abs(y)) / HIGH)
  const perPixel = Math.max(1e-7, ...places.map(reach))
  const xOf = (x: number) => (EDGE + WIDE / 2 + x / perPixel).toFixed(1)
  const yOf = (y: number) => (EDGE + HIGH / 2 - y / perPixel).toFixed(1)
  const miles = SCALES.find((own) => own / MILES_PER_DEGREE / perPixel <= WIDE / 2) ?? 0.01
  const bar = (miles / MILES_PER_DEGREE / perPixel).toFixed(1)
  return html`<svg class="plot" viewBox="0 0 ${WIDE + 2 * EDGE} ${HIGH + 3 * EDGE}" role="img"
aria-label="Where the parcels are; the table lists their distances.">
${places.map(
  ({ number, x, y }) =>
    html`<text x="${xOf(x)}" y="${yOf(y)}" text-anchor="middle" dy="0.35em">${number}</text>`,
)}
<circle cx="${xOf(0)}" cy="${yOf(0)}" r="6"/>
<path d="M${EDGE} ${HIGH + 2.2 * EDGE}h${bar}" stroke="currentColor" stroke-width="2"/>
<text x="${EDGE}" y="${HIGH + 2.9 * EDGE}">${miles} miles; the dot is the parcel, north is up</text>
</svg>`
}

/** Lengths of the bar in miles. */
const SCALES = [1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01]
