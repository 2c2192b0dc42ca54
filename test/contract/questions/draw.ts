/**
 * Drawn questions, and their answers by brute force: facts are read from flat records here, without
 * the program's own reading of them.
 */
import { setTimeout } from 'node:timers/promises'
import type { Query, TestService } from '../../service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record is JSON of any shape
export type Flat = any

/** A deterministic source of numbers from 0 to 1. */
export type Draw = () => number

export function openDraw(seed: number): Draw {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

const pick = <One>(draw: Draw, list: readonly One[]): One =>
  list[Math.floor(draw() * list.length)] as One

const dayOf = (flat: string | null) =>
  flat === null ? null : Date.UTC(+flat.slice(0, 4), +flat.slice(4, 6) - 1, +flat.slice(6)) / 864e5

/** The newest transfer of a record with a price, newest first in the list. */
function saleOf(record: Flat): { price: number | null; day: number | null } {
  const sold = record.transfers.find((one: Flat) => (one.transferPrice ?? 0) > 0)
  if (sold === undefined) return { price: null, day: null }
  return { price: sold.transferPrice, day: dayOf(sold.transferDate ?? sold.recordingDate) }
}

/** The numbers that ranges test, by the name before `Min` and `Max`, and that results sort by. */
export const NUMBERS: Record<string, (record: Flat) => number | null> = {
  acres: (one) => one.acres ?? one.calculatedAcres,
  sqft: (one) => one.buildingArea,
  beds: (one) => one.totalBedrooms,
  baths: (one) => one.totalBathrooms,
  stories: (one) => one.stories,
  units: (one) => one.unitCount ?? one.totalUnitCount,
  yearBuilt: (one) => one.yearBuilt,
  marketValue: (one) => one.totalMarketValue,
  assessedValue: (one) => one.totalAssessedValue,
  landValue: (one) => one.totalLandValue,
  tax: (one) => one.taxValue,
  salePrice: (one) => saleOf(one).price,
  saleDate: (one) => saleOf(one).day,
}

const WORDS: Record<string, (record: Flat) => string | null> = {
  ownerType: (one) => one.ownerType,
  ownerState: (one) => one.ownerState,
  ownerZipCode: (one) => one.ownerZipCode,
  zoningCode: (one) => one.zoningCode,
  subdivision: (one) => one.subdivision,
  neighborhood: (one) => one.neighborhood,
  schoolDistrict: (one) => one.schoolDistrict,
  municipality: (one) => one.jurisdiction,
  city: (one) => one.city,
  zipCode: (one) => one.zipCode,
  useStandardCode: (one) => one.useStandardCode,
}

const FLAGS: Record<string, (record: Flat) => boolean | null> = {
  ownerOccupied: (one) => one.ownerOccupied,
  hasSitus: (one) => one.addressAssigned,
  outOfStateOwner: (one) => (one.ownerState === null ? null : one.ownerState !== one.state),
  residential: (one) => one.residential,
}

const SORTS = [
  'acres',
  'marketValue',
  'assessedValue',
  'salePrice',
  'saleDate',
  'yearBuilt',
  'sqft',
]

export type Drawn = {
  query: Record<string, string>
  /** Whether a record meets all filters. */
  meets(record: Flat): boolean
  sort: string
}

/** Draws up to three filters and an order. Ends of ranges are values of records. */
export function drawQuestion(draw: Draw, records: readonly Flat[]): Drawn {
  const query: Record<string, string> = {}
  const tests: ((record: Flat) => boolean)[] = []
  for (let left = Math.floor(draw() * 4); left > 0; left -= 1) {
    const kind = draw()
    if (kind < 0.6) addRange(draw, records, query, tests)
    else if (kind < 0.85) addWord(draw, records, query, tests)
    else {
      const name = pick(draw, Object.keys(FLAGS))
      if (name in query) continue
      const wanted = draw() < 0.5
      query[name] = String(wanted)
      tests.push((one) => FLAGS[name]?.(one) === wanted)
    }
  }
  const sort = draw() < 0.2 ? 'id' : `${draw() < 0.5 ? '-' : ''}${pick(draw, SORTS)}`
  query.sort = sort
  return { query, sort, meets: (record) => tests.every((test) => test(record)) }
}

type Tests = ((record: Flat) => boolean)[]

function addRange(draw: Draw, records: readonly Flat[], query: Record<string, string>, to: Tests) {
  const name = pick(draw, Object.keys(NUMBERS))
  const read = NUMBERS[name] as (record: Flat) => number | null
  const [low, high] =
    name === 'saleDate' ? [`${name}From`, `${name}To`] : [`${name}Min`, `${name}Max`]
  if (low in query || high in query) return
  const ends = [0, 1]
    .map(() => read(pick(draw, records)))
    .filter((one) => one !== null)
    .sort((a, b) => a - b)
  const show = (value: number) =>
    name === 'saleDate' ? new Date(value * 864e5).toISOString().slice(0, 10) : String(value)
  const [from, until] = draw() < 0.5 ? ends : draw() < 0.5 ? [ends[0]] : [undefined, ends[0]]
  if (from !== undefined) query[low] = show(from)
  if (until !== undefined) query[high] = show(until)
  to.push((one) => {
    const value = read(one)
    if (from === undefined && until === undefined) return true
    return value !== null && value >= (from ?? -Infinity) && value <= (until ?? Infinity)
  })
}

function addWord(draw: Draw, records: readonly Flat[], query: Record<string, string>, to: Tests) {
  const name = pick(draw, Object.keys(WORDS))
  if (name in query) return
  const read = WORDS[name] as (record: Flat) => string | null
  const word = read(pick(draw, records))
  if (word === null || (name === 'ownerType' && word === 'unknown')) return
  query[name] = draw() < 0.5 ? word : word.toLowerCase()
  to.push((one) => read(one)?.toUpperCase() === word.toUpperCase())
}

/** Returns the ids of the records that a question asks for, in its order. */
export function answerByForce({ meets, sort }: Drawn, records: readonly Flat[]): string[] {
  const found = records.filter((one) => one.addressAssigned && meets(one))
  const name = sort.replace('-', '')
  const keyOf = NUMBERS[name] ?? (() => 0)
  const sign = sort.startsWith('-') ? -1 : 1
  const keys = new Map(found.map((one) => [one, keyOf(one)]))
  found.sort((a, b) => {
    const [x, y] = [keys.get(a) ?? null, keys.get(b) ?? null]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byId(a, b)
    return sign * (x - y) || byId(a, b)
  })
  return found.map(({ _id }) => _id)
}

const byId = (a: Flat, b: Flat) => (a._id < b._id ? -1 : 1)

const SEARCH = '/public/property/search/'
const BUSY_MAX = 10

/** Reads all records of a state, with and without an address. */
export async function readAll(service: TestService, key: string, state: string): Promise<Flat[]> {
  const records: Flat[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Query = { state, limit: 100, includeUnassignedAddress: true, cursor }
    const { body } = await service.get(SEARCH, query, { key })
    records.push(...body.properties)
    cursor = body.metadata.nextCursor
  }
  return records
}

/** Reads all pages of a question, and returns the ids. A busy machine may answer 503 at first. */
export async function readPages(
  service: TestService,
  key: string,
  query: Record<string, string>,
): Promise<string[]> {
  const ids: string[] = []
  let busy = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await service.get(SEARCH, { ...query, cursor }, { key })
    if (status === 503 && busy < BUSY_MAX) {
      busy += 1
      await setTimeout(1000)
      continue
    }
    if (status !== 200)
      throw new Error(`${status} ${JSON.stringify(body)} to ${JSON.stringify(query)}`)
    ids.push(...body.properties.map(({ _id }: Flat) => _id))
    cursor = body.metadata.nextCursor
  }
  return ids
}
