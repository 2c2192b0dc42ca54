/** A layer cut into pages, whatever way of paging its server follows. */
import type { Row } from './rows.ts'

/** One way of paging through a layer. */
export type Pages = {
  /**
   * Changes when the pages would be cut otherwise: then a download that was broken off cannot go
   * on.
   */
  digest: string
  /** `undefined`: known when a page comes that is not full. */
  count: number | undefined
  /** Rows of a page, each once, in a fixed order; `last`: there is none behind it. */
  fetch(page: number): Promise<{ rows: Row[]; last?: boolean }>
  /** Takes note of rows of an earlier run. */
  resume?(rows: AsyncIterable<Row>): Promise<void>
}

/** Tries of what is left of a page after the whole page has failed. */
export const PART_TRIES = 2
