/**
 * From a typed address to the parcel that stands there: the order of matching.md, rule 9.
 *
 * The strict key is asked first and is nearly always the end of it; each later step is asked only when all before found
 * nothing. A step that finds something ends the search, whether what it found can be told apart or not: going on would
 * only find something further from what was asked.
 */
import { canonicalAddress, readTails } from '../address/canonical.ts'
import {
  askedAlternates,
  chooseAtAddress,
  FORGIVING_ORDER,
  forgiven,
  shareOneAddress,
  standOnOneRoad,
} from '../address/match.ts'
import type { AlternateKey, CanonicalAddress } from '../model/address.ts'
import type { ParcelReader, SitusHit, StoredParcel } from '../store/store.ts'

export type AskedAddress = {
  state: string
  address: string
  unit: string | undefined
  fips: number | undefined
  /** Folded by `foldCity`. */
  city: string | undefined
}

/** Words of `X-Match`. */
export type MatchWord = 'exact' | 'range' | 'highway' | 'directional' | 'suffix' | 'spacing'

/** What stands at the address, by the first step that found anything. */
export type AddressMatch = {
  hits: SitusHit[]
  match: MatchWord
  /** The asked unit's key; `''`: none. */
  unitKey: string
  /** Whether the hits cannot be told apart: several roads or addresses where one was asked. */
  ambiguous: boolean
}

/** One way of reading what was typed: whole, or with a city, state or ZIP cut from its end. */
export type Reading = { address: CanonicalAddress; city: string; zip: string }

/** All parcels at the address, or none; what property search filters by. */
export async function findAtAddress(
  asked: AskedAddress,
  parcels: ParcelReader,
): Promise<SitusHit[]> {
  const found = await matchAddress(asked, readWhole(asked), parcels)
  if (found === undefined || found.ambiguous) return []
  const { hits, unitKey } = found
  if (unitKey === '') return unique(hits)
  const withUnit = hits.filter((hit) => hit.unitKey === unitKey)
  if (withUnit.length > 0) return unique(withUnit)
  return isForgiven(found.match) ? [] : unique(hits.filter((hit) => hit.unitKey === ''))
}

/** What was typed, read as one address. */
export function readWhole({ state, fips, address, unit }: AskedAddress): Reading {
  return { address: canonicalAddress(address, { state, fips }, unit), city: '', zip: '' }
}

/** The one parcel at the strict key, or the one with the asked unit: what the first step would find and choose, in one question. */
export async function findAlone(
  asked: AskedAddress,
  { address: { key, unitKey } }: Reading,
  parcels: ParcelReader,
): Promise<StoredParcel | undefined> {
  return key === '' ? undefined : parcels.onlyAtSitusKey(asked.state, key, unitKey, asked)
}

/** Walks the steps; `undefined` when none finds anything. */
export async function matchAddress(
  asked: AskedAddress,
  whole: Reading,
  parcels: ParcelReader,
): Promise<AddressMatch | undefined> {
  const { state, fips } = asked
  const keys = rememberKeys(parcels)
  const strict = await askStrict(asked, whole, keys)
  if (strict !== undefined) return strict
  const readings = [whole, ...readTails(asked.address, { state, fips }, asked.unit)]
  if (parcels.isRemote) askAhead(state, readings, keys)
  for (const step of STEPS) {
    for (const reading of readings) {
      const found = await step(asked, reading, keys)
      if (found !== undefined) return found
    }
  }
  return undefined
}

type KeyReader = Pick<ParcelReader, 'bySitusKey' | 'byLooseKey'>

/** The steps ask the same keys again and again: each is looked up once. */
function rememberKeys(parcels: KeyReader): KeyReader {
  const [situs, loose] = [new Map<string, Asked>(), new Map<string, Asked>()]
  const once = (known: Map<string, Asked>, key: string, ask: () => Asked) => {
    const found = known.get(key) ?? ask()
    known.set(key, found)
    return found
  }
  return {
    bySitusKey: (state, key) => once(situs, key, () => parcels.bySitusKey(state, key)),
    byLooseKey: (state, key) => once(loose, key, () => parcels.byLooseKey(state, key)),
  }
}

type Asked = Promise<SitusHit[]>

/** What the steps may ask for, all at once: over a wire each way costs more than what is asked in vain. */
function askAhead(state: string, readings: Reading[], keys: KeyReader): void {
  for (const { address } of readings) {
    const asked = [
      ...(address.key === '' ? [] : [keys.bySitusKey(state, address.key)]),
      ...(address.looseKey === '' ? [] : [keys.byLooseKey(state, address.looseKey)]),
    ]
    // Whoever comes to a key hears of its failure.
    for (const one of asked) one.catch(() => undefined)
  }
}

type Step = (
  asked: AskedAddress,
  reading: Reading,
  parcels: KeyReader,
) => Promise<AddressMatch | undefined>

const STEPS: Step[] = [
  askStrict,
  askRecordedAlternates,
  askOwnAlternates,
  ...FORGIVING_ORDER.map((kind): Step => {
    return async (asked, reading, parcels) => {
      const { address } = reading
      if (address.looseKey === '') return undefined
      const near = await parcels.byLooseKey(asked.state, address.looseKey)
      const hits = placed(forgiven(address.key, near, kind), asked, reading)
      return settle(hits, kind, reading, shareOneAddress)
    }
  }),
]

async function askStrict(
  asked: AskedAddress,
  reading: Reading,
  parcels: KeyReader,
): Promise<AddressMatch | undefined> {
  if (reading.address.key === '') return undefined
  const hits = await parcels.bySitusKey(asked.state, reading.address.key)
  const own = hits.filter(({ alternate }) => alternate === null)
  return settle(placed(own, asked, reading), 'exact', reading, () => true)
}

/** Recorded ranges and highways that the asked address is a part of. */
async function askRecordedAlternates(
  asked: AskedAddress,
  reading: Reading,
  parcels: KeyReader,
): Promise<AddressMatch | undefined> {
  if (reading.address.key === '') return undefined
  const hits = await parcels.bySitusKey(asked.state, reading.address.key)
  const others = placed(
    hits.filter(({ alternate }) => alternate !== null),
    asked,
    reading,
  )
  const kind = others[0]?.alternate ?? 'range'
  return settle(others, kind, reading, standOnOneRoad)
}

/** Recorded addresses that the asked range or highway holds. */
async function askOwnAlternates(
  asked: AskedAddress,
  reading: Reading,
  parcels: KeyReader,
): Promise<AddressMatch | undefined> {
  for (const alternates of askedAlternates(reading.address)) {
    const hits = placed(await askKeys(asked.state, alternates, parcels), asked, reading)
    const found = settle(hits, alternates[0]?.kind ?? 'range', reading, standOnOneRoad)
    if (found !== undefined) return found
  }
  return undefined
}

async function askKeys(
  state: string,
  alternates: AlternateKey[],
  parcels: KeyReader,
): Promise<SitusHit[]> {
  const found = await Promise.all(alternates.map(({ key }) => parcels.bySitusKey(state, key)))
  return found.flat().filter(({ alternate }) => alternate === null)
}

/** Hits in the asked county and city, and in the city and ZIP that were typed behind the line. */
function placed(hits: SitusHit[], asked: AskedAddress, reading: Reading): SitusHit[] {
  const { fips, city } = asked
  const inCounty = hits.filter((hit) => fips === undefined || hit.fips === fips)
  const typed = inCounty.filter(
    (hit) =>
      (reading.city === '' || hit.city === reading.city) &&
      (reading.zip === '' || hit.zip === reading.zip),
  )
  if (city === undefined) return typed
  const inCity = typed.filter((hit) => hit.city === city)
  // A roll that records no city cannot contradict the caller's: the county that goes with it holds (D6).
  return inCity.length > 0 ? inCity : typed.filter((hit) => hit.city === '')
}

function settle(
  hits: SitusHit[],
  match: MatchWord,
  { address }: Reading,
  holdsTogether: (hits: readonly SitusHit[]) => boolean,
): AddressMatch | undefined {
  if (hits.length === 0) return undefined
  return { hits, match, unitKey: address.unitKey, ambiguous: !holdsTogether(hits) }
}

function unique(hits: SitusHit[]): SitusHit[] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** The parcel meant, by D6; `undefined`: nobody has the asked unit. */
export function chooseParcel({ hits, match, unitKey, ambiguous }: AddressMatch) {
  if (ambiguous) {
    return { outcome: 'ambiguous' as const, count: new Set(hits.map(({ id }) => id)).size }
  }
  const choice = chooseAtAddress(hits, unitKey)
  // One thing is forgiven at a time: not the unit on top of a directional, a suffix or a spelling.
  const forgivenTwice = choice?.outcome === 'found' && choice.unitDropped && isForgiven(match)
  return forgivenTwice ? undefined : choice
}

function isForgiven(match: MatchWord): boolean {
  return FORGIVING_ORDER.some((kind) => kind === match)
}
