/** Finds parcels by one free text: a property ID, an address line, a parcel ID or an owner. */
import { findAtAddress } from '../../address/lookup.ts'
import { makeOwnerQuestion } from '../../owner/owner-question.ts'
import { findStateEnd, stateOfZip } from '../../regions/states.ts'
import type { RequestContext } from '../operation.ts'
import { listPrefixes } from './address-prefixes.ts'
import { findOwners } from './find-owners.ts'
import { findByParcelId, findByPropertyId, readPropertyId } from './find-parcel.ts'

/** Most parcels of one text; more are cut to one more. Owner search has further pages. */
export const TEXT_MAX = 200

type TextPlace = { state: string; fips: number | undefined; city: string | undefined }

/** The state of a text: by its property ID, its end or its ZIP code; `undefined` for none. */
export function readStateOf(text: string): string | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\s*$/.exec(text)
  const rest = zip === null ? text : text.slice(0, zip.index)
  const named = findStateEnd(rest.toUpperCase().replace(/[\s,.]+$/, ''))?.code
  return readPropertyId(text)?.state ?? named ?? (zip?.[1] && stateOfZip(zip[1]))
}

/**
 * Returns ids of the parcels that a text names, ascending.
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
): Promise<number[]> {
  const { state } = place
  const stable = readPropertyId(text)
  if (stable !== undefined && stable.state === state) {
    const found = await findByPropertyId(context.parcels, stable)
    if (found !== undefined) return [found.parcel.id]
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
    if (found.length > 0) return found
  }
  return []
}

/** Two words of letters. */
const HAS_WORDS = /[A-Z]{2,}.*[^A-Z][A-Z]{2,}/i

/** A number followed by a word: `100 MAIN`; a parcel ID has digits next to its letters. */
const HAS_STREET = /^\s*\d+[A-Z]?\s+(?:\S+\s+)*[A-Z]{3,}/i

async function findAddress(
  text: string,
  { state, fips, city }: TextPlace,
  { parcels }: RequestContext,
): Promise<number[]> {
  const hits = await findAtAddress({ state, address: text, unit: undefined, fips, city }, parcels)
  return hits.map(({ id }) => id)
}

async function findByBeginning(
  text: string,
  { state, fips, city }: TextPlace,
  { parcels }: RequestContext,
): Promise<number[]> {
  const ids = new Set<number>()
  for (const prefix of listPrefixes(text)) {
    for (const { key } of await parcels.addressesWithPrefix(state, prefix, TEXT_MAX + 1)) {
      for (const hit of await parcels.bySitusKey(state, key)) {
        if (fips !== undefined && hit.fips !== fips) continue
        if (city === undefined || hit.city === city) ids.add(hit.id)
      }
      if (ids.size > TEXT_MAX) break
    }
  }
  return [...ids].sort((a, b) => a - b)
}

async function findOwner(
  name: { lastName: string } | { nameContains: string },
  { state, fips }: TextPlace,
  { parcels, startedAt, searchTimeMs }: RequestContext,
): Promise<number[]> {
  const asked = { ...name, fuzzy: false }
  const question = makeOwnerQuestion(asked)
  if (question === undefined) return []
  const search = { parcels, state, fips, deadline: startedAt + searchTimeMs }
  const { hits } = await findOwners(asked, question, { skip: 0, limit: TEXT_MAX + 1 }, search)
  return hits.map(({ id }) => id).sort((a, b) => a - b)
}

async function findParcels(
  text: string,
  { state, fips }: TextPlace,
  { parcels }: RequestContext,
): Promise<number[]> {
  const counties =
    fips === undefined
      ? (await parcels.coverage({ states: [state] })).filter((county) => county.state === state)
      : [{ fips }]
  const found = await Promise.all(
    counties.map((county) => findByParcelId(parcels, { state, fips: county.fips }, text)),
  )
  return found.flatMap((one) => one?.parcel.id ?? []).sort((a, b) => a - b)
}
