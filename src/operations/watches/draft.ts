/** A watch as a caller describes it. */
import type { AccountFacts } from '../../base/model/account.ts'
import type { WatchedParcel, WatchKind } from '../../store/accounts/watch-store.ts'

export type UseCodes = AccountFacts['useCodes']

export type OwnerCondition = {
  owner: string | AskedOwner
  state?: string
  county?: string
}

/** The names of an owner search. */
export type AskedOwner = {
  lastName?: string
  firstName?: string
  nameContains?: string
  fuzzy?: boolean
  prefix?: boolean
}

/** `useCodes`: in which codes the search asks for uses. */
export type SearchCondition = { search: string; useCodes: UseCodes }
type ShapeCondition = { shape: object }
export type Condition =
  | { parcels: WatchedParcel[] }
  | OwnerCondition
  | ShapeCondition
  | SearchCondition

/** A watch as a caller describes it, after it was checked. */
export type WatchDraft = {
  name: string
  kind: WatchKind
  condition: Condition
  /** Bits of `model/changes.ts`. */
  groups: number
  url: string | null
}

/** A change that a caller asks for; absent properties stay. */
export type WatchPatch = Partial<Omit<WatchDraft, 'kind'>> & {
  /** Makes a new secret; the old one signs too for a day. */
  rotateSecret?: boolean
  /** Delivers again after it has failed. */
  status?: 'active'
}
