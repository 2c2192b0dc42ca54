/** Finds one parcel by its ID in a county, or by its stable property ID. */
import { foldFormerId, foldParcelId, stripParcelId } from '../../base/fold.ts'
import { openFields } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { IdentifiedParcel, ParcelReader, StoredParcel } from '../../store/store.ts'

import { findSuccessor } from './lineage.ts'

/** The parcel chosen by an ID lookup, how it matched, and the number of parcels with the ID. */
export type FoundParcel = {
  parcel: StoredParcel
  match: 'exact' | 'normalized' | 'former' | 'successor'
  count: number
}

/** The parts of a property ID. `rest`: the parcel ID, after a municipality if there is one. */
export type PropertyId = { state: string; fips: number; rest: string }

/** Most positions in `rest` at which a municipality may end; names have fewer hyphens. */
const SPLITS_MAX = 8

const readMunicipality = openFields(['municipality'])

/**
 * Splits a stable property ID (`55025-0709-123`); `undefined` unless it begins with a county's FIPS
 * code. A parcel ID may look so: a caller who names the county means that first.
 */
export function readPropertyId(text: string): PropertyId | undefined {
  const [, code, rest] = /^(\d{5})-(.*\S)$/.exec(text.trim()) ?? []
  const county = code === undefined ? undefined : countyByFips(Number(code))
  if (county === undefined || rest === undefined) return undefined
  return { state: county.state, fips: county.fips, rest }
}

/** The parcel with exactly this property ID, else the result of its parcel ID in the county. */
export async function findByPropertyId(
  parcels: ParcelReader,
  { state, fips, rest }: PropertyId,
  tried?: TriedForms,
): Promise<FoundParcel | undefined> {
  for (const [municipality, parcelId] of listSplits(rest)) {
    const alike = await parcels.byParcelId(state, fips, stripParcelId(parcelId))
    const key = foldParcelId(parcelId)
    const same = alike.filter(
      (one) => one.parcelKey === key && isIn(one, municipality.toUpperCase()),
    )
    const [parcel] = same
    if (parcel !== undefined) return { parcel, match: 'exact', count: same.length }
  }
  const found = await findByParcelId(parcels, { state, fips }, rest, tried)
  if (found !== undefined) return found
  for (const [municipality, parcelId] of listSplits(rest).slice(1)) {
    if (!/\p{L}/u.test(municipality) || stripParcelId(parcelId) === '') continue
    const heir = await showSuccessor(parcels, state, { fips, parcelId, municipality })
    if (heir !== undefined) return heir
  }
  return undefined
}

/** Splits `EAST-BROOK-10-1` into municipality and parcel ID in every way, without one first. */
export function listSplits(rest: string): [municipality: string, parcelId: string][] {
  const splits: [string, string][] = [['', rest]]
  for (let at = rest.indexOf('-'); at !== -1; at = rest.indexOf('-', at + 1)) {
    if (splits.length > SPLITS_MAX) break
    if (at > 0 && at < rest.length - 1) splits.push([rest.slice(0, at), rest.slice(at + 1)])
  }
  return splits
}

function isIn({ fieldValues }: StoredParcel, municipality: string): boolean {
  return (readMunicipality(fieldValues).municipality ?? '').toUpperCase() === municipality
}

/**
 * Tries the exact form, then the form without punctuation if it names one parcel. Then it tries
 * alternate IDs, former IDs, and the only parcel that covers a retired one.
 */
export async function findByParcelId(
  parcels: ParcelReader,
  { state, fips }: { state: string; fips: number },
  parcelId: string,
  tried?: TriedForms,
): Promise<FoundParcel | undefined> {
  const key = foldParcelId(parcelId)
  const stripped = stripParcelId(parcelId)
  const alike = await parcels.byParcelId(state, fips, stripped)
  if (tried !== undefined) tried.alike = alike
  const exact = alike.filter(({ parcelKey }) => parcelKey === key)
  const [first] = exact
  if (first !== undefined) return { parcel: first, match: 'exact', count: exact.length }
  const [only, another] = alike
  if (only !== undefined && stripped !== '') {
    return another === undefined ? { parcel: only, match: 'normalized', count: 1 } : undefined
  }
  const others = await parcels.byAlternateId(state, fips, key)
  if (tried !== undefined) tried.others = others
  const [alternate] = others
  if (alternate !== undefined) return { parcel: alternate, match: 'exact', count: others.length }
  if (stripped === '') return undefined
  const heirs = await parcels.byAlternateId(state, fips, foldFormerId(parcelId))
  if (tried !== undefined) tried.heirs = heirs
  const [heir] = heirs
  if (heir !== undefined) return { parcel: heir, match: 'former', count: heirs.length }
  return showSuccessor(parcels, state, { fips, parcelId })
}

async function showSuccessor(
  parcels: ParcelReader,
  state: string,
  retired: Parameters<typeof findSuccessor>[2],
): Promise<FoundParcel | undefined> {
  const id = await findSuccessor(parcels, state, retired)
  const [parcel] = id === undefined ? [] : await parcels.byIds(state, [id])
  return parcel && { parcel, match: 'successor', count: 1 }
}

export type TriedForms = {
  alike: IdentifiedParcel[]
  others?: StoredParcel[]
  heirs?: StoredParcel[]
}
