/** A county's quality and its ratio study: a sentence of judgement, a plot, a table; printable. */
import { refuse } from '../../base/errors.ts'
import { nextTurn } from '../../base/event-loop.ts'
import type { County } from '../../base/model/place.ts'
import { listQuality } from '../../operations/rolls/quality.ts'
import {
  GROUPS,
  type GroupBy,
  type RatioReport,
  type StudiedOne,
  studyCounty,
} from '../../operations/sales/ratio-report.ts'
import { countyByFips } from '../../regions/counties.ts'
import { CLASSES, RANGES } from '../../sales/ratio-standard.ts'
import { STATISTICS } from '../../sales/ratio-statistics.ts'
import type { RatioGroup } from '../../sales/ratio-study.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { quoteCell } from '../show/csv.ts'
import { type Html, html } from '../show/html.ts'
import { sendCsv, showOptions, showTable } from '../show/parts.ts'
import { showBars, showScatter } from '../show/plots.ts'
import { countOf, nameCounty, showCount, showDate, showField, wordsOf } from '../show/words.ts'

/** Sales read for a page; of more an even sample is read. */
const READ_MAX = 20_000

type Asked = Parameters<typeof studyCounty>[0]

export function addFairnessPages(routes: Routes, context: ConsoleContext): void {
  routes.get('/coverage/:fips/quality', async ({ params }) => {
    const county = countyOf(params)
    const reading = { parcels: await context.parcels(), now: context.now(), pause: nextTurn }
    const [scope] = await listQuality({ state: county.state, fips: county.fips }, reading)
    if (scope === undefined) throw refuse.notFound('The county is not loaded')
    return {
      title: `Quality of ${nameCounty(county)}`,
      body: showQuality(scope),
    }
  })

  const study = async (asked: Asked, sales: StudiedOne[]) =>
    studyCounty(asked, {
      parcels: await context.parcels(),
      pause: nextTurn,
      readMax: READ_MAX,
      sales,
    })

  routes.get('/coverage/:fips/ratios', async ({ params, query }) => {
    const county = countyOf(params)
    const asked = readAsked(county, query)
    const sales: StudiedOne[] = []
    const whole = await study({ ...asked, groupBy: undefined }, sales)
    const groups = asked.groupBy === undefined ? undefined : await study(asked, [])
    const title = `Ratio study of ${nameCounty(county)}`
    return { title, body: showStudy({ asked, whole, groups, sales, query }) }
  })

  routes.get('/coverage/:fips/ratios.csv', async ({ params, query }) => {
    const county = countyOf(params)
    const sales: StudiedOne[] = []
    await study({ ...readAsked(county, query), groupBy: undefined }, sales)
    return sendCsv(`ratios-${params.fips}`, writeCsv(sales))
  })
}

/** Returns the county of a path. Throws *not found*. */
function countyOf({ fips }: Record<string, string>): County {
  const county = countyByFips(Number(fips))
  if (county === undefined) throw refuse.notFound('The county is not known')
  return county
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Wrong values count as absent. */
function readAsked(
  { state, fips }: { state: string; fips: number },
  query: URLSearchParams,
): Asked {
  const day = (name: string) => {
    const text = query.get(name) ?? ''
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
  }
  const groupBy = GROUPS.find((name) => name === query.get('groupBy'))
  const basis = query.get('basis') === 'assessed' ? 'assessed' : 'market'
  return { state, fips, basis, groupBy, from: day('from'), to: day('to') }
}

type Scope = Awaited<ReturnType<typeof listQuality>>[number]

function showQuality({ score, parcels, parts, course }: Scope): Html {
  const faults = parts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.weight * (1 - (b.share ?? 1)) - a.weight * (1 - (a.share ?? 1)))
  const scores = course
    .map((one) => ({ label: showDate(one.loadedAt) ?? one.loadedAt, value: one.score, most: 100 }))
    .reverse()
  const inOrder = parts.filter(({ count, share }) => count === 0 && share !== null)
  const [worst] = faults
  const verdict =
    worst === undefined
      ? 'No fault was found.'
      : `${countOf(faults.length, 'kind')} of fault; what counts most: ${worst.about}.`
  return html`<p class="summary">${score} of 100 points for ${countOf(parcels, 'parcel')}.
${verdict}</p>
${scores.length > 1 && html`<h2>Course</h2>${showBars(scores)}`}
<h2>What is not in order</h2>
${showTable(faults, [
  [
    'Fault',
    ({ about, fields = [] }) => [about, ...(fields ?? [])].join(fields?.length ? ': ' : ''),
  ],
  ['Count', ({ count }) => showCount(count), 'number'],
  ['In order', ({ share }) => percent(share), 'number'],
  ['Weight', ({ weight }) => weight, 'number'],
  [
    'Examples',
    ({ examples }) =>
      examples.map((id) => html`<a href="/search?q=${encodeURIComponent(id)}">${id}</a> `),
    'text',
  ],
])}
<p>In order: ${countOf(inOrder.length, 'part')}. Not
measured: ${parts.filter(({ share }) => share === null).length}.</p>`
}

type Study = {
  asked: Asked
  whole: RatioReport
  groups: RatioReport | undefined
  sales: readonly StudiedOne[]
  query: URLSearchParams
}

function showStudy({ asked, whole, groups, sales, query }: Study): Html {
  const [all] = whole.groups as [RatioGroup]
  const left = Object.entries(whole.excluded).map(
    ([reason, count]) => `${showCount(count)} ${LEFT_OUT[reason] ?? reason}`,
  )
  const points = sales.flatMap(({ reason, price, ratio }) =>
    reason === null && ratio !== null ? [{ x: price, y: ratio }] : [],
  )
  return html`<p class="summary">${all.judgement} ${all.reason && html`(${all.reason})`}</p>
<form method="get" class="row noprint"><label>Value <select name="basis">${choices(
    ['market', 'assessed'],
    asked.basis,
  )}</select></label>
<label>Groups <select name="groupBy">${choices(
    ['', ...GROUPS],
    asked.groupBy ?? '',
  )}</select></label>
<label>From <input type="date" name="from" value="${asked.from ?? ''}"></label>
<label>To <input type="date" name="to" value="${asked.to ?? ''}"></label>
<button>Show</button> <button type="button" class="quiet" data-print>Print</button></form>
<p>${countOf(all.n, 'sale')} from ${showDate(whole.from) ?? 'the first'} to
${showDate(whole.to) ?? 'the newest'}.
Left out: ${left.length === 0 ? 'none' : left.join(', ')}. <a class="noprint"
href="ratios.csv?${query.toString()}" download>Sales as CSV</a></p>
${points.length > 0 && html`<h2>Ratio of value to price, by price</h2>`}
${points.length > 0 && showScatter(points, all.median?.value)}
${showStatistics(all)}
${groups && showGroups(groups.groups, asked.groupBy)}
<p>Statistics and ranges follow the Standard on Ratio Studies of the International Association of
Assessing Officers. Intervals of 95 %; seed of the bootstrap ${whole.seed}.</p>`
}

const LEFT_OUT = wordsOf('sales left out')

function choices(names: readonly string[], chosen: string): Html {
  const titles = names.map((name) => [name, name === '' ? 'none' : showField(name)] as const)
  return showOptions(titles, chosen)
}

function showStatistics(group: RatioGroup): Html | undefined {
  if (group.standard === null) return undefined
  const held = group.standard
  const classes = held.cod.map((name) => CLASSES[name].about)
  const digitsOf = (name: (typeof STATISTICS)[number], one: number | undefined) =>
    one?.toFixed(name === 'cod' ? 1 : 3).replace(/^-(0\.?0*)$/, '$1') ?? '–'
  const judge = (name: (typeof STATISTICS)[number]) => {
    const range = name in RANGES ? RANGES[name as keyof typeof RANGES] : undefined
    const isHeld = range && held[name as keyof typeof RANGES]
    const judged = isHeld === null ? 'not judged' : isHeld ? 'holds' : 'does not hold'
    if (range !== undefined) return `${range[0]} to ${range[1]}: ${judged}`
    if (name !== 'cod') return ''
    if (classes.length === Object.keys(CLASSES).length) return 'holds for every class'
    return classes.length === 0 ? 'holds for no class' : `holds for ${classes.join('; ')}`
  }
  const table = showTable(STATISTICS, [
    ['Statistic', (name) => NAMES[name] ?? name],
    ['Value', (name) => digitsOf(name, group[name]?.value), 'number'],
    ['Low', (name) => digitsOf(name, group[name]?.low), 'number'],
    ['High', (name) => digitsOf(name, group[name]?.high), 'number'],
    ['Range of the standard', judge, 'text'],
  ])
  return html`<h2>Statistics</h2>${table}`
}

const NAMES = wordsOf('statistics')

function showGroups(groups: readonly RatioGroup[], groupBy: GroupBy | undefined): Html {
  const shown = groups.filter(({ cod }) => cod !== null)
  return html`<h2>COD by ${showField(groupBy ?? '')}</h2>
${showBars(shown.map(({ key, cod }) => ({ label: key, value: cod?.value ?? 0, most: 40 })))}
${showTable(groups, [
  ['Group', ({ key }) => key],
  ['Sales', ({ n }) => showCount(n), 'number'],
  ['Judgement', ({ reason, judgement }) => reason ?? judgement, 'wide'],
])}`
}

function percent(share: number | null): string {
  if (share === null) return '–'
  return share > 0.9995 && share < 1 ? '>99.9 %' : `${(share * 100).toFixed(1)} %`
}

function writeCsv(sales: readonly StudiedOne[]): string {
  const rows = sales.map(({ propertyId, date, price, value, ratio, reason }) =>
    [propertyId, date, price, value, ratio, reason]
      .map((cell) => quoteCell(String(cell ?? '')))
      .join(','),
  )
  return ['propertyId,date,sale_price,estimate,ratio,left_out', ...rows, ''].join('\r\n')
}
