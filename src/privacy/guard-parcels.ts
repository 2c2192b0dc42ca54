/**
 * The last filter in front of what is shown: a reader of parcels without what is suppressed and
 * still stored. That is so while `suppress add` waits for an import that is being written, and
 * while an import that began before it has just ended. Where nothing is pending it is the store's
 * own reader, at the cost of one comparison a request.
 */
import { hash } from 'node:crypto'
import { canonicalAddress } from '../address/canonical.ts'
import { foldCity, stripParcelId } from '../fold.ts'
import type { Suppression } from '../model/suppression.ts'
import { countyByFips } from '../place/counties.ts'
import { HIDDEN, hideFields } from '../record/hide-fields.ts'
import type { Parcel } from '../record/parcel.ts'
import { decodeParcel, encodeParcel } from '../record/stored.ts'
import { listNames, openMatcher } from '../record/suppress.ts'
import { encodeOwners } from '../store/parcel-keys.ts'
import type { ParcelReader, StoredParcel } from '../store/store.ts'
import { rulesOf } from '../store/suppressions.ts'

type Matcher = ReturnType<typeof openMatcher>
/** What of a parcel has to be hidden, and its owners as keys tell them. */
type Match = { bits: number; owners: string; parcel: Parcel }
type Kept = { id: number }
/** `name`: one text for the same suppressions. */
type Made = { of: readonly Suppression[]; hide: Matcher | undefined; name: string }

/**
 * Makes the filter of a process. `pending`: the suppressions that are not in effect yet. `fail`
 * hears why they cannot be read; then nothing is filtered.
 */
export function createParcelGuard(
  dataFolder: string,
  pending: () => readonly Suppression[],
  fail: (error: unknown) => void,
): (parcels: ParcelReader) => ParcelReader {
  let made: Made = { of: [], hide: undefined, name: '' }

  /** Made anew only for others: a long list takes half a second. */
  function make(of: readonly Suppression[]): Made {
    if (made.of === of) return made
    const isSame = of.length === made.of.length && of.every(({ id }, at) => id === made.of[at]?.id)
    made = isSame ? { ...made, of } : { of, ...open(of) }
    return made
  }

  function open(of: readonly Suppression[]) {
    try {
      const rules = rulesOf([...of], dataFolder)
      const name = hash('sha256', of.map(({ id }) => id).join())
      return { hide: rules && openMatcher(rules), name }
    } catch (error) {
      fail(error)
      return { hide: undefined, name: '' }
    }
  }

  return (parcels) => {
    const of = pending()
    if (of.length === 0) return parcels
    const { hide, name } = make(of)
    return hide === undefined ? parcels : guardParcels(parcels, hide, name)
  }
}

/** The reader without what `hide` tells. `name`: what its answers are told from others by. */
function guardParcels(parcels: ParcelReader, hide: Matcher, name: string): ParcelReader {
  async function match(state: string, records: StoredParcel[]): Promise<Map<number, Match>> {
    const ids = records.map(({ id }) => id)
    const owners = new Map((await parcels.ownersOf(state, ids)).map((one) => [one.id, one.owners]))
    return new Map(
      records.map(({ id, leaves }) => {
        const parcel = decodeParcel(leaves)
        const own = encodeOwners(owners.get(id) ?? { heads: [], words: [] })
        return [id, { bits: hide(tellParcel(parcel, own)), owners: own, parcel }]
      }),
    )
  }

  /** Records as they may be shown. */
  async function show<Kind extends StoredParcel>(state: string, records: Kind[]): Promise<Kind[]> {
    if (records.length === 0) return records
    const matches = await match(state, records)
    return records.flatMap((record) => {
      const found = matches.get(record.id)
      if (found === undefined || found.bits === HIDDEN.none) return [record]
      if (found.bits & HIDDEN.all) return []
      hideFields(found.parcel, found.bits, listNames(found.owners))
      const geometry = found.bits & HIDDEN.address ? null : record.geometry
      return [{ ...record, leaves: encodeParcel(found.parcel), geometry }]
    })
  }

  /** What was found by something that is hidden is not found. */
  async function keep<Hit extends Kept>(state: string, hits: Hit[], bits: number): Promise<Hit[]> {
    if (hits.length === 0) return hits
    const ids = [...new Set(hits.map(({ id }) => id))]
    const matches = await match(state, await parcels.byIds(state, ids))
    return hits.filter(({ id }) => ((matches.get(id)?.bits ?? 0) & (bits | HIDDEN.all)) === 0)
  }

  async function keepPlaces<Hit extends Kept & { state: string }>(hits: Hit[]): Promise<Hit[]> {
    const states = [...new Set(hits.map(({ state }) => state))]
    const kept = await Promise.all(
      states.map((state) =>
        keep(
          state,
          hits.filter((hit) => hit.state === state),
          HIDDEN.address,
        ),
      ),
    )
    return kept.flat()
  }

  return {
    ...parcels,
    byIds: async (state, ids) => show(state, await parcels.byIds(state, ids)),
    byParcelId: async (state, ...asked) => show(state, await parcels.byParcelId(state, ...asked)),
    byAlternateId: async (state, ...asked) =>
      show(state, await parcels.byAlternateId(state, ...asked)),
    bySitusKey: async (state, key) =>
      keep(state, await parcels.bySitusKey(state, key), HIDDEN.address),
    byLooseKey: async (state, key) =>
      keep(state, await parcels.byLooseKey(state, key), HIDDEN.address),
    // The address is then looked up step by step, which leaves out what is hidden.
    onlyAtSitusKey: async () => undefined,
    async page(filter, ...asked) {
      const page = await parcels.page(filter, ...asked)
      return { ...page, parcels: await show(filter.state, page.parcels) }
    },
    async byOwner(state, ...asked) {
      const found = await parcels.byOwner(state, ...asked)
      return { ...found, hits: await keep(state, found.hits, HIDDEN.owner) }
    },
    ownersOf: async (state, ids) => keep(state, await parcels.ownersOf(state, ids), HIDDEN.owner),
    // Names and addresses cannot be told from those that are to be hidden.
    addressesWithPrefix: async () => [],
    surnamesFrom: async () => [],
    countOwnerKeys: async (_state, names, words) => ({
      names: names.map(() => 0),
      words: words.map(() => 0),
    }),
    pointsIn: async (...asked) => keepPlaces(await parcels.pointsIn(...asked)),
    salesIn: async (...asked) => keepPlaces(await parcels.salesIn(...asked)),
    shapesIn: async (...asked) => keepPlaces(await parcels.shapesIn(...asked)),
    version: async () => `${await parcels.version()} ${name}`,
  }
}

function tellParcel(parcel: Parcel, owners: string) {
  const { fips, municipality, parcelId, address, city, zipCode, alternateAddresses } = parcel
  const unit = [parcel.unitType, parcel.unitNumberStripped].filter((text) => text !== null)
  const state = countyByFips(fips)?.state ?? ''
  const place = { state, fips, city, zip: zipCode }
  const own = address === null ? [] : [canonicalAddress(address, place, unit.join(' '))]
  return {
    ...{ state, fips, owners },
    municipality: foldCity(municipality ?? ''),
    strippedKey: stripParcelId(parcelId),
    situs: [...own, ...alternateAddresses.map((line) => canonicalAddress(line, place))],
  }
}
