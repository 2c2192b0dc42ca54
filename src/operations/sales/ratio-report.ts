/** The ratio study of a county's sales: which are used, why others are not, and groups. */
import { DAY_MS } from '../../base/days.ts'
import { refuse } from '../../base/errors.ts'
import { foldCity } from '../../base/fold.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { listUseCodes } from '../../record/use-codes.ts'
import type { LogRange } from '../../sales/qualify.ts'
import type { Basis } from '../../sales/ratio-standard.ts'
import { findTrimBounds, type Pair } from '../../sales/ratio-statistics.ts'
import { type RatioGroup, SEED, studyGroup } from '../../sales/ratio-study.ts'
import {
  countGroups,
  findCountySales,
  findUsual,
  flagOutliers,
  flagSales,
  type ReadSale,
  readSalesById,
} from '../../sales/read-sale.ts'
import { type PropertyKind, quantile, type SaleFlag } from '../../sales/sale.ts'
import type { ParcelReader } from '../../store/store.ts'
import { readSaleTest } from '../find/find-sales.ts'

export const GROUPS = ['municipality', 'useStandardCode', 'neighborhood', 'priceQuartile'] as const
export type GroupBy = (typeof GROUPS)[number]

export type RatioQuestion = {
  state: string
  fips: number
  basis: Basis
  municipality?: string | undefined
  useStandardCode?: string | undefined
  /** First and last day of the sales, `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
  groupBy?: GroupBy | undefined
}

/** Why a sale is not used: the flags of comparable sales, no value to compare, or an outlier. */
type Unused = SaleFlag | 'noValue' | 'trimmed'

export type RatioReport = Awaited<ReturnType<typeof studyCounty>>

type Reading = {
  parcels: ParcelReader
  /** Waits for other requests, and throws at the deadline. */
  pause(): Promise<void>
  /** Sales read at most. */
  readMax: number
  /** Receives every sale of the question, in no order. */
  sales?: StudiedOne[]
}

/** One sale as a study used it, or the reason why not. */
export type StudiedOne = {
  propertyId: string
  /** `YYYY-MM-DD`. */
  date: string
  price: number
  value: number | null
  ratio: number | null
  reason: Unused | null
}

const readPlace = openFields([
  ...(['municipality', 'jurisdiction', 'neighborhood', 'propertyUseCode'] as const),
  ...(['totalMarketValue', 'totalAssessedValue', 'fips'] as const),
])

type StudiedSale = ReadSale & {
  propertyId: string
  value: number | null
  municipality: string | null
  neighborhood: string | null
  useStandardCode: string | null
}

/** Studies the sales of a county. Throws *not found* for one that is not loaded. */
export async function studyCounty(asked: RatioQuestion, reading: Reading) {
  const { parcels, pause } = reading
  const { state, fips, groupBy, basis } = asked
  const county = (await parcels.coverage({ states: [state] })).find((one) => one.fips === fips)
  if (county === undefined) throw refuse.notFound('The county is not loaded')
  const from = asked.from ?? (county.rollYear === null ? null : `${county.rollYear - 2}-01-01`)
  const sinceDay = from === null ? 0 : Math.floor(Date.parse(from) / DAY_MS)
  const found = await findCountySales(parcels, { state, fips, sinceDay, pause })
  const ids = sampleEvenly(found, reading.readMax)
  const sales = await readStudied(asked, ids, reading)
  const to = asked.to ?? null
  const { used, excluded } = await chooseSales(asked, sales, { to, ...reading })
  if (reading.sales !== undefined && groupBy === undefined) markTrimmed(reading.sales)
  const groups: RatioGroup[] = []
  for (const [key, pairs] of groupSales(used, groupBy)) {
    const study = studyGroup(key, pairs, { asListed: false, basis })
    let step = study.next()
    for (; step.done !== true; step = study.next()) await pause()
    groups.push(step.value)
    await pause()
  }
  const trimmed = groups.reduce((sum, group) => sum + group.trimmed, 0)
  return {
    groups: sales.length === 0 ? groups.map((group) => ({ ...group, reason: NO_SALES })) : groups,
    /** Number of sales that were left out, each by its first reason. */
    excluded: { ...excluded, ...(trimmed > 0 && { trimmed }) },
    seed: SEED,
    ...{ basis, from, to },
    /** false: the county has more sales, of which an even sample was read. */
    complete: ids.length === found.length,
  }
}

const NO_SALES = 'the roll has no priced sales with a point in this period'

/** Keeps at most `most` IDs at even distances, so that every part of the county is represented. */
function sampleEvenly(ids: readonly number[], most: number): readonly number[] {
  if (ids.length <= most) return ids
  const step = ids.length / most
  return Array.from({ length: most }, (_, at) => ids[Math.floor(at * step)] as number)
}

/** Records per turn of the event loop: some 3 ms. */
const READ_AT_ONCE = 50

async function readStudied(
  { state, basis }: RatioQuestion,
  ids: readonly number[],
  { parcels, pause }: Reading,
): Promise<StudiedSale[]> {
  const sales: StudiedSale[] = []
  for await (const read of readSalesById(parcels, state, ids, READ_AT_ONCE)) {
    for (const { fieldValues, ...sale } of read) {
      const place = readPlace(fieldValues)
      const value = basis === 'market' ? place.totalMarketValue : place.totalAssessedValue
      sales.push({
        ...sale,
        propertyId: propertyIdOf(fieldValues),
        value: value !== null && value > 0 ? value : null,
        municipality: place.municipality ?? place.jurisdiction,
        neighborhood: place.neighborhood,
        useStandardCode: place.propertyUseCode,
      })
    }
    await pause()
  }
  return sales
}

/** Sales chosen per turn of the event loop: some 2 ms. */
const CHOSEN_AT_ONCE = 500

/** Leaves out what is in another county, period, municipality or use, and what is not qualified. */
async function chooseSales(
  asked: RatioQuestion,
  sales: readonly StudiedSale[],
  { to, parcels, pause, sales: kept }: Reading & { to: string | null },
): Promise<{ used: StudiedSale[]; excluded: Partial<Record<Unused, number>> }> {
  const counts = new Map<string, number>()
  await inTurns(sales, pause, (slice) => countGroups(slice, counts))
  const inCounty: (ReturnType<typeof flagSales>[number] & { of: StudiedSale })[] = []
  await inTurns(sales, pause, (slice) => {
    for (const [at, one] of flagSales(slice, counts).entries()) {
      if (one.fips === asked.fips) inCounty.push({ ...one, of: slice[at] as StudiedSale })
    }
  })
  const usual = await readUsual(asked.fips, inCounty, parcels)
  const codes = asked.useStandardCode && new Set(listUseCodes(asked.useStandardCode))
  const excluded: Partial<Record<Unused, number>> = {}
  const used: StudiedSale[] = []
  await inTurns(inCounty, pause, (slice) => {
    for (const { of, date, flags } of flagOutliers(slice, (_, kind) => usual(kind))) {
      if (to !== null && date > to) continue
      if (asked.from !== undefined && date < asked.from) continue
      if (asked.municipality && !isSameName(of.municipality, asked.municipality)) continue
      if (codes && !codes.has(of.useStandardCode ?? '')) continue
      const reason = flags[0] ?? (of.value === null ? 'noValue' : undefined)
      kept?.push(showOne(of, reason ?? null))
      if (reason === undefined) used.push(of)
      else excluded[reason] = (excluded[reason] ?? 0) + 1
    }
  })
  return { used, excluded }
}

/** Handles a list in slices, with a pause after each. */
async function inTurns<One>(
  list: readonly One[],
  pause: Reading['pause'],
  handle: (slice: readonly One[]) => void,
): Promise<void> {
  for (let at = 0; at < list.length; at += CHOSEN_AT_ONCE) {
    handle(list.slice(at, at + CHOSEN_AT_ONCE))
    await pause()
  }
}

/** The usual prices of a county by kind: as measured, else those of the given sales. */
async function readUsual(
  fips: number,
  sales: ReturnType<typeof flagSales>,
  parcels: ParcelReader,
): Promise<(kind: PropertyKind) => LogRange> {
  const test = await readSaleTest(fips, parcels)
  const found = new Map<PropertyKind, LogRange>()
  return (kind) => {
    const range = test?.usual[kind] ?? found.get(kind)
    if (range !== undefined) return range
    const own = findUsual(sales.filter(({ sale }) => sale.kind === kind))
    found.set(kind, own)
    return own
  }
}

function showOne(
  { propertyId, date, sale, value }: StudiedSale,
  reason: Unused | null,
): StudiedOne {
  const ratio = value === null ? null : value / sale.price
  return { propertyId, date, price: sale.price, value, ratio, reason }
}

/** Names the sales that the study of the whole trims. */
function markTrimmed(sales: StudiedOne[]): void {
  const used = sales.filter(({ reason }) => reason === null)
  const { low, high } = findTrimBounds(used.map(({ ratio }) => ratio ?? 0))
  for (const one of used) {
    if ((one.ratio ?? 0) < low || (one.ratio ?? 0) > high) one.reason = 'trimmed'
  }
}

function isSameName(recorded: string | null, asked: string): boolean {
  return recorded !== null && foldCity(recorded) === foldCity(asked)
}

/** The value and price of each sale by group, in the order of keys. Without a field: `all`. */
function groupSales(
  sales: readonly StudiedSale[],
  groupBy: GroupBy | undefined,
): [string, Pair[]][] {
  const prices = sales.map(({ sale }) => sale.price)
  const bounds = [0.25, 0.5, 0.75].map((share) => quantile(prices, share) ?? 0)
  const keyOf = (one: StudiedSale): string => {
    if (groupBy === undefined) return 'all'
    if (groupBy !== 'priceQuartile') return one[groupBy] ?? 'unknown'
    return String(1 + bounds.filter((bound) => one.sale.price > bound).length)
  }
  // A roll may write one name in two cases.
  const groups = Map.groupBy(sales, (one) => keyOf(one).toUpperCase())
  if (groupBy === undefined && groups.size === 0) groups.set('ALL', [])
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, group]) => [
      group[0] === undefined ? 'all' : keyOf(group[0]),
      group.map(({ value, sale }) => ({ estimate: value ?? 0, price: sale.price })),
    ])
}
