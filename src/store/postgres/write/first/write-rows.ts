/** Last half of a first load: what is sorted, counted or made of all rows together. */
import type { Client } from 'pg'
import { FIXED_START, FUZZY_MIN } from '../../../../base/word-edits.ts'
import { countOwnersSql } from '../../../columns.ts'
import { ALL_PLACED, noteCells } from '../../cluster/state-places.ts'
import { copyBytes } from '../copy-in.ts'
import { MERGE_OWNERS } from '../roll-apply.ts'
import { type ParcelRows, ROW_COLUMNS, ROW_TABLES, type RowTable } from './parcel-rows.ts'

/**
 * Where the rows of each table are copied. Loose keys are then stored once, and surnames in their
 * order, because a search by surname and given name reads rows of the table.
 */
export function targetOf(table: RowTable): string {
  return table === 'loose' || table === 'owner_heads' ? `first_${table}` : table
}

export async function createTemporary(client: Client): Promise<void> {
  await client.query(`CREATE TEMP TABLE first_owner_heads (LIKE owner_heads);
    CREATE TEMP TABLE first_loose (LIKE loose_situs);
    ALTER TABLE first_loose ADD COLUMN id bigint`)
}

/** Writes what is sorted or made of several parcels' keys. */
export async function writeDerived(client: Client): Promise<void> {
  const heads = ROW_COLUMNS.owner_heads.join(', ')
  await client.query(`INSERT INTO owner_heads (${heads})
    SELECT ${heads} FROM first_owner_heads ORDER BY state, head, id, slot, kind`)
  await client.query(`INSERT INTO loose_situs (state, loose_key, key)
    SELECT DISTINCT state, loose_key, key FROM first_loose ORDER BY 1, 2, 3`)
  await client.query(`CREATE TEMP TABLE first_new_words AS
    SELECT w.state, w.word FROM (SELECT state, word FROM owner_words
      UNION SELECT state, head FROM first_owner_heads) w
    WHERE length(w.word) >= ${FUZZY_MIN}`)
  // The forms of `deletions` in word-edits.ts. Leaving out either of two equal letters is the same.
  await client.query(`INSERT INTO owner_deletions (state, deletion, word)
    SELECT state, word, word FROM first_new_words
    UNION ALL SELECT state, left(word, at - 1) || substr(word, at + 1), word
      FROM first_new_words CROSS JOIN LATERAL generate_series(${FIXED_START + 1}, length(word)) at
      WHERE substr(word, at, 1) <> substr(word, at + 1, 1)
    ORDER BY 1, 2, 3`)
}

/** Counts the parcels by owner and by tile, and records the cells of each state. */
export async function writeCounts(client: Client, states: string[]): Promise<void> {
  await client.query(`INSERT INTO point_counts AS k (state, cell, parcels)
    SELECT state, cell, count(*) FROM parcels WHERE cell IS NOT NULL GROUP BY state, cell
    ON CONFLICT (state, cell) DO UPDATE SET parcels = k.parcels + excluded.parcels`)
  await client.query(`INSERT INTO owner_counts AS k (state, owner, parcels, residential, other)
    SELECT p.state, p.owner, ${countOwnersSql('')} FROM parcels p
    WHERE p.owner <> 0 GROUP BY p.state, p.owner ${MERGE_OWNERS}`)
  for (const state of states) {
    await noteCells(client, state, ALL_PLACED)
  }
}

/**
 * Bytes of rows that wait. PostgreSQL extends a table by up to 64 pages ahead during a COPY, and
 * those that are left over stay empty. So as many rows wait as were copied. The first copies are
 * small, so that the server has work, and those of a large roll add little to its size.
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
    const size = (table: RowTable) => rows[table].size
    if (ROW_TABLES.reduce((sum, table) => sum + size(table), 0) < most) return
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
    const target = targetOf(table)
    // Rows of tables that were truncated in this transaction need no later VACUUM.
    const options = target === table ? ' (FREEZE)' : ''
    const into = `${target} (${ROW_COLUMNS[table].join(', ')})`
    const bytes = rows[table].take(this.#sent)
    this.#sent = bytes
    this.#copied += bytes.length
    this.#sending = copyBytes(this.#client, `COPY ${into} FROM STDIN${options}`, bytes)
    this.#sending.catch(() => undefined)
  }
}
