/** Changes that imports made: what is asked of a store. */

/** `loaded`: the first load of a roll scope, which has no row per parcel. */
type ChangeKind = 'added' | 'changed' | 'removed' | 'loaded'

export type StoredChange = {
  /** Grows by one with each change of a state. */
  sequence: number
  what: ChangeKind
  /** The parcel's id and its durable key; `null` for `loaded`. */
  id: number | null
  propertyId: string | null
  fips: number
  /** Folded; the empty string where the scope is the county. */
  municipality: string
  /** Bits of groups, as `model/changes.ts` orders them; 0 unless `what` is `changed`. */
  groups: number
  /** Parcels of a `loaded` scope; else `null`. */
  parcels: number | null
  /** Epoch seconds. */
  loadedAt: number
  import: number
}

type ChangeQuestion = {
  state: string
  fips: number | undefined
  /** Bits of groups of which a changed parcel has one; what is not `changed` is always meant. */
  groups: number | undefined
  /** Only behind this sequence. */
  after: number
  /** Only from this time on, epoch seconds. */
  since: number
  limit: number
}

/**
 * `oldest`: the first sequence at or behind `since` in the state; one more than the last where
 * there is none.
 */
type ChangePage = { changes: StoredChange[]; oldest: number; last: number }

export type ChangeReader = {
  /** Changes in ascending order of sequence. */
  changes(question: ChangeQuestion): Promise<ChangePage>
}

/** Seconds of a day. */
export const DAY_S = 86_400
/** How long a store keeps changes at most, days: what `PLATBOOK_CHANGES_DAYS` may be. */
export const KEPT_DAYS = 400
