/** Finds parcels by one free text: a property ID, an address line, a parcel ID or an owner. */
import { findAtAddress } from '../../address/lookup.ts'
import { makeOwnerQuestion } from '../../owner/owner-question.ts'
import { findStateEnd, stateOfZip } from '../../regions/states.ts'
import type { RequestContext } from '../operation.ts'
import { listPrefixes } from './address-prefixes.ts'
import { findOwners } from './find-owners.ts'
import { findByParcelId, findByPropertyId, readPropertyId } from './find-parcel.ts'

/** Most parcels of one owner; owner search has further pages. */
const OWNED_MAX = 200

type TextPlace = { state: string; fips: number | undefined; city: string | undefined }

/** The state of a text: by its property ID, its end or its ZIP code; `undefined` for none. */
export function readStateOf(text: string): string | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\s*$/.exec(text)
  const rest = zip === null ? text : text.slice(0, zip.index)
  const named = findStateEnd(rest.toUpperCase().replace(/[\s,.]+$/, ''))?.code
  return readPropertyId(text)?.state ?? named ?? (zip?.[1] && stateOfZip(zip[1]))
}

/** Ids, ascending. `isCut`: there are more. */
type Found = { ids: number[]; isCut?: boolean }

/**
 * Returns ids of the parcels that a text names.
 *
 * A text that begins with a house number and a word is searched as an address only. Another text
 * with digits is searched as an address, then as a parcel ID in every loaded county. A text without
 * digits is searched as an owner's name, then as a street. If nothing is found, a text of several
 * words is searched as an owner. The recorded name must have all of them, such as `ROE, ANN & BEN`.
 * Throws *unavailable* at the deadline.
 */
export async function findByText(
  text: string,
  place: TextPlace,
  context: RequestContext,
): Promise<Found> {
  const { state } = place
  const stable = readPropertyId(text)
  if (stable !== undefined && stable.state === state) {
    const found = await findByPropertyId(context.parcels, stable)
    if (found !== undefined) return { ids: [found.parcel.id] }
  }
  const byAddress = () => findAddress(text, place, context)
  const hasDigits = /\d/.test(text)
  const looks = hasDigits
    ? [byAddress, () => findParcels(text, place, context)]
    : [() => findOwner({ lastName: text }, place, context), byAddress]
  const byBeginning = () => findByBeginning(text, place, context)
  const byWords = () => findOwner({ nameContains: text }, place, context)
  // An address that is not found must not match a company named after it.
  const isAddress = HAS_STREET.test(text)
  const rest = HAS_WORDS.test(text) ? [byWords] : []
  for (const look of isAddress ? [byAddress, byBeginning] : [...looks, byBeginning, ...rest]) {
    const found = await look()
    if (found.ids.length > 0) return found
  }
  return { ids: [] }
}

/** Two words of letters. */
const HAS_WORDS = /[A-Z]{2,}.*[^A-Z][A-Z]{2,}/i

/** A number followed by a word: `100 MAIN`; a parcel ID has digits next to its letters. */
const HAS_STREET = /^\s*\d+[A-Z]?\s+(?:\S+\s+)*[A-Z]{3,}/i

async function findAddress(
  text: string,
  { state, fips, city }: TextPlace,
  { parcels }: RequestContext,
): Promise<Found> {
  const hits = await findAtAddress({ state, address: text, unit: undefined, fips, city }, parcels)
  return { ids: hits.map(({ id }) => id) }
}

/** Most addresses of a partial line, as `1445 K`. */
const BEGUN_MAX = 100

async function findByBeginning(
  text: string,
  { state, fips, city }: TextPlace,
  { parcels }: RequestContext,
): Promise<Found> {
  const ids = new Set<number>()
  let isCut = false
  for (const prefix of listPrefixes(text)) {
    const begun = await parcels.addressesWithPrefix(state, prefix, BEGUN_MAX)
    isCut ||= begun.length === BEGUN_MAX
    for (const { key } of begun) {
      for (const hit of await parcels.bySitusKey(state, key)) {
        if (fips !== undefined && hit.fips !== fips) continue
        if (city === undefined || hit.city === city) ids.add(hit.id)
      }
      if (ids.size < OWNED_MAX) continue
      isCut = true
      break
    }
  }
  return { ids: [...ids].sort((a, b) => a - b), isCut }
}

async function findOwner(
  name: { lastName: string } | { nameContains: string },
  { state, fips }: TextPlace,
  { parcels, startedAt, searchTimeMs }: RequestContext,
): Promise<Found> {
  const asked = { ...name, fuzzy: false }
  const question = makeOwnerQuestion(asked)
  if (question === undefined) return { ids: [] }
  const search = { parcels, state, fips, deadline: startedAt + searchTimeMs }
  const { hits } = await findOwners(asked, question, { skip: 0, limit: OWNED_MAX + 1 }, search)
  const ids = hits.slice(0, OWNED_MAX).map(({ id }) => id)
  return { ids: ids.sort((a, b) => a - b), isCut: hits.length > OWNED_MAX }
}

async function findParcels(
  text: string,
  { state, fips }: TextPlace,
  { parcels }: RequestContext,
): Promise<Found> {
  const counties =
    fips === undefined
      ? (await parcels.coverage({ states: [state] })).filter((county) => county.state === state)
      : [{ fips }]
  const found = await Promise.all(
    counties.map((county) => findByParcelId(parcels, { state, fips: county.fips }, text)),
  )
  return { ids: found.flatMap((one) => one?.parcel.id ?? []).sort((a, b) => a - b) }
}
