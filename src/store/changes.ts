/** What imports record besides the rolls: their changes, and tests of sale estimates. */

/**
 * `renumbered`: it has another ID, and may have changed besides. `loaded`: the first load of a roll
 * scope, recorded as one row, not one per parcel.
 */
type ChangeKind = 'added' | 'changed' | 'renumbered' | 'removed' | 'loaded'

export type StoredChange = {
  /** Increases by one with each change in a state. */
  sequence: number
  what: ChangeKind
  /** The parcel's id and its durable key; `null` for `loaded`. */
  id: number | null
  propertyId: string | null
  fips: number
  /** Folded; `''` when the scope is the county. */
  municipality: string
  /** Bits of groups in the order of `model/changes.ts`; 0 unless `what` is `changed`. */
  groups: number
  /** Number of parcels in a `loaded` scope; else `null`. */
  parcels: number | null
  /** Epoch seconds. */
  loadedAt: number
  import: number
}

type ChangeQuestion = {
  state: string
  fips: number | undefined
  /** Keeps changed parcels with one of these group bits; other kinds of change are always kept. */
  groups: number | undefined
  after: number
  /** Only changes since this time, epoch seconds. */
  since: number
  limit: number
}

/** `oldest`: the state's first sequence at or after `since`; without one, the last plus 1. */
type ChangePage = { changes: StoredChange[]; oldest: number; last: number }

export type ChangeReader = {
  /** Returns changes in ascending sequence. */
  changes(question: ChangeQuestion): Promise<ChangePage>
}

export const DAY_S = 86_400
/** Most days that a store keeps changes: the upper limit of `PLATBOOK_CHANGES_DAYS`. */
export const KEPT_DAYS = 400

/** Tests of sale estimates by county; `sales/estimate.ts` defines their content. */
export type SaleTestReader = {
  /** JSON text of a county's test; `undefined` without one. */
  saleTest(state: string, fips: number): Promise<string | undefined>
  /** JSON texts of the quality that a county's imports measured, the newest first. */
  qualities(state: string, fips: number): Promise<string[]>
}
