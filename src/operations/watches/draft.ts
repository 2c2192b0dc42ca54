/** A watch as a caller describes it, and the desk that takes it. */

import { refuse } from '../../base/errors.ts'
import type { AccountFacts } from '../../base/model/account.ts'
import type { WatchedParcel, WatchKind, WatchLimits } from '../../store/accounts/watch-store.ts'

export type UseCodes = AccountFacts['useCodes']

export type OwnerCondition = {
  owner: string | AskedOwner
  state?: string
  county?: string
}

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

/** A change that a caller asks for; absent properties stay. `kind` must be the watch's own. */
export type WatchPatch = Partial<WatchDraft> & {
  /** Makes a new secret; the old one signs too for a day. */
  rotateSecret?: boolean
  /** Delivers again after it has failed. */
  status?: 'active'
}

/** `limits`: of the account. */
export type DeskQuestion = { accountId: string } & (
  | { what: 'create'; draft: WatchDraft; limits: WatchLimits; repeat: string | undefined }
  | { what: 'list' }
  | { what: 'read' | 'remove' | 'test'; id: string }
  | { what: 'change'; id: string; change: WatchPatch; limits: WatchLimits }
  | { what: 'events'; id: string; after: number; limit: number }
)

export type WatchDesk = (question: DeskQuestion) => Promise<Record<string, unknown>>

/** The desk where there is no account. */
export const refuseWatches: WatchDesk = async () => {
  throw refuse.badRequest('Watches need a key of an account')
}
