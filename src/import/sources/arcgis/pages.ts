/** A layer split into pages, independent of the way of paging. */
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
