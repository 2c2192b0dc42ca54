/** Finds parcels by one free text: a property id, an address line, a parcel ID or an owner. */
import { findAtAddress } from '../../address/lookup.ts'
import { askOwner } from '../../owner/ask-owner.ts'
import { findStateEnd, stateOfZip } from '../../place/states.ts'
import type { RequestContext } from '../operation.ts'
import { findOwners } from './find-owners.ts'
import { findByParcelId, findByPropertyId, readPropertyId } from './find-parcel.ts'

/** Parcels of one owner that a text finds; owner search pages through more. */
const OWNED_MAX = 200

/** Where a text is looked for. */
type TextPlace = { state: string; fips: number | undefined; city: string | undefined }

/** The state that a text names by its property id, its end or its ZIP code; `undefined`: none. */
export function readStateOf(text: string): string | undefined {
  const zip = /\b(\d{5})(?:-\d{4})?\s*$/.exec(text)
  const rest = zip === null ? text : text.slice(0, zip.index)
  const named = findStateEnd(rest.toUpperCase().replace(/[\s,.]+$/, ''))?.code
  return readPropertyId(text)?.state ?? named ?? (zip?.[1] && stateOfZip(zip[1]))
}

/**
 * Ids of the parcels that a text names, ascending.
 *
 * A house number and a street are an address; a word with digits is a parcel ID of any loaded
 * county; words without digits are an owner and, where nobody is called so, a street. Several words
 * that are none of these are an owner whose recorded name has them all, such as `ROE, ANN & BEN`.
 * Throws *unavailable* when the time is up.
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
  const byWords = () => findOwner({ nameContains: text }, place, context)
  // An address that is not there must not become a company that is named after it.
  const isAddress = HAS_STREET.test(text)
  const rest = HAS_WORDS.test(text) ? [byWords] : []
  for (const look of isAddress ? [byAddress] : [...looks, ...rest]) {
    const found = await look()
    if (found.length > 0) return found
  }
  return []
}

/** Two words of letters. */
const HAS_WORDS = /[A-Z]{2,}.*[^A-Z][A-Z]{2,}/i

/** A number and a word behind it: `100 MAIN`; a parcel ID has digits beside its letters. */
const HAS_STREET = /^\s*\d+[A-Z]?\s+(?:\S+\s+)*[A-Z]{3,}/i

async function findAddress(
  text: string,
  { state, fips, city }: TextPlace,
  { parcels }: RequestContext,
): Promise<number[]> {
  const hits = await findAtAddress({ state, address: text, unit: undefined, fips, city }, parcels)
  return hits.map(({ id }) => id)
}

async function findOwner(
  name: { lastName: string } | { nameContains: string },
  { state, fips }: TextPlace,
  { parcels, startedAt, searchTimeMs }: RequestContext,
): Promise<number[]> {
  const asked = { ...name, fuzzy: false }
  const question = askOwner(asked)
  if (question === undefined) return []
  const search = { parcels, state, fips, deadline: startedAt + searchTimeMs }
  const { hits } = await findOwners(asked, question, 0, OWNED_MAX, search)
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
    counties.map((county) => findByParcelId(parcels, state, county.fips, text)),
  )
  return found.flatMap((one) => one?.parcel.id ?? []).sort((a, b) => a - b)
}
