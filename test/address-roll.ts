/** A roll of addresses in memory: the reader that `lookUpAddress` asks where no store is needed. */
import { canonicalAddress } from '../src/address/canonical.ts'
import type { AddressReader } from '../src/address/key-reader.ts'
import { type AskedAddress, type Finding, lookUpAddress } from '../src/address/lookup.ts'
import { foldCity } from '../src/base/fold.ts'
import type { SitusHit } from '../src/store/store.ts'

export type RollLine = { line: string; unit?: string; city: string | null; zip: string }
export type RollPlace = { state: string; fips?: number | undefined }

/** Looks one line up in the roll it was made for. */
export type LookUp = (line: string, more?: Partial<AskedAddress>) => Promise<Finding>

/** Indexes lines as an import does; ids are their positions. */
export function indexRoll(lines: readonly RollLine[], place: RollPlace): LookUp {
  const reader = readRoll(lines, place)
  const nothing = { unit: undefined, fips: undefined, city: undefined }
  return (address, more = {}) =>
    lookUpAddress({ state: place.state, address, ...nothing, fips: place.fips, ...more }, reader)
}

function readRoll(lines: readonly RollLine[], place: RollPlace): AddressReader {
  const strict = new Map<string, SitusHit[]>()
  const loose = new Map<string, SitusHit[]>()
  lines.forEach(({ line, unit, city, zip }, id) => {
    const address = canonicalAddress(line, { ...place, city, zip }, unit)
    const { key, unitKey } = address
    if (key === '') return
    const hit = { id, key, unitKey, fips: place.fips ?? 0, city: foldCity(city ?? ''), zip }
    add(strict, key, { ...hit, alternate: null })
    add(loose, address.looseKey, { ...hit, alternate: null })
    for (const { key: other, kind } of address.alternates)
      if (other !== key) add(strict, other, { ...hit, alternate: kind })
  })
  return {
    advice: { ahead: false },
    bySitusKey: async (_, key) => strict.get(key) ?? [],
    byLooseKey: async (_, key) => loose.get(key) ?? [],
  }
}

function add(index: Map<string, SitusHit[]>, key: string, hit: SitusHit): void {
  const hits = index.get(key)
  if (hits === undefined) index.set(key, [hit])
  else hits.push(hit)
}
