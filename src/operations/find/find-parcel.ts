/** Finds one parcel by its parcel ID in a county, or by its stable property id alone. */
import { foldFormerId, foldParcelId, stripParcelId } from '../../fold.ts'
import { countyByFips } from '../../place/counties.ts'
import { openFields } from '../../record/stored.ts'
import type { IdentifiedParcel, ParcelReader, StoredParcel } from '../../store/store.ts'

/** The parcel that a lookup by ID chose, how it matched, and how many parcels hold the ID. */
export type FoundParcel = {
  parcel: StoredParcel
  match: 'exact' | 'normalized' | 'former'
  count: number
}

/**
 * A property id taken apart; `rest` is the parcel ID, after the municipality where the county's
 * scope has one.
 */
export type PropertyId = { state: string; fips: number; rest: string }

/** Places in `rest` at which a municipality may end; names have no more hyphens than this. */
const SPLITS_MAX = 8

const readMunicipality = openFields(['municipality'])

/**
 * Takes a stable property id (`55025-0709-123`) apart.
 *
 * `undefined`: it does not begin with the FIPS code of a county and a hyphen, or nothing follows. A
 * parcel ID may have that form too, so a caller who names the county means a parcel ID first.
 */
export function readPropertyId(text: string): PropertyId | undefined {
  const [, code, rest] = /^(\d{5})-(.*\S)$/.exec(text.trim()) ?? []
  const county = code === undefined ? undefined : countyByFips(Number(code))
  if (county === undefined || rest === undefined) return undefined
  return { state: county.state, fips: county.fips, rest }
}

/**
 * The parcel with a property id: that very id first, then whatever its parcel ID finds in the
 * county.
 */
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
  return findByParcelId(parcels, state, fips, rest, tried)
}

/** `EAST-BROOK-10-1` as municipality and parcel ID, in each way; without a municipality first. */
function listSplits(rest: string): [municipality: string, parcelId: string][] {
  const splits: [string, string][] = [['', rest]]
  for (let at = rest.indexOf('-'); at !== -1; at = rest.indexOf('-', at + 1)) {
    if (splits.length > SPLITS_MAX) break
    if (at > 0 && at < rest.length - 1) splits.push([rest.slice(0, at), rest.slice(at + 1)])
  }
  return splits
}

function isIn({ leaves }: StoredParcel, municipality: string): boolean {
  return (readMunicipality(leaves).municipality ?? '').toUpperCase() === municipality
}

/**
 * The exact form first, then the form without punctuation if it names one parcel, alternate IDs,
 * IDs of before last.
 */
export async function findByParcelId(
  parcels: ParcelReader,
  state: string,
  fips: number,
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
  return heir && { parcel: heir, match: 'former', count: heirs.length }
}

/** What the steps found, for an explanation. */
export type TriedForms = {
  alike: IdentifiedParcel[]
  others?: StoredParcel[]
  heirs?: StoredParcel[]
}
