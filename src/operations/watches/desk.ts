/** The interface to the process that keeps watches: questions of operations and their answers. */
import { refuse } from '../../base/errors.ts'
import type { WatchLimits } from '../../store/accounts/watch-store.ts'
import type { WatchDraft, WatchPatch } from './draft.ts'

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
