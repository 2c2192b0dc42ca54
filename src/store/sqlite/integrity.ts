/**
 * Checks a database: SQLite's own checks, and the rules that hold between the tables of the rolls.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { FactRecord } from '../../record/facts.ts'
import { FactCheck } from '../facts/check.ts'
import type { StoredParcel } from '../store.ts'
import { packOwnedSql } from './owned.ts'
import { findChangedPages } from './page-sums.ts'
import { checksumRecord } from './record-checksum.ts'
import { KEY_TABLES } from './write/key-tables.ts'

/** A rule with its description and a statement that counts violations. */
type Rule = {
  /** `n`: number of violations; `id`: one of them. */
  says(n: number, id: string): string
  /** Returns `n`, and as `id` the first violating parcel. */
  sql: string
}

/** Most of SQLite's messages shown; a damaged file can have thousands. */
const COMPLAINTS_MAX = 10

const CACHE_KIB = 131_072

/** Returns the findings of `PRAGMA integrity_check` and `foreign_key_check`, one sentence each. */
export function checkPages(db: DatabaseSync): string[] {
  const pages = db.prepare(`PRAGMA integrity_check(${COMPLAINTS_MAX})`).all()
  const complaints = pages.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok')
  const foreign = db.prepare('PRAGMA foreign_key_check').all()
  if (foreign.length > 0) {
    complaints.push(`${foreign.length} rows of ${foreign[0]?.table} belong to nothing`)
  }
  return complaints
}

/**
 * Lists pages that changed since the last import, by their checksums; nothing when that import
 * stored no checksums.
 */
export function checkPageSums(db: DatabaseSync): string[] {
  const changed = findChangedPages(db) ?? []
  const [first] = changed
  if (first === undefined) return []
  return [`${changed.length} pages are not as the last import left them (first: page ${first})`]
}

/**
 * Checks all rules over the rolls, without sampling. `onRule` is called with the number of rules
 * done.
 */
export async function checkRolls(
  db: DatabaseSync,
  canBeShown: (parcel: StoredParcel) => boolean,
  onRule: (done: number, of: number) => void = () => undefined,
): Promise<string[]> {
  const rules = listRules()
  // Uses one snapshot for all rules during imports, and a larger cache, since the rules read all
  // parts of the file.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  try {
    const found = [...runRules(db, rules, onRule), ...checkRecords(db, canBeShown)]
    return [...found, ...(await checkFacts(db))]
  } finally {
    db.exec('ROLLBACK')
  }
}

function runRules(db: DatabaseSync, rules: Rule[], onRule: (done: number, of: number) => void) {
  return rules.flatMap(({ says, sql }, done) => {
    onRule(done, rules.length)
    try {
      const { n, id } = db.prepare(sql).get() as { n: number; id: number | null }
      return n === 0 ? [] : [says(n, id === null ? '' : showId(id))]
    } catch (error) {
      return [`rule ${done + 1} of ${rules.length} cannot be tested: ${(error as Error).message}`]
    }
  })
}

function listRules(): Rule[] {
  return [
    {
      says: (n, id) => `${n} parcels have no record (${id})`,
      sql: `SELECT count(*) AS n, min(id) AS id FROM parcels p
        WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.id = p.id)`,
    },
    ...['records', 'geometries', 'alternate_ids', 'situs', 'owner_heads', 'owner_words'].map(
      (table): Rule => ({
        says: (n, id) => `${n} rows of ${table} belong to no parcel (${id})`,
        sql: `SELECT count(*) AS n, min(id) AS id FROM ${table} t
          WHERE NOT EXISTS (SELECT 1 FROM parcels p WHERE p.id = t.id)`,
      }),
    ),
    {
      says: (n, id) => `${n} records have another owner, use or address than their parcels (${id})`,
      sql: `SELECT count(*) AS n, min(p.id) AS id FROM parcels p CROSS JOIN records r ON r.id = p.id
        WHERE r.owned <> ${packOwnedSql('p')}`,
    },
    ...PLACE_RULES,
    ...KEY_TABLES.map(isPosted),
    ...COUNTED.map(({ table, lists, where }): Rule => {
      const kept = lists.map(
        (list) => `(SELECT count(DISTINCT e.value) FROM json_each(r.keys, '$.${list}') e)`,
      )
      return {
        says: (n) => `${table} and the keys of the records differ by ${n} rows`,
        sql: `SELECT abs((SELECT count(*) FROM ${table} ${where})
          - (SELECT coalesce(sum(${kept.join(' + ')}), 0) FROM records r)) AS n, NULL AS id`,
      }
    }),
    {
      says: (n, id) => `${n} addresses are not found by their loose key (${id})`,
      sql: `SELECT count(*) AS n, min(p.id) AS id
        FROM parcels p CROSS JOIN records r ON r.id = p.id, json_each(r.keys, '$.s') e
        WHERE e.value ->> 1 <> '' AND NOT EXISTS (SELECT 1 FROM loose_situs l
          WHERE l.state = p.state AND l.loose_key = e.value ->> 1 AND l.key = e.value ->> 0)`,
    },
    ...(['owner_words', 'owner_heads'] as const).map((table): Rule => {
      const word = table === 'owner_words' ? 'word' : 'head'
      return {
        says: (n, id) => `${n} rows of ${table} cannot be found by a fuzzy search (${id})`,
        sql: `SELECT count(*) AS n, min(id) AS id FROM ${table} t WHERE length(${word}) >= 3
          AND NOT EXISTS (SELECT 1 FROM owner_deletions d
            WHERE d.state = t.state AND d.deletion = t.${word} AND d.word = t.${word})`,
      }
    }),
    {
      says: (n) => `${n} roll scopes have another number of parcels than coverage says`,
      sql: `SELECT count(*) AS n, NULL AS id FROM (
          SELECT fips, municipality, count(*) AS parcels FROM parcels GROUP BY 1, 2) c
        FULL JOIN scopes s USING (fips, municipality) WHERE s.parcels IS NOT c.parcels`,
    },
    {
      says: (n, id) => `${n} parcels have an id above the highest assigned one (${id})`,
      sql: `SELECT count(*) AS n, min(id) AS id FROM parcels
        WHERE id > (SELECT value FROM counters WHERE name = 'parcel')`,
    },
  ]
}

const PLACE_RULES: Rule[] = [
  {
    says: (n, id) => `${n} parcels are not found by their point (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM parcels p WHERE x IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM points t WHERE t.id = p.id AND t.west = p.x AND t.south = p.y)`,
  },
  {
    says: (n, id) => `${n} points belong to no parcel (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM points t
      WHERE NOT EXISTS (SELECT 1 FROM parcels p WHERE p.id = t.id AND p.x IS NOT NULL)`,
  },
  {
    says: (n, id) => `${n} polygons are not found by their bounds (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM geometries g
      WHERE NOT EXISTS (SELECT 1 FROM shapes t WHERE t.id = g.id)`,
  },
  {
    says: (n, id) => `${n} bounds belong to no polygon (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM shapes t
      WHERE NOT EXISTS (SELECT 1 FROM geometries g WHERE g.id = t.id)`,
  },
  {
    says: (n) => `the counts of ${n} map tiles are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT cell, count(*) AS parcels FROM parcels
        WHERE cell IS NOT NULL GROUP BY cell) p
      FULL JOIN point_counts k USING (cell) WHERE k.parcels IS NOT p.parcels`,
  },
  {
    says: (n) => `the counts of ${n} owners are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT owner, count(*) AS parcels
        FROM parcels WHERE owner <> 0 GROUP BY owner) p
      FULL JOIN owner_counts k USING (owner) WHERE k.parcels IS NOT p.parcels`,
  },
  {
    says: (n) => `${n} owners of several parcels are not as their counts say`,
    sql: `SELECT count(*) AS n, NULL AS id
      FROM (SELECT * FROM owner_counts WHERE parcels > 1) p FULL JOIN shared_owners k USING (owner)
      WHERE k.parcels IS NOT p.parcels OR k.residential <> p.residential OR k.other <> p.other`,
  },
]

/** Rule: every key stored with a record is in its table. */
function isPosted({ table, list, columns, values, primary }: (typeof KEY_TABLES)[number]): Rule {
  const names = columns.slice(0, primary)
  const same = names.map((name, at) => `t.${name} = ${values[at]}`).join(' AND ')
  return {
    says: (n, id) => `${n} keys of parcels are missing in ${table} (${id})`,
    sql: `SELECT count(*) AS n, min(p.id) AS id
      FROM parcels p CROSS JOIN records r ON r.id = p.id, json_each(r.keys, '$.${list}') e
      WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE ${same})`,
  }
}

/** As every key is in its table, equal counts mean that the table has no other rows. */
const COUNTED = [
  { table: 'alternate_ids', lists: ['i'], where: '' },
  { table: 'situs', lists: ['s'], where: 'WHERE kind = 0' },
  { table: 'situs', lists: ['a'], where: 'WHERE kind <> 0' },
  { table: 'owner_heads', lists: ['h'], where: '' },
  { table: 'owner_words', lists: ['w'], where: '' },
]

/** Checks that the facts are those of the parcels. */
async function checkFacts(db: DatabaseSync): Promise<string[]> {
  try {
    const read = db.prepare('SELECT data FROM facts WHERE state = ? AND block = ? ORDER BY fact')
    const facts = new FactCheck((state, block) =>
      read.all(state, block).map(({ data }) => data as Uint8Array),
    )
    const rows = db.prepare(`SELECT p.id, p.state, p.owner, p.unit, r.field_values AS fieldValues
      FROM parcels p CROSS JOIN records r ON r.id = p.id ORDER BY p.id`)
    for (const row of rows.iterate()) {
      const { id, ...record } = row as FactRecord & { id: number }
      const complete = facts.add(id, record)
      if (complete.length > 0) await facts.compare(complete)
    }
    const stored = db.prepare('SELECT count(*) AS n FROM (SELECT DISTINCT state, block FROM facts)')
    return facts.finish(Number(stored.get()?.n))
  } catch (error) {
    return [`the facts cannot be tested: ${(error as Error).message}`]
  }
}

/** Checks every record's checksum and that it can be rendered. */
function checkRecords(db: DatabaseSync, canBeShown: (parcel: StoredParcel) => boolean): string[] {
  const records = db.prepare(`SELECT r.id, r.loaded_at AS loadedAt,
      r.field_values AS fieldValues, g.geojson AS geometry, r.sum
    FROM records r LEFT JOIN geometries g ON g.id = r.id ORDER BY r.id`)
  const damaged: number[] = []
  const hidden: number[] = []
  for (const row of records.iterate()) {
    const { sum, ...parcel } = row as StoredParcel & { sum: number }
    if (checksumRecord(parcel) !== sum) damaged.push(parcel.id)
    if (!canBeShown(parcel)) hidden.push(parcel.id)
  }
  const say = ([first, ...more]: number[], what: string) =>
    first === undefined ? [] : [`${more.length + 1} records ${what} (${showId(first)})`]
  return [...say(damaged, 'do not fit their checksum'), ...say(hidden, 'cannot be shown')]
}

/** Formats an id as in records. */
function showId(id: number): string {
  return id.toString(16).padStart(24, '0')
}
