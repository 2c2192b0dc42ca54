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
import { divides, FORGIVING_ORDER, forgive, isMoved } from './forgive.ts'
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
import { listsUnit, shownUnitKeys } from './unit-keys.ts'

export type AskedAddress = AskedPlace & { address: string; unit: string | undefined }

/** Names of the steps, as in the header `X-Match`. */
type MatchWord = 'exact' | 'range' | 'highway' | 'directional' | 'suffix' | 'spacing' | 'forgiven'

type AddressMatch = {
  hits: SitusHit[]
  match: MatchWord
  /** Key of the asked unit; `''` for none. */
  unitKey: string
  /** Whether the hits are on several roads, or at several addresses when one was asked. */
  ambiguous: boolean
}

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
  whole: TailReading = readWhole(asked),
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
  const keys = shownUnitKeys(unit)
  const shown = new Set(hits.map((hit) => hit.unitKey).filter((key) => keys.includes(key)))
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
export function readWhole({ state, fips, address, unit }: AskedAddress): TailReading {
  const read = canonicalAddress(address, { state, fips }, unit)
  return { address: read, city: read.lead, zip: '', isSure: true }
}

async function matchAddress(
  asked: AskedAddress,
  whole: TailReading,
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
  const strict = await askKey('exact')(asked, whole, keys)
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
  let park: AddressMatch | undefined
  for (const reading of readWithoutRest(asked.address, { state, fips }, asked.unit)) {
    const hits = await keys.bySitusKey(state, reading.address.key)
    const own = hits.filter(({ alternate }) => alternate === null)
    const there = own.filter(({ fips }) => reading.fips === undefined || fips === reading.fips)
    const sure = there.filter((hit) => reading.isSure || agreesInPlace(hit, asked, reading))
    const tried = { step: 'forgiven' as const, reading, keys: [reading.address.key] }
    const found = decide(asked, keys, 'forgiven', { ...tried, found: own, accepted: sure })
    if (found === undefined) continue
    // `OAK PK` is neither Oak Park nor Oak Pike where both are.
    if (reading.rest !== 'PK') return park ?? found
    if (park !== undefined && park.hits[0]?.key !== found.hits[0]?.key)
      return { ...found, ambiguous: true }
    park = found
  }
  return park
}

type Step = (
  asked: AskedAddress,
  reading: TailReading,
  keys: KeyReader,
) => Promise<AddressMatch | undefined>

const STEPS: Step[] = [
  askKey('exact'),
  askKey('recorded-alternate'),
  askOwnAlternates,
  ...FORGIVING_ORDER.map((kind): Step => {
    return async (asked, reading, keys) => {
      const { address } = reading
      // `9 OAK ST N LINCOLN` may be in a place North Lincoln, which has another ZIP.
      const isUnclear = kind === 'directional' && reading.isDirected
      const inZip = isUnclear ? reading.zip || asked.zip || '' : undefined
      if (address.looseKey === '' || inZip === '') return undefined
      const near = await keys.byLooseKey(asked.state, address.looseKey)
      // Where no city is recorded, the ZIP tells places apart.
      const placeOf = ({ fips, city, zip }: SitusHit) => `${fips}|${city || zip}`
      const twins = [...new Map(near.map((hit) => [`${placeOf(hit)}|${hit.key}`, hit])).values()]
      const isDivided = (hit: SitusHit) =>
        twins.some(
          (twin) => placeOf(twin) === placeOf(hit) && divides(twin.key, hit.key, address.key),
        )
      const forgiven = near.filter(
        (hit) =>
          differsBy(kind, asked, reading, hit) && (inZip ?? hit.zip) === hit.zip && !isDivided(hit),
      )
      const tried = { step: kind, reading, keys: [address.looseKey] }
      return decide(asked, keys, kind, { ...tried, found: near, accepted: forgiven })
    }
  }),
]

/** Reports whether a record differs from the asked address in one thing, which is forgiven. */
function differsBy(
  kind: (typeof FORGIVING_ORDER)[number],
  asked: AskedAddress,
  reading: TailReading,
  hit: SitusHit,
): boolean {
  const { key, parsed } = reading.address
  if (kind !== 'directional') return forgive(key, hit.key) === kind
  // Streets of two cities may differ only in the place of a direction.
  const isInCounty = asked.fips === hit.fips && hit.city + hit.zip === ''
  if (isMoved(key, hit.key)) return isInCounty || agreesInPlace(hit, asked, reading)
  // `W PEACHTREE ST NE` is not `PEACHTREE ST NE`.
  const isSecond = parsed.predirectional !== null && parsed.postdirectional !== null
  return forgive(key, hit.key) === kind && !(isSecond && hit.key.split('|')[1] === '')
}

/** Looks up the key: what is recorded so, or recorded ranges and highways that include it. */
function askKey(step: 'exact' | 'recorded-alternate'): Step {
  return async (asked, reading, keys) => {
    const { key } = reading.address
    if (key === '') return undefined
    // `HARBOR ST 429` is a house, not a unit of the road's parcel.
    const isHouse = asked.unit === undefined && hasNumberBehind(reading)
    const found = (await keys.bySitusKey(asked.state, key)).filter(({ alternate, unitKey }) =>
      step === 'exact' ? alternate === null && !(isHouse && unitKey === '') : alternate !== null,
    )
    const match = step === 'exact' ? step : undefined
    return decide(asked, keys, match, { step, reading, keys: [key], found, accepted: found })
  }
}

function hasNumberBehind({ address: { key, unitKey, parsed } }: TailReading): boolean {
  return key.startsWith('|') && /^\d+$/.test(unitKey) && (parsed.unitType ?? '#') === '#'
}

/** Looks up recorded addresses that the asked range or highway includes. */
async function askOwnAlternates(
  asked: AskedAddress,
  reading: TailReading,
  keys: KeyReader,
): Promise<AddressMatch | undefined> {
  for (const alternates of askedAlternates(reading.address)) {
    const hits = await askKeys(asked.state, alternates, keys)
    const texts = alternates.map(({ key }) => key)
    const tried = { step: 'asked-alternate' as const, reading, keys: texts }
    const kind = alternates[0]?.kind
    const found = decide(asked, keys, kind, { ...tried, found: hits, accepted: hits })
    if (found !== undefined) return found
  }
  return undefined
}

async function askKeys(state: string, alternates: AlternateKey[], keys: KeyReader): Hits {
  const found = await Promise.all(alternates.map(({ key }) => keys.bySitusKey(state, key)))
  return found.flat().filter(({ alternate }) => alternate === null)
}

/**
 * Settles on the hits in the asked place, and records the step once; the whole line is tried twice.
 * Without `match`, the hits are recorded alternates and name it.
 */
function decide(
  asked: AskedAddress,
  { trace }: KeyReader,
  match: MatchWord | undefined,
  tried: Omit<TracedStep, 'placed'>,
): AddressMatch | undefined {
  const { step, reading, keys, accepted } = tried
  const hits = keepPlace(accepted, asked, reading)
  const isKnown = trace?.steps.some(
    (one) => one.step === step && one.reading === reading && one.keys[0] === keys[0],
  )
  if (!isKnown) trace?.steps.push({ ...tried, placed: hits })
  const [first] = hits
  if (first === undefined) return undefined
  const { unitKey } = reading.address
  const word = match ?? first.alternate ?? 'range'
  return { hits, match: word, unitKey, ambiguous: word !== 'exact' && !areOne(hits, word, unitKey) }
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
