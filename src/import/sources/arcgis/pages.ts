/**
 * A layer split into pages, independent of the way of paging. Rows that could not be downloaded are
 * rejected; too many of them stop the download.
 */
import { CommandError } from '../../../base/errors.ts'
import { UNREAD } from '../../batch.ts'
import { PassingFault } from '../web.ts'
import { RefusedQuery } from './query.ts'
import { BrokenPaging } from './question.ts'
import type { Row } from './rows.ts'

export type Pages = {
  /** Changes with how pages are split; then an interrupted download cannot be continued. */
  digest: string
  /** Number of pages; `undefined` until a page is not full. */
  count: number | undefined
  /** Returns a page's rows, each once, in a fixed order. `last`: there is no further page. */
  fetch(page: number): Promise<{ rows: Row[]; last?: boolean }>
  /** Records rows of an earlier run. */
  resume?(rows: AsyncIterable<Row>): Promise<void>
}

/** Attempts for each part of a page after the whole page has failed. */
export const PART_TRIES = 2

const IN_ROW_MAX = 20
const SHARE_MAX = 0.01
const ALWAYS_ALLOWED = 100

/** Counts rows that the server cannot return. */
export type Losses = {
  /** Records a lost row and returns the row that replaces it. */
  lose(what: string, error: unknown): Row
  /** Records that rows were received. */
  gain(): void
}

/**
 * Throws `CommandError` after 20 losses in a row or more than a hundredth of `count` rows, and
 * `BrokenPaging` when none was received: another way of paging may work.
 */
export function countLosses(count: number | null): Losses {
  let inRow = 0
  let all = 0
  let hasGained = false
  const most = Math.max(ALWAYS_ALLOWED, (count ?? 0) * SHARE_MAX)
  return {
    lose(what, error) {
      inRow += 1
      all += 1
      const why = (error as Error).message
      if (inRow > IN_ROW_MAX || all > most) {
        const sentence = `the server does not give its rows (${all} failed, the last one: ${why})`
        if (!hasGained) throw new BrokenPaging(sentence)
        throw new CommandError(`${sentence}; nothing was loaded. Run the same command to continue`)
      }
      return { id: undefined, line: JSON.stringify({ [UNREAD]: `${what}: ${why}` }), lost: true }
    },
    gain() {
      inRow = 0
      hasGained = true
    },
  }
}

/** Reports whether a smaller request may succeed. */
export function mayHalve(error: unknown): boolean {
  return error instanceof PassingFault || error instanceof RefusedQuery
}
