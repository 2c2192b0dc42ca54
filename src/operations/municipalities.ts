/**
 * A lookup's city may be the municipality in which a parcel is taxed: many people write that one.
 */

import { readTails } from '../address/canonical.ts'
import {
  type AddressReader,
  type AskedAddress,
  type Reading,
  readWhole,
} from '../address/lookup.ts'
import { foldCity } from '../fold.ts'
import { openFields } from '../record/stored.ts'
import type { ParcelReader, SitusHit } from '../store/store.ts'

/**
 * Records read for one key: more parcels than these at one address are not told apart by
 * municipality.
 */
const RECORDS_MAX = 50

const readMunicipality = openFields(['jurisdiction'])

/**
 * The reader of a lookup, whose hits tell when they lie in an asked municipality.
 *
 * Records are read only for hits whose own city is another than the asked one. Without an asked
 * city, as a parameter or behind the line, the reader is the store's own.
 */
export function tellMunicipalities(
  asked: AskedAddress,
  parcels: ParcelReader,
  reading: Reading = readWhole(asked),
): AddressReader {
  const { state, fips, address, unit, city } = asked
  const whole = reading.address.key
  const tails = readTails(address, { state, fips }, unit)
  const typed = tails.map((reading) => reading.city)
  const cities = new Set([city ?? '', ...typed].filter((name) => name !== ''))
  if (cities.size === 0) return parcels
  const tell = async (hits: SitusHit[]): Promise<SitusHit[]> => {
    const others = hits.filter(
      (hit) => !cities.has(hit.city) && (fips === undefined || hit.fips === fips),
    )
    const ids = [...new Set(others.map(({ id }) => id))].slice(0, RECORDS_MAX)
    if (ids.length === 0) return hits
    const named = new Map<number, string>()
    for (const { id, leaves } of await parcels.byIds(state, ids)) {
      const { jurisdiction } = readMunicipality(leaves)
      const found = [...cities].find((name) => isMunicipality(jurisdiction ?? '', name))
      if (found !== undefined) named.set(id, found)
    }
    return hits.map((hit) => {
      const municipality = named.get(hit.id)
      return municipality === undefined ? hit : { ...hit, municipality }
    })
  }
  // What the whole line names has no city behind it. Of most lines the last word could be one, so
  // that each lookup would read records for it.
  const isUntold = city === undefined && !tails.some((tail) => tail.address.key === whole)
  return {
    isRemote: parcels.isRemote,
    bySitusKey: async (...asking) => {
      const hits = await parcels.bySitusKey(...asking)
      return isUntold && asking[1] === whole ? hits : tell(hits)
    },
    byLooseKey: async (...key) => tell(await parcels.byLooseKey(...key)),
  }
}

/** Kinds of municipality by how they are written. */
const KINDS: Record<string, string> = {
  TOWNSHIP: 'TOWNSHIP',
  TWP: 'TOWNSHIP',
  BOROUGH: 'BOROUGH',
  BORO: 'BOROUGH',
  VILLAGE: 'VILLAGE',
  VLG: 'VILLAGE',
  TOWN: 'TOWN',
  CITY: 'CITY',
}

/**
 * Whether a recorded municipality is the asked place, a text folded by `foldCity`: `CUMRU TWP` is
 * `CUMRU TOWNSHIP` and `CUMRU`, but not `CUMRU BOROUGH`.
 */
export function isMunicipality(recorded: string, asked: string): boolean {
  const [own, other] = [readKind(foldCity(recorded)), readKind(asked)]
  const isSameKind = own.kind === '' || other.kind === '' || own.kind === other.kind
  return own.name !== '' && own.name === other.name && isSameKind
}

/**
 * `CITY OF MADISON` is Madison, a city; `CITY` behind a name is a part of it, as in Kansas City.
 */
function readKind(folded: string): { name: string; kind: string } {
  const words = folded.split(' ').filter((word) => word !== 'CHARTER')
  const [first = '', second] = words
  const last = words.at(-1) ?? ''
  if (KINDS[first] !== undefined && second === 'OF') {
    return { name: words.slice(2).join(' '), kind: KINDS[first] }
  }
  return KINDS[last] !== undefined && last !== 'CITY' && words.length > 1
    ? { name: words.slice(0, -1).join(' '), kind: KINDS[last] }
    : { name: words.join(' '), kind: '' }
}
