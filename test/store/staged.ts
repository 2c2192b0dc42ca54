/** Invented parcels as an import stages them, for tests of the stores. */
import { canonicalAddress } from '../../src/address/canonical.ts'
import { foldCity, foldParcelId, stripParcelId } from '../../src/base/fold.ts'
import { COVERAGE_FIELDS, type CoverageField } from '../../src/base/model/coverage.ts'
import type { NameOrder } from '../../src/base/model/owner.ts'
import { placeOf } from '../../src/import/rows/finish.ts'
import { indexOwners, readOwners } from '../../src/owner/canonical.ts'
import { encodeParcel } from '../../src/record/stored.ts'
import { COLUMNS, type ColumnValues } from '../../src/store/columns.ts'
import { encodeKeys, encodeOwners, ownerInState, ownerOf } from '../../src/store/parcel-keys.ts'
import type { StagedParcel } from '../../src/store/store.ts'
import { BARE_PARCEL } from '../parcel.ts'

export type Draft = {
  parcelId: string
  state?: string
  fips?: number
  municipality?: string
  owners?: [string | null, string | null]
  order?: NameOrder
  address?: string
  city?: string
  zip?: string
  useCode?: string
  localUse?: string
  residential?: boolean | null
  transferDay?: number | null
  value?: number
  /** Whether the newest transfer has a price. */
  sold?: boolean
  alternateIds?: string[]
  /** Longitude and latitude. */
  point?: [number, number] | undefined
  geometry?: string | null
  /** Land area by the polygon. */
  acres?: number
  /** Values of further columns. */
  columns?: Partial<ColumnValues>
}

const bitOf = (field: CoverageField) => 1 << COVERAGE_FIELDS.indexOf(field)

let rows = 0

/** The unknown value of every column. */
const UNKNOWN = Object.fromEntries(
  COLUMNS.map(({ property, type, nullable }) => [
    property,
    nullable ? null : { text: '', integer: 0, long: 0, flag: false }[type],
  ]),
) as unknown as ColumnValues

/** A staged parcel with keys as the engines make them. */
export function stage(draft: Draft): StagedParcel {
  const { parcelId, state = 'WI', fips = 55025, municipality = '', address = '' } = draft
  const owners = draft.owners ?? [null, null]
  const situs = canonicalAddress(address, { state, fips })
  const owned = indexOwners(readOwners(owners, draft.order ?? 'last-first'))
  rows += 1
  return {
    ...UNKNOWN,
    row: rows,
    state,
    fips,
    municipality,
    identity: stripParcelId(parcelId),
    parcelKey: foldParcelId(parcelId),
    strippedKey: stripParcelId(parcelId),
    fieldValues: encodeParcel({
      ...BARE_PARCEL,
      parcelId,
      fips,
      city: draft.city ?? null,
      ownerName: owners[0],
      ownerName2: owners[1],
      totalMarketValue: draft.value ?? null,
      calculatedAcres: draft.acres ?? null,
      longitude: draft.point?.[0] ?? null,
      latitude: draft.point?.[1] ?? null,
    }),
    rollYear: 2025,
    city: foldCity(draft.city ?? ''),
    zip: draft.zip ?? '',
    useCode: draft.useCode ?? '',
    localUse: draft.localUse ?? '',
    residential: draft.residential ?? null,
    transferDay: draft.transferDay ?? null,
    assigned: situs.assigned,
    keys: encodeKeys({
      alternateIds: draft.alternateIds ?? [],
      situs: situs.key === '' ? [] : [situs],
      owners: encodeOwners(owned),
    }),
    unit: situs.unitKey,
    geometry: draft.geometry ?? null,
    filled: (draft.sold ? bitOf('salePrice') : 0) | (draft.geometry ? bitOf('geometry') : 0),
    owner: ownerInState(ownerOf(owned), draft.fips ?? fips),
    ...placeOf(draft.point?.[0] ?? null, draft.point?.[1] ?? null),
    ...draft.columns,
  }
}
