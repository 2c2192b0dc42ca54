/** Copies rows to the tables, one table at a time, while the command makes further ones. */
import type { Client } from 'pg'
import { copyBytes } from '../copy-in.ts'
import {
  type ParcelRows,
  ROW_COLUMNS,
  ROW_TABLES,
  type RowTable,
  sizeOfRows,
} from './parcel-rows.ts'
import { TARGETS } from './write-rows.ts'

/**
 * Bytes of rows that wait. PostgreSQL extends a table by up to 64 pages ahead during a COPY, and
 * those that are left over stay empty. So as many rows wait as were copied: the first copies
 * are small, so that the server has work, and those of a large roll add little to its size.
 */
const WAITING_MIN = 4 * 2 ** 20
const WAITING_MAX = 32 * 2 ** 20

export class RowCopier {
  readonly #client: Client
  #copied = 0
  #sending: Promise<void> = Promise.resolve()
  /** The rows that are sent. Their memory is used again when the server has read them. */
  #sent: Buffer<ArrayBuffer> | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** Begins to copy the rows of the largest table when many rows wait. */
  async copyLargest(rows: ParcelRows): Promise<void> {
    const most = Math.min(Math.max(WAITING_MIN, this.#copied), WAITING_MAX)
    if (sizeOfRows(rows) < most) return
    const size = (table: RowTable) => rows[table].size
    await this.#copy(
      rows,
      ROW_TABLES.reduce((a, b) => (size(a) < size(b) ? b : a)),
    )
  }

  /** Ends with all rows copied. */
  async copyAll(rows: ParcelRows): Promise<void> {
    for (const table of ROW_TABLES) await this.#copy(rows, table)
    await this.#sending
  }

  async #copy(rows: ParcelRows, table: RowTable): Promise<void> {
    if (rows[table].size === 0) return
    await this.#sending
    const target = TARGETS[table]
    // Rows of tables that were truncated in this transaction need no later VACUUM.
    const options = target === table ? 'FORMAT binary, FREEZE' : 'FORMAT binary'
    const into = `${target} (${ROW_COLUMNS[table].join(', ')})`
    const bytes = rows[table].take(this.#sent)
    this.#sent = bytes
    this.#copied += bytes.length
    this.#sending = copyBytes(this.#client, `COPY ${into} FROM STDIN (${options})`, bytes)
    this.#sending.catch(() => undefined)
  }
}
