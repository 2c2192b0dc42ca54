/** Last half of writing new scopes: what is sorted, counted or made of all their rows together. */
import type { Client } from 'pg'
import { FIXED_START, FUZZY_MIN } from '../../../../base/word-edits.ts'
import { countOwnersSql } from '../../../columns.ts'
import { noteCells } from '../../cluster/state-places.ts'
import { SCHEMA } from '../../pool/connection.ts'
import { MERGE_OWNERS } from '../owner-counts.ts'
import { ROW_COLUMNS, type RowTable } from './parcel-rows.ts'

/** Where the rows of each table are until the commit. */
export type Targets = Record<RowTable, string>

/**
 * Tables that are always copied to temporary ones first. Surnames are stored in their order,
 * because a search by surname and given name reads rows of the table. Loose keys are stored once.
 */
export const TEMPORARY: RowTable[] = ['loose', 'owner_heads']

/**
 * Creates temporary tables with the columns of those that they fill. Reads the catalogue, because
 * LIKE would wait for an import that has taken the tables.
 */
export async function createTemporary(client: Client, tables: RowTable[]): Promise<void> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(concat_ws(' ', quote_ident(a.attname),
      format_type(a.atttypid, a.atttypmod), CASE WHEN a.attcollation <> 0 THEN 'COLLATE "C"' END),
      ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT attisdropped
    WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND c.relname = ANY($1) GROUP BY c.relname`,
    [tables.map((table) => (table === 'loose' ? 'loose_situs' : table))],
  )
  for (const { name, columns } of rows) {
    const own =
      name === 'loose_situs' ? `first_loose (${columns}, id bigint)` : `first_${name} (${columns})`
    await client.query(`CREATE TEMP TABLE ${own}`)
  }
}

/** Tables that are moved, with the order of their keys. */
const MOVED: [table: Exclude<RowTable, 'loose' | 'owner_heads'>, order: string][] = [
  ['parcels', 'id'],
  ['records', 'id'],
  ['geometries', 'id'],
  ['shapes', 'id'],
  ['alternate_ids', 'state, fips, key, id'],
  ['situs', 'state, key, id, unit, kind, own_key'],
  ['owner_words', 'state, word, id, slot'],
]

const HEADS_ORDER = 'state, head, id, slot, kind'

/**
 * Moves rows from the temporary tables. `base`: added to each position of the roll to make the id.
 */
export async function moveRows(
  client: Client,
  { loadedAt, base }: { loadedAt: number; base: number },
  onProgress: (share: number) => void,
): Promise<void> {
  const shown: Record<string, string> = { id: `id + ${base}`, loaded_at: `${loadedAt}::bigint` }
  for (const [done, [table, order]] of MOVED.entries()) {
    const columns = ROW_COLUMNS[table]
    const values = columns.map((name) => shown[name] ?? name)
    await client.query(`INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM first_${table} ORDER BY ${order}`)
    onProgress((done + 1) / MOVED.length)
  }
}

/**
 * Writes what is sorted or made of several parcels' keys. `base`: added to the ids of rows that are
 * moved. `isFresh`: the tables have no rows before.
 */
export async function writeDerived(
  client: Client,
  targets: Targets,
  { base, isFresh }: { base: number; isFresh: boolean },
): Promise<void> {
  const unless = isFresh ? '' : 'ON CONFLICT DO NOTHING'
  const heads = ROW_COLUMNS.owner_heads
  const shown = heads.map((name) => (name === 'id' ? `id + ${base}` : name))
  await client.query(`INSERT INTO owner_heads (${heads.join(', ')})
    SELECT ${shown.join(', ')} FROM ${targets.owner_heads} ORDER BY ${HEADS_ORDER}`)
  await client.query(`INSERT INTO loose_situs (state, loose_key, key)
    SELECT DISTINCT state, loose_key, key FROM ${targets.loose} ORDER BY 1, 2, 3 ${unless}`)
  const known = `AND NOT EXISTS (SELECT 1 FROM owner_deletions d
    WHERE d.state = w.state AND d.deletion = w.word AND d.word = w.word)`
  await client.query(`CREATE TEMP TABLE first_new_words AS
    SELECT w.state, w.word FROM (SELECT state, word FROM ${targets.owner_words}
      UNION SELECT state, head FROM ${targets.owner_heads}) w
    WHERE length(w.word) >= ${FUZZY_MIN} ${isFresh ? '' : known}`)
  // The forms of `deletions` in word-edits.ts. Leaving out either of two equal letters is the same.
  await client.query(`INSERT INTO owner_deletions (state, deletion, word)
    SELECT state, word, word FROM first_new_words
    UNION ALL SELECT state, left(word, at - 1) || substr(word, at + 1), word
      FROM first_new_words CROSS JOIN LATERAL generate_series(${FIXED_START + 1}, length(word)) at
      WHERE substr(word, at, 1) <> substr(word, at + 1, 1)
    ORDER BY 1, 2, 3 ${unless}`)
}

/** Counts the parcels by owner and by tile, and records the cells of each state. */
export async function writeCounts(
  client: Client,
  { parcels, shapes }: Targets,
  states: string[],
): Promise<void> {
  await client.query(`INSERT INTO point_counts AS k (state, cell, parcels)
    SELECT state, cell, count(*) FROM ${parcels} WHERE cell IS NOT NULL GROUP BY state, cell
    ON CONFLICT (state, cell) DO UPDATE SET parcels = k.parcels + excluded.parcels`)
  await client.query(`INSERT INTO owner_counts AS k (state, owner, parcels, residential, other)
    SELECT p.state, p.owner, ${countOwnersSql('')} FROM ${parcels} p
    WHERE p.owner <> 0 GROUP BY p.state, p.owner ${MERGE_OWNERS}`)
  for (const state of states) {
    await noteCells(client, state, {
      points: `SELECT x, y FROM ${parcels} WHERE state = $1 AND x IS NOT NULL`,
      shapes: `SELECT bounds FROM ${shapes} WHERE state = $1`,
    })
  }
}
