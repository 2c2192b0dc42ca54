/** Accepts a parcel's municipality as a lookup's city, because many people write that one. */
import { readTails } from '../address/canonical.ts'
import type { AddressReader } from '../address/key-reader.ts'
import { type AskedAddress, readWhole } from '../address/lookup.ts'
import { foldCity } from '../base/fold.ts'
import type { TailReading } from '../base/model/address.ts'
import { readForms, readTable } from '../base/tables.ts'
import { openFields } from '../record/stored.ts'
import type { ParcelReader, SitusHit } from '../store/store.ts'

/** Most records read for one key; municipalities are ignored when more parcels share an address. */
const RECORDS_MAX = 50

const readMunicipality = openFields(['jurisdiction'])

/**
 * Wraps the reader of a lookup, so that hits show when they are in an asked municipality. Records
 * are read only for hits in another postal city; without a city nothing is wrapped.
 */
export function markMunicipalities(
  asked: AskedAddress,
  parcels: ParcelReader,
  reading: TailReading = readWhole(asked),
): AddressReader {
  const { state, fips, address, unit, city } = asked
  const whole = reading.address.key
  const tails = readTails(address, { state, fips }, unit)
  const typed = [reading, ...tails].map(({ city }) => city)
  const cities = new Set([city ?? '', ...typed].filter((name) => name !== ''))
  if (cities.size === 0) return parcels
  const mark = async (hits: SitusHit[]): Promise<SitusHit[]> => {
    const others = hits.filter(
      (hit) => !cities.has(hit.city) && (fips === undefined || hit.fips === fips),
    )
    const ids = [...new Set(others.map(({ id }) => id))].slice(0, RECORDS_MAX)
    if (ids.length === 0) return hits
    const named = new Map<number, string>()
    for (const { id, fieldValues } of await parcels.byIds(state, ids)) {
      const { jurisdiction } = readMunicipality(fieldValues)
      const found = [...cities].find((name) => isMunicipality(jurisdiction ?? '', name))
      if (found !== undefined) named.set(id, found)
    }
    return hits.map((hit) => {
      const municipality = named.get(hit.id)
      return municipality === undefined ? hit : { ...hit, municipality }
    })
  }
  // A match of the whole line has no city after it. The last word of most lines could be a city, so
  // otherwise each lookup would read records.
  const isWithoutCity = !(city ?? reading.city) && !tails.some((tail) => tail.address.key === whole)
  return {
    advice: parcels.advice,
    bySitusKey: async (...key) => {
      const hits = await parcels.bySitusKey(...key)
      return isWithoutCity && key[1] === whole ? hits : mark(hits)
    },
    byLooseKey: async (...key) => mark(await parcels.byLooseKey(...key)),
  }
}

/** The kinds by the words for them. */
const KINDS = readForms(readTable('municipality-kinds.txt'))

/**
 * Reports whether a recorded municipality is the asked place, a text folded by `foldCity`: `CUMRU
 * TWP` is `CUMRU TOWNSHIP` and `CUMRU`, but not `CUMRU BOROUGH`.
 */
export function isMunicipality(recorded: string, asked: string): boolean {
  const [own, other] = [readKind(foldCity(recorded)), readKind(asked)]
  const isSameKind = own.kind === '' || other.kind === '' || own.kind === other.kind
  return own.name !== '' && own.name === other.name && isSameKind
}

/** `CITY OF MADISON` is Madison, a city; `CITY` after a name belongs to it, as in Kansas City. */
function readKind(folded: string): { name: string; kind: string } {
  const words = folded.split(' ').filter((word) => word !== 'CHARTER')
  const [first = '', second] = words
  const last = words.at(-1) ?? ''
  const [before, after] = [KINDS.get(first), KINDS.get(last)]
  if (before !== undefined && second === 'OF') {
    return { name: words.slice(2).join(' '), kind: before }
  }
  return after !== undefined && last !== 'CITY' && words.length > 1
    ? { name: words.slice(0, -1).join(' '), kind: after }
    : { name: words.join(' '), kind: '' }
}
