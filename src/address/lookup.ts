/**
 * Finds the parcel at a typed address. The only implementation: the service runs it on the store's
 * reader, the case tables on a reader in memory.
 *
 * Steps run in the order of docs/matching.md. The strict key finds nearly all addresses. A later
 * step only runs when all earlier ones found nothing. The first step with hits decides, even when
 * its hits are ambiguous, because later steps match less closely.
 */
import type { AlternateKey, TailReading } from '../base/model/address.ts'
import type { SitusHit } from '../store/store.ts'
import { askedAlternates } from './alternates.ts'
import { canonicalAddress, canonicalUnit, readTails, readWithoutRest } from './canonical.ts'
import {
  areOnOneRoad,
  type Choice,
  type ChoiceWord,
  type Chosen,
  chooseAtAddress,
  countParcels,
  shareOneAddress,
} from './choose.ts'
import { divides, FORGIVING_ORDER, forgive } from './forgive.ts'
import { type AskedPlace, agreesInPlace, keepPlace } from './keep-place.ts'
import {
  type AddressReader,
  type Hits,
  type KeyReader,
  rememberKeys,
  startAllLookups,
} from './key-reader.ts'
import { spellCity } from './parse/tails.ts'
import type { LookupTrace, TracedStep } from './trace.ts'
import { isShownUnit, listsUnit } from './unit-keys.ts'

export type AskedAddress = AskedPlace & { address: string; unit: string | undefined }

/** Names of the steps, as in the header `X-Match`. */
type MatchWord = 'exact' | 'range' | 'highway' | 'directional' | 'suffix' | 'spacing' | 'forgiven'

/** The hits of the first step that found any. */
type AddressMatch = {
  hits: SitusHit[]
  match: MatchWord
  /** Key of the asked unit; `''` for none. */
  unitKey: string
  /** Whether the hits are on several roads, or at several addresses when one was asked. */
  ambiguous: boolean
}

/** One reading of the asked text: whole, or without a city, state or ZIP at its end. */
export type Reading = TailReading

/** The parcel at an address, or why there is none. */
export type Finding =
  | (Omit<Chosen, 'by'> & { match: MatchWord | ChoiceWord })
  /** One hit per parcel, by id. */
  | { outcome: 'ambiguous'; hits: SitusHit[] }
  | { outcome: 'none' }

const NONE: Finding = { outcome: 'none' }

/**
 * Looks up an address.
 *
 * `whole`: the result of `readWhole`, if the caller has it already. `trace`: records the steps for
 * an explanation. Rejects only when the reader does.
 */
export async function lookUpAddress(
  asked: AskedAddress,
  reader: AddressReader,
  whole: Reading = readWhole(asked),
  trace?: LookupTrace,
): Promise<Finding> {
  const found = await matchAddress(asked, whole, reader, trace)
  if (found === undefined) return NONE
  if (found.ambiguous) return { outcome: 'ambiguous', hits: sortUnique(found.hits) }
  const choice = chooseAtAddress(found.hits, shownUnitKey(asked, found))
  return choice === undefined ? NONE : describeChoice(choice, found.match)
}

/**
 * Returns the key of the asked unit. If no parcel has it, tries the unit as records show it. `BLDG
 * 2 UNIT 1A` is shown as `2 UNIT 1A`, its number without its type.
 */
function shownUnitKey({ unit }: AskedAddress, { hits, unitKey }: AddressMatch): string {
  if (unit === undefined || unitKey === '' || hits.some((hit) => hit.unitKey === unitKey)) {
    return unitKey
  }
  // The line contains units too, so the text is not in a record's form.
  if (canonicalUnit(unit) !== unitKey) return unitKey
  const shown = new Set(hits.map((hit) => hit.unitKey).filter((key) => isShownUnit(unit, key)))
  const [only] = shown
  return shown.size === 1 && only !== undefined ? only : unitKey
}

function describeChoice(choice: Choice, match: MatchWord): Finding {
  if (choice.outcome === 'ambiguous') return { ...choice, hits: sortUnique(choice.hits) }
  // Forgives one difference: never a unit plus a directional, suffix or spelling.
  if (choice.by === 'unit-dropped')
    return isForgiven(match) ? NONE : { ...choice, match: choice.by }
  const isAdded = choice.hit.unitKey !== '' && choice.by !== 'exact' && choice.by !== 'range'
  if (isAdded && match !== 'forgiven' && isForgiven(match)) return NONE
  return { ...choice, match: match === 'exact' ? choice.by : match }
}

/** Returns all parcels at an address by id; `[]` when there are none or several addresses match. */
export async function findAtAddress(
  asked: AskedAddress,
  reader: AddressReader,
): Promise<SitusHit[]> {
  const found = await matchAddress(asked, readWhole(asked), reader)
  if (found === undefined || found.ambiguous) return []
  const { hits, unitKey } = found
  if (unitKey === '') return sortUnique(hits)
  const withUnit = hits.filter((hit) => hit.unitKey === unitKey)
  if (withUnit.length > 0) return sortUnique(withUnit)
  const listed = hits.filter((hit) => listsUnit(hit.unitKey, unitKey))
  if (listed.length > 0) return sortUnique(listed)
  return isForgiven(found.match) ? [] : sortUnique(hits.filter((hit) => hit.unitKey === ''))
}

/** Reads the asked text as one address, without looking for a city, state or ZIP at its end. */
export function readWhole({ state, fips, address, unit }: AskedAddress): Reading {
  const read = canonicalAddress(address, { state, fips }, unit)
  return { address: read, city: read.lead, zip: '', isSure: true }
}

/** Runs the steps; `undefined` when none has hits. */
async function matchAddress(
  asked: AskedAddress,
  whole: Reading,
  reader: AddressReader,
  trace?: LookupTrace,
): Promise<AddressMatch | undefined> {
  const address = asked.city === undefined ? spellCity(asked.address, asked.state) : asked.address
  if (address !== asked.address) {
    const spelled = { ...asked, address }
    return matchAddress(spelled, readWhole(spelled), reader, trace)
  }
  const { state, fips } = asked
  const keys = { ...rememberKeys(reader), trace }
  const strict = await askStrict(asked, whole, keys)
  if (strict !== undefined) return strict
  const readings = [whole, ...readTails(asked.address, { state, fips }, asked.unit)]
  if (reader.advice.ahead) startAllLookups(state, readings, keys)
  for (const step of STEPS) {
    for (const reading of readings) {
      const found = await step(asked, reading, keys)
      if (found !== undefined) return found
    }
  }
  return askWithoutRest(asked, keys)
}

/** Looks up the line without unknown words. They may be a city, which must not be another one. */
async function askWithoutRest(
  asked: AskedAddress,
  keys: KeyReader,
): Promise<AddressMatch | undefined> {
  const { state, fips } = asked
  for (const reading of readWithoutRest(asked.address, { state, fips }, asked.unit)) {
    const hits = await keys.bySitusKey(state, reading.address.key)
    const own = hits.filter(({ alternate }) => alternate === null)
    const there = own.filter(({ fips }) => reading.fips === undefined || fips === reading.fips)
    const sure = there.filter((hit) => reading.isSure || agreesInPlace(hit, asked, reading))
    const tried = { step: 'forgiven' as const, reading, keys: [reading.address.key] }
    const placed = keepInPlace(asked, keys, { ...tried, found: own, accepted: sure })
    const found = settle(placed, 'forgiven', reading)
    if (found !== undefined) return found
  }
  return undefined
}

type Step = (
  asked: AskedAddress,
  reading: Reading,
  keys: KeyReader,
) => Promise<AddressMatch | undefined>

const STEPS: Step[] = [
  askStrict,
  askRecordedAlternates,
  askOwnAlternates,
  ...FORGIVING_ORDER.map((kind): Step => {
    return async (asked, reading, keys) => {
      const { address } = reading
      // `9 OAK ST N LINCOLN` may be in a place North Lincoln, which has another ZIP.
      const isUnclear = kind === 'directional' && reading.isDirected
      const inZip = isUnclear ? reading.zip || asked.zip || '' : undefined
      if (address.looseKey === '' || inZip === '') return undefined
      const near = await keys.byLooseKey(asked.state, address.looseKey)
      const twins = [
        ...new Map(near.map((hit) => [`${hit.fips}|${hit.city}|${hit.key}`, hit])).values(),
      ]
      const isDivided = (hit: SitusHit) =>
        twins.some(
          ({ key, fips, city }) =>
            fips === hit.fips && city === hit.city && divides(key, hit.key, address.key),
        )
      const forgiven = near.filter(
        (hit) =>
          forgive(address.key, hit.key) === kind &&
          (inZip ?? hit.zip) === hit.zip &&
          !isDivided(hit),
      )
      const tried = { step: kind, reading, keys: [address.looseKey] }
      const placed = keepInPlace(asked, keys, { ...tried, found: near, accepted: forgiven })
      return settle(placed, kind, reading)
    }
  }),
]

async function askStrict(
  asked: AskedAddress,
  reading: Reading,
  keys: KeyReader,
): Promise<AddressMatch | undefined> {
  if (reading.address.key === '') return undefined
  const hits = await keys.bySitusKey(asked.state, reading.address.key)
  // `HARBOR ST 429` is a house, not a unit of the road's parcel.
  const isHouse = asked.unit === undefined && hasNumberBehind(reading)
  const own = hits.filter(
    ({ alternate, unitKey }) => alternate === null && !(isHouse && unitKey === ''),
  )
  const tried = { step: 'exact' as const, reading, keys: [reading.address.key] }
  const placed = keepInPlace(asked, keys, { ...tried, found: own, accepted: own })
  return settle(placed, 'exact', reading)
}

function hasNumberBehind({ address: { key, unitKey, parsed } }: Reading): boolean {
  return key.startsWith('|') && /^\d+$/.test(unitKey) && (parsed.unitType ?? '#') === '#'
}

/** Looks up recorded ranges and highways that include the asked address. */
async function askRecordedAlternates(
  asked: AskedAddress,
  reading: Reading,
  keys: KeyReader,
): Promise<AddressMatch | undefined> {
  if (reading.address.key === '') return undefined
  const hits = await keys.bySitusKey(asked.state, reading.address.key)
  const others = hits.filter(({ alternate }) => alternate !== null)
  const tried = { step: 'recorded-alternate' as const, reading, keys: [reading.address.key] }
  const placed = keepInPlace(asked, keys, { ...tried, found: others, accepted: others })
  return settle(placed, placed[0]?.alternate ?? 'range', reading)
}

/** Looks up recorded addresses that the asked range or highway includes. */
async function askOwnAlternates(
  asked: AskedAddress,
  reading: Reading,
  keys: KeyReader,
): Promise<AddressMatch | undefined> {
  for (const alternates of askedAlternates(reading.address)) {
    const hits = await askKeys(asked.state, alternates, keys)
    const texts = alternates.map(({ key }) => key)
    const tried = { step: 'asked-alternate' as const, reading, keys: texts }
    const placed = keepInPlace(asked, keys, { ...tried, found: hits, accepted: hits })
    const found = settle(placed, alternates[0]?.kind ?? 'range', reading)
    if (found !== undefined) return found
  }
  return undefined
}

async function askKeys(state: string, alternates: AlternateKey[], keys: KeyReader): Hits {
  const found = await Promise.all(alternates.map(({ key }) => keys.bySitusKey(state, key)))
  return found.flat().filter(({ alternate }) => alternate === null)
}

/** Keeps hits in the asked place and records the step once; the whole line is tried twice. */
function keepInPlace(
  asked: AskedAddress,
  { trace }: KeyReader,
  tried: Omit<TracedStep, 'placed'>,
): SitusHit[] {
  const { step, reading, keys, accepted } = tried
  const placed = keepPlace(accepted, asked, reading)
  const isKnown = trace?.steps.some(
    (one) => one.step === step && one.reading === reading && one.keys[0] === keys[0],
  )
  if (!isKnown) trace?.steps.push({ ...tried, placed })
  return placed
}

function settle(hits: SitusHit[], match: MatchWord, reading: Reading): AddressMatch | undefined {
  if (hits.length === 0) return undefined
  const { unitKey } = reading.address
  return { hits, match, unitKey, ambiguous: match !== 'exact' && !areOne(hits, match, unitKey) }
}

/** Reports whether hits are at one address; of alternates, also whether one has the asked unit. */
function areOne(hits: SitusHit[], match: MatchWord, unitKey: string): boolean {
  if (isForgiven(match)) return shareOneAddress(hits)
  const own = hits.filter((hit) => hit.unitKey === unitKey)
  const asked = own.length > 0 ? own : hits
  return areOnOneRoad(hits) && (countParcels(asked) === 1 || shareOneAddress(asked))
}

function isForgiven(match: MatchWord): boolean {
  return match === 'forgiven' || FORGIVING_ORDER.some((kind) => kind === match)
}

function sortUnique(hits: SitusHit[]): SitusHit[] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
