/** `GET /public/premium/comparables/`: sales of properties similar to a given one. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { boxesAround, meetsAny } from '../../geo/sphere.ts'
import { decodeParcel } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import { takeText } from '../../render/render.ts'
import { estimateValue, TESTED_MIN } from '../../sales/estimate.ts'
import { type RecordedSale, readFeatures } from '../../sales/read-sale.ts'
import { type Features, pricePerSqFt, type Sale, type SaleFlag } from '../../sales/sale.ts'
import { compareSale, MONTH_DAYS, type Part } from '../../sales/similarity.ts'
import { type FoundSales, findSales, readSaleTest } from '../find/find-sales.ts'
import { findSubject, needParcel, readSubject } from '../find/subject.ts'
import { defineOperation, type Reply, type RequestContext, showList } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { roundTo } from '../places/place-parameters.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import { findAssessments } from './assessments.ts'
import {
  COMPARABLE_PARAMETERS,
  COMPARABLES_SCHEMA,
  isWanted,
  NON_DISCLOSURE,
} from './comparable-parameters.ts'

const NOT_FOUND = 'No comparable properties found'

/** The parcels of a point's county come at least this close. */
const NEAR_MILES = 1

type Asked = Values<typeof COMPARABLE_PARAMETERS>

/** The property in question. `id`: its parcel, which is left out of the answer. */
type Subject = Features & {
  id: number | undefined
  state: string | undefined
  fips: number | undefined
}

type Compared = RecordedSale & { comparison: ReturnType<typeof compareSale> }

export const comparables = defineOperation({
  operationId: 'comparables',
  path: '/public/premium/comparables/',
  parameters: COMPARABLE_PARAMETERS,
  tokenCost: 1,
  answers: { schema: COMPARABLES_SCHEMA },
  unsupported: UNSUPPORTED_FILTERS,
  check(values) {
    const { latitude, longitude, basis } = values
    checkPlace(values)
    const subject = readSubject(values)
    if (basis === 'assessment' && subject === undefined) {
      throw refuse.badRequest('propertyId is required with basis=assessment')
    }
    if (subject === undefined && (latitude === undefined || longitude === undefined)) {
      throw refuse.badRequest('latitude and longitude, or propertyId, are required')
    }
    for (const feature of ['sqft', 'beds', 'baths', 'price'] as const) {
      const [least, most] = [values[`${feature}Min`], values[`${feature}Max`]]
      if (least !== undefined && most !== undefined && least > most) {
        throw refuse.badRequest(`${feature}Min is above ${feature}Max`)
      }
    }
    return { values, subject }
  },
  find: ({ values, subject }, context) =>
    context.queueSearch(async (pause) => {
      if (values.basis === 'assessment' && subject !== undefined) {
        const found = await needParcel(subject, context.parcels)
        const { page, metadata } = await findAssessments(found, values, {
          ...context,
          pause,
        })
        return showTwice(page, metadata, context)
      }
      const about = await readAbout(values, subject, context)
      const today = Math.floor(context.now / DAY_MS)
      const sinceDay = Math.ceil(today - values.timeFrame * MONTH_DAYS)
      const isOther = (sale: Sale) => sale.id !== about.id && isWanted(sale, values)
      const asked = { center: about.point, radiusMiles: values.radius, sinceDay }
      const found = await findSales({ ...asked, isWanted: isOther }, context, pause)
      const others = found.sales.filter(({ sale }) => isOther(sale))
      const usable = others.filter(({ flags }) => flags.length === 0 || values.explain)
      if (usable.length === 0) throw refuse.notFound(await whyNone(about, found, context))
      const compared = usable
        .map((one): Compared => ({ ...one, comparison: compareSale(about, one.sale, today) }))
        .sort((a, b) => b.comparison.similarity - a.comparison.similarity || a.sale.id - b.sale.id)
      const { complete } = found
      return showSales({ about, compared, others, complete, today }, values, context)
    }),
})

/** Throws *bad request* for half a point, and for a state or county next to a point. */
function checkPlace({ latitude, longitude, propertyId, parcelId, state, county }: Asked): void {
  const isNamed = (propertyId ?? parcelId) !== undefined
  const given = [latitude, longitude].filter((one) => one !== undefined).length
  if (given === 1 && isNamed) {
    throw refuse.badRequest('latitude and longitude are required together')
  }
  if (given < 2 || isNamed) return
  const name = state !== undefined ? 'state' : county !== undefined ? 'county' : undefined
  if (name === undefined) return
  throw refuse.badRequest(`${name} is only for a parcel ID; leave it out when a point is given`)
}

/** Reads the subject from its record and the given features, which take precedence. */
async function readAbout(
  values: Asked,
  asked: ReturnType<typeof readSubject>,
  { parcels }: RequestContext,
): Promise<Subject> {
  const found = asked === undefined ? undefined : await findSubject(asked, parcels)
  if (asked !== undefined && found === undefined) throw refuse.notFound('Property not found')
  const record = found && decodeParcel(found.parcel.fieldValues)
  const own = record && readFeatures(record)
  const { latitude, longitude, propertyType } = values
  const point =
    latitude === undefined || longitude === undefined
      ? own?.point
      : ([longitude, latitude] as const)
  if (point === undefined) throw refuse.notFound('The property has no point; send one')
  return {
    ...(own ?? UNKNOWN),
    point: [point[0], point[1]],
    kind: propertyType === 'any' ? (own?.kind ?? 'house') : propertyType,
    id: found?.parcel.id,
    state: record && countyByFips(record.fips)?.state,
    fips: record?.fips,
  }
}

const UNKNOWN = {
  areaSqFt: null,
  bedrooms: null,
  bathrooms: null,
  yearBuilt: null,
  kind: 'house',
} as const

/** Explains an empty answer: the state does not disclose prices, or the roll has no sales. */
async function whyNone(
  { point, state, fips }: Subject,
  { sales, complete }: FoundSales,
  { parcels }: RequestContext,
): Promise<string> {
  if (!complete) return `${NOT_FOUND} among the nearest ${sales.length} sales`
  if (sales.length > 0) return NOT_FOUND
  const boxes = boxesAround(point, NEAR_MILES)
  const near = await parcels.coverage(state === undefined ? { boxes } : { states: [state] })
  const counties = near.filter((county) =>
    fips === undefined ? meetsAny(county.bounds, boxes) : county.fips === fips,
  )
  const states = new Set(counties.map((county) => county.state))
  const silent = [...states].filter((code) => NON_DISCLOSURE.has(code))
  if (silent.length > 0) return `${NOT_FOUND}: sale prices are not public in ${silent.join(', ')}`
  const hasSales = counties.length === 0 || counties.some(({ filled }) => filled.salePrice > 0)
  return hasSales ? NOT_FOUND : `${NOT_FOUND}: the roll has no sales`
}

type Comparison = {
  about: Subject
  /** The usable sales, the most similar first. */
  compared: Compared[]
  /** All wanted sales but the subject's own. */
  others: readonly RecordedSale[]
  /** Whether every sale within the radius was looked at. */
  complete: boolean
  /** Days since 1970-01-01. */
  today: number
}

async function showSales(
  { about, compared, others, complete, today }: Comparison,
  values: Asked,
  context: RequestContext,
): Promise<Reply> {
  const { basis: _, ...searched } = values
  const { offset, maxResults, radius, timeFrame } = values
  const page = compared.slice(offset, offset + maxResults)
  const metadata = {
    limit: maxResults,
    offset,
    count: page.length,
    total: compared.length,
    complete,
    searchCenter: { longitude: about.point[0], latitude: about.point[1] },
    radiusMiles: radius,
    timeFrame,
    searchParams: { ...searched, latitude: about.point[1], longitude: about.point[0] },
    sales: page.map(showSale),
    ...(values.explain && { excluded: countFlags(others) }),
    ...(values.estimate && { estimate: await describeEstimate(about, others, today, context) }),
  }
  return showTwice(
    page.map(({ parcel }) => parcel),
    metadata,
    context,
  )
}

function showSale({ sale, date, flags, comparison }: Compared): object {
  const round = (values: Record<Part, number | null>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value && roundTo(value, 4)]),
    )
  return {
    date,
    price: sale.price,
    pricePerSqFt: pricePerSqFt(sale),
    distanceMiles: roundTo(comparison.distanceMiles, 6),
    similarity: roundTo(comparison.similarity, 4),
    parts: round(comparison.parts),
    differences: round(comparison.differences),
    qualified: flags.length === 0,
    flags,
  }
}

function countFlags(sales: readonly RecordedSale[]): Record<SaleFlag, number> {
  const counts = { price: 0, 'several-parcels': 0, deed: 0, family: 0, outlier: 0 }
  for (const { flags } of sales) for (const flag of flags) counts[flag] += 1
  return counts
}

const METHOD =
  'weighted median of the prices of the 16 most similar qualified sales, adjusted for area'

/** The estimate and its range, null when too few of the county's sales could be tested. */
async function describeEstimate(
  about: Subject,
  others: readonly RecordedSale[],
  today: number,
  { parcels }: RequestContext,
): Promise<object> {
  const qualified = others.filter(({ flags }) => flags.length === 0)
  const estimate = estimateValue(
    about,
    qualified.map(({ sale }) => sale),
    today,
  )
  const none = { low: null, high: null, method: METHOD }
  if (estimate === undefined) {
    const reason =
      about.areaSqFt === null
        ? 'the building area of the property is not known'
        : 'fewer than three qualified sales of the same kind have an area'
    return { value: null, n: 0, ...none, backtest: null, reason }
  }
  const fips = about.fips ?? commonest(qualified.map((one) => one.fips))
  const test = fips === undefined ? undefined : await readSaleTest(fips, parcels)
  if (!test?.backtest) {
    const reason = test
      ? `fewer than ${TESTED_MIN} of the county's past sales could be tested`
      : "the county's past sales have not been tested"
    return { ...estimate, ...none, backtest: null, reason }
  }
  const { low, high, sales, medianError, within20Percent, coverage } = test.backtest
  return {
    value: estimate.value,
    n: estimate.n,
    low: Math.round(estimate.value * low),
    high: Math.round(estimate.value * high),
    method: METHOD,
    backtest: {
      county: fips && countyByFips(fips)?.name,
      sales,
      medianError: roundTo(medianError, 4),
      within20Percent: roundTo(within20Percent, 4),
      coverage: roundTo(coverage, 4),
    },
  }
}

function commonest(codes: readonly number[]): number | undefined {
  const groups = [...Map.groupBy(codes, (code) => code)]
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

/** Builds the list answer with the records under `comparables` and `properties`. */
function showTwice(
  parcels: Parameters<typeof showList>[0],
  metadata: Record<string, unknown>,
  { layout }: RequestContext,
): Reply {
  const { body, headers, seen = [] } = showList(parcels, layout, metadata)
  const text = takeText(body)
  const end = text.lastIndexOf(`,"metadata":${JSON.stringify(metadata)}`)
  const records = text.slice('{"properties":'.length, end)
  return { body: `{"comparables":${records},${text.slice(1)}`, headers, seen }
}
