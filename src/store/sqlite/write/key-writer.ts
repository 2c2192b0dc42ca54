/**
 * Fills the tables of lookup keys. Rows are collected in the staging file and inserted sorted, so
 * that a small load touches few pages. Owner words, the most rows, are lists of parcels by word, at
 * a fifth of the cost (docs/decisions/imports.md).
 */
import type { DatabaseSync } from 'node:sqlite'
import { FIXED_START, FUZZY_MIN } from '../../../base/word-edits.ts'
import type { EncodedKeys } from '../../parcel-keys.ts'
import { KEY_TABLES as ALL, type KeyTable } from '../../rolls/key-tables.ts'
import { openInserter } from './roll-common.ts'

/** Most list entries held in memory (docs/decisions/imports.md). */
const LISTED_MAX = 250_000
/** An entry combines an id and a slot in one number. */
const SLOTS = 4

const GATHERED = `
  CREATE TABLE staging.key_ids (fips INTEGER, key TEXT, id INTEGER);
  CREATE TABLE staging.key_situs (state TEXT, key TEXT, id INTEGER, unit TEXT, kind INTEGER,
  own_key TEXT,
    loose_key TEXT);
  CREATE TABLE staging.key_heads (state TEXT, head TEXT, id INTEGER, slot INTEGER, kind INTEGER,
    fips INTEGER, rest TEXT);
  CREATE TABLE staging.key_words (state TEXT, word TEXT, run INTEGER, fips INTEGER, ids TEXT,
    PRIMARY KEY (state, word, run, fips)) WITHOUT ROWID;
  CREATE TABLE staging.key_dropped (id INTEGER PRIMARY KEY);
  CREATE TABLE staging.key_new_words (state TEXT, word TEXT);
  CREATE TABLE staging.key_places (at INTEGER PRIMARY KEY);
`

/** Leaves out rows of parcels that were dropped again. */
const KEPT = 'id NOT IN (SELECT id FROM staging.key_dropped)'
const move = (table: string, from: string, columns: string, order: string) =>
  `INSERT OR IGNORE INTO main.${table} (${columns})
    SELECT ${columns} FROM staging.${from} WHERE ${KEPT} ORDER BY ${order}`
const INSERTS = [
  move('alternate_ids', 'key_ids', 'fips, key, id', '1, 2, 3'),
  move('situs', 'key_situs', 'state, key, id, unit, kind, own_key', '1, 2, 3, 4, 5, 6'),
  `INSERT OR IGNORE INTO main.loose_situs (state, loose_key, key)
    SELECT DISTINCT state, loose_key, key FROM staging.key_situs
    WHERE loose_key <> '' AND ${KEPT} ORDER BY 1, 2, 3`,
  move('owner_heads', 'key_heads', 'state, head, id, slot, kind, fips, rest', '1, 2, 3, 4, 5'),
  `INSERT OR IGNORE INTO main.owner_words (state, word, id, slot, fips)
    SELECT k.state, k.word, e.value / ${SLOTS}, e.value % ${SLOTS}, k.fips
    FROM staging.key_words k CROSS JOIN json_each(k.ids) e
    WHERE e.value / ${SLOTS} NOT IN (SELECT id FROM staging.key_dropped)`,
]

export type KeyWriter = ReturnType<typeof openKeyWriter>

/** Opens a key writer on a connection with a staging file attached. */
export function openKeyWriter(db: DatabaseSync) {
  db.exec(GATHERED)
  const ids = openInserter(db, 'staging.key_ids', 3)
  const situs = openInserter(db, 'staging.key_situs', 7)
  const heads = openInserter(db, 'staging.key_heads', 7)
  const insertDropped = db.prepare('INSERT OR IGNORE INTO staging.key_dropped VALUES (?)')
  const words = gatherWords(db)
  return {
    /** Collects the keys of a parcel whose old keys, if any, were already removed. */
    add(id: number, state: string, fips: number, { i, s, a, h, w }: EncodedKeys) {
      for (const key of i) ids.add(fips, key, id)
      for (const [key, loose, unit] of s) situs.add(state, key, id, unit, 0, '', loose)
      for (const [key, kind, own, unit] of a) situs.add(state, key, id, unit, kind, own, '')
      for (const [slot, kind, head, rest] of h) heads.add(state, head, id, slot, kind, fips, rest)
      words.add(id, state, fips, w)
    },
    /** Drops a parcel whose keys were collected. */
    drop(id: number) {
      insertDropped.run(id)
    },
    /** Returns the steps, in order, that write the collected rows. */
    steps: () => [
      () => {
        for (const gathered of [ids, situs, heads, words]) gathered.flush()
      },
      ...INSERTS.map((sql) => () => db.exec(sql)),
      () => insertDeletions(db),
    ],
  }
}

/** Collects owner words in memory, and moves them to the staging file when they are many. */
function gatherWords(db: DatabaseSync) {
  const rows = openInserter(db, 'staging.key_words', 5)
  /** By state and county, then by word. */
  const lists = new Map<string, Map<string, number[]>>()
  let listed = 0
  let run = 0
  /** Of the last parcel; making a name of them for each takes longer than its first word. */
  let last: { state: string; fips: number; byWord: Map<string, number[]> } | undefined
  const flush = () => {
    for (const [place, byWord] of lists) {
      const [state = '', fips] = place.split(' ')
      for (const word of [...byWord.keys()].sort()) {
        rows.add(state, word, run, Number(fips), `[${byWord.get(word)?.join() ?? ''}]`)
      }
    }
    rows.flush()
    lists.clear()
    last = undefined
    listed = 0
    run += 1
  }
  return {
    flush,
    add(id: number, state: string, fips: number, words: EncodedKeys['w']) {
      if (last?.fips !== fips || last.state !== state) {
        const byWord = lists.getOrInsertComputed(`${state} ${fips}`, () => new Map())
        last = { state, fips, byWord }
      }
      const { byWord } = last
      for (const [slot, word] of words) {
        const list = byWord.get(word)
        if (list === undefined) byWord.set(word, [id * SLOTS + slot])
        else list.push(id * SLOTS + slot)
      }
      listed += words.length
      if (listed > LISTED_MAX) flush()
    },
  }
}

/** Adds the words new in a state with their `deletions`, by SQL in a third of the time. */
function insertDeletions(db: DatabaseSync): void {
  db.exec(`INSERT INTO staging.key_new_words
      SELECT state, word FROM (SELECT state, word FROM staging.key_words
        UNION SELECT state, head FROM staging.key_heads) w
      WHERE length(word) >= ${FUZZY_MIN} AND NOT EXISTS (SELECT 1 FROM main.owner_deletions d
        WHERE d.state = w.state AND d.deletion = w.word AND d.word = w.word);
    WITH RECURSIVE numbers(at) AS (SELECT ${FIXED_START + 1} UNION ALL SELECT at + 1 FROM numbers
        WHERE at < (SELECT max(length(word)) FROM staging.key_new_words))
      INSERT INTO staging.key_places SELECT at FROM numbers;
    INSERT OR IGNORE INTO main.owner_deletions (state, deletion, word)
      SELECT state, word, word FROM staging.key_new_words
      UNION ALL SELECT state, substr(word, 1, at - 1) || substr(word, at + 1), word
        FROM staging.key_new_words CROSS JOIN staging.key_places ON at <= length(word)
      ORDER BY 1, 2, 3`)
}

/** Key tables of SQLite: a county is of one state, and whole elements have another operator. */
export const KEY_TABLES = ALL.map((own): KeyTable => {
  if (own.list !== 'i') return own
  const values = ['p.fips', 'e.value', 'p.id']
  return { ...own, columns: ['fips', 'key', 'id'], values, primary: 3 }
})
