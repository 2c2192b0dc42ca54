/** Facts about parcels in a box that callers' tiles lack: for the map's colours and the pointer. */
import { nextTurn } from '../../base/event-loop.ts'
import { boxInUnits, type UnitBox } from '../../base/model/geometry.ts'
import { meetsAny } from '../../geo/sphere.ts'
import { readVersions, type Version } from '../../operations/find/read-versions.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { readTileText } from '../../record/tile-text.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import type { ParcelReader } from '../../store/store.ts'
import { eachFact, MODE_FACTS, openModes } from './modes.ts'
import { readPastFacts } from './years.ts'

/** Most parcels per answer, and most of which the record is read; a larger view gets a part. */
const FACTS_MAX = 20_000
const RECORDS_MAX = 6000
/** Records read before other requests get their turn. */
const CHUNK = 200
const VERSIONS_CHUNK = 500
/** Days by which last year's roll is at least older than the present one. */
const YEAR_DAYS = 300
/** Share of a view's sides by which parcels may reach into it. */
const MARGIN = 0.2

type Facts = Record<string, string | number | null> & { propertyId: string }

/**
 * `mode`: what the map is coloured by; `change` is that of the value since last year's roll, as a
 * share of it. `owner`: also the name. `isPast`: the reader is of an earlier year.
 */
type FactsAsked = { mode: string; owner: boolean; isPast: boolean }

/** `box`: degrees. */
export async function readMapFacts(
  reader: ParcelReader,
  box: UnitBox,
  asked: FactsAsked,
): Promise<Facts[]> {
  const all: Facts[] = []
  for (const [state, own] of Map.groupBy(await findIn(reader, box, asked), (one) => one.state)) {
    const byId = new Map(own.map(({ id, facts }) => [id, facts]))
    const ids = own.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += CHUNK) {
      for (const { id, text } of await reader.tileRows(state, ids.slice(at, at + CHUNK))) {
        const facts = byId.get(id)
        if (facts !== undefined) facts.propertyId = readTileText(text).propertyId
      }
      await nextTurn()
    }
    const near = ids.slice(0, RECORDS_MAX)
    if (asked.owner) await addOwners(reader, state, near, byId)
    if (asked.mode === 'change' && !asked.isPast) await addChanges(reader, state, near, byId)
    all.push(...own.flatMap(({ facts }) => (facts.propertyId === '' ? [] : [facts])))
  }
  return all
}

type Found = { id: number; state: string; facts: Facts }

/** Finds parcels by their points, also those outside the view whose polygon may reach into it. */
async function findIn(
  reader: ParcelReader,
  box: UnitBox,
  { mode, isPast }: FactsAsked,
): Promise<Found[]> {
  const [wide, high] = [(box.east - box.west) * MARGIN, (box.north - box.south) * MARGIN]
  const around = {
    ...{ west: box.west - wide, east: box.east + wide },
    ...{ south: box.south - high, north: box.north + high },
  }
  const { west, south, east, north } = boxInUnits(around)
  const counties = (await reader.coverage({ partial: true })).filter(({ bounds }) =>
    meetsAny(bounds, [around]),
  )
  const states = [...new Set(counties.map(({ state }) => state))]
  const { numbers, words } = openModes(counties)
  const [number, word] = [numbers[mode], words[mode]]
  const tests = [
    { fact: 'x' as const, from: west, to: east },
    { fact: 'y' as const, from: south, to: north },
  ]
  const begin = () => {
    const result: Found[] = []
    const visit = (block: FactBlock, place: number, state: string) => {
      if (result.length >= FACTS_MAX) return
      const facts: Facts = { propertyId: '' }
      const value = number?.(block, place) ?? word?.(block, place)
      if (value !== undefined) facts[mode] = value === '' || Number.isNaN(value) ? null : value
      result.push({ id: block.ids[place] as number, state, facts })
    }
    return { visit, result }
  }
  if (!isPast) return eachFact(reader, { states, tests, facts: MODE_FACTS }, begin)
  const { visit, result } = begin()
  const units = { west, south, east, north }
  for (const { state, block } of await readPastFacts(reader, units, FACTS_MAX)) {
    for (const place of block.ids.keys()) visit(block, place, state)
  }
  return result
}

const readOwner = openFields(['ownerName', 'ownerName2'])

async function addOwners(
  reader: ParcelReader,
  state: string,
  ids: number[],
  facts: ReadonlyMap<number, Facts>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK) {
    for (const { id, fieldValues } of await reader.byIds(state, ids.slice(at, at + CHUNK))) {
      const own = facts.get(id)
      if (own?.propertyId === propertyIdOf(fieldValues)) {
        const { ownerName, ownerName2 } = readOwner(fieldValues)
        own.owner = ownerName ?? ownerName2
      }
    }
    await nextTurn()
  }
}

const readValue = openFields(['fips', 'totalMarketValue', 'totalAssessedValue'])

async function addChanges(
  reader: ParcelReader,
  state: string,
  ids: number[],
  facts: ReadonlyMap<number, Facts>,
): Promise<void> {
  const days = await findLastYear(reader, state)
  if (days.size === 0) return
  for (let at = 0; at < ids.length; at += VERSIONS_CHUNK) {
    const versions = await readVersions(reader, state, ids.slice(at, at + VERSIONS_CHUNK))
    for (const [id, own] of Map.groupBy(versions, (one) => one.id)) {
      const found = facts.get(id)
      if (found !== undefined) found.change = readChange(own, days)
    }
    await nextTurn()
  }
}

/** Returns the day of the roll to compare with, by county; days since 1970-01-01. */
export async function findLastYear(
  reader: ParcelReader,
  state: string,
): Promise<Map<number, number>> {
  const vintages = await reader.vintages(state, undefined)
  const found = new Map<number, number>()
  for (const [fips, own] of Map.groupBy(vintages, (one) => one.fips)) {
    const days = own.map(({ day }) => day).sort((one, other) => other - one)
    const [newest = 0] = days
    const earlier = days.filter((day) => day < newest)
    const last = earlier.find((day) => day <= newest - YEAR_DAYS) ?? earlier[0]
    if (last !== undefined) found.set(fips, last)
  }
  return found
}

function readChange(versions: readonly Version[], days: ReadonlyMap<number, number>) {
  const present = versions.find(({ ended }) => ended === undefined)?.form
  if (present === undefined) return null
  const day = days.get(readValue(present.fieldValues).fips ?? 0)
  if (day === undefined) return null
  const before = versions.find(
    ({ began, ended }) =>
      (began === undefined || began.day <= day) && (ended === undefined || ended.day > day),
  )?.form
  const [now, was] = [present, before].map((form) => {
    const values = form && readValue(form.fieldValues)
    return values?.totalMarketValue ?? values?.totalAssessedValue ?? null
  })
  return now == null || was == null || was === 0
    ? null
    : Math.round(((now - was) / was) * 1e4) / 1e4
}
