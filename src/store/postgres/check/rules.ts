/**
 * The rules between the tables of the rolls, as statements that find violations. Each is about one
 * state, `$1`, so that one node of a cluster can answer it.
 */
import { KEY_TABLES, type KeyTable } from '../../rolls/key-tables.ts'

/** A rule that must find no violation. */
export type Rule = {
  /** `n`: number of violations. `id`: the first violating parcel, as in records. */
  says(n: number, id: string): string
  /** Returns `n`, and `id` or null. */
  sql: string
}

/** Tables whose rows have the id of a parcel. */
const OF_PARCEL = [
  ...['records', 'geometries', 'alternate_ids', 'situs'],
  ...['owner_heads', 'owner_words'],
]

/** Returns the rules of one state in the order of testing. */
export function listRules(): Rule[] {
  return [
    lacks('parcels', 'records', (n, id) => `${n} parcels have no row in records (${id})`),
    ...OF_PARCEL.map((table) =>
      lacks(table, 'parcels', (n, id) => `${n} rows of ${table} belong to no parcel (${id})`),
    ),
    {
      says: (n, id) => `${n} records have another owner than their parcels (${id})`,
      sql: `SELECT count(*) AS n, min(r.id) AS id FROM records r
        JOIN parcels p ON p.state = $1 AND p.id = r.id
        WHERE r.state = $1 AND r.owner <> p.owner`,
    },
    lacks('geometries', 'shapes', (n, id) => `${n} polygons are not found by their bounds (${id})`),
    ...PLACE_RULES,
    ...[
      ['owner_words', 'word'],
      ['owner_heads', 'head'],
    ].map(
      ([table, word]): Rule => ({
        says: (n, id) => `${n} rows of ${table} cannot be found by a fuzzy search (${id})`,
        sql: `SELECT count(*) AS n, min(id) AS id FROM ${table} t
          WHERE t.state = $1 AND length(${word}) >= 3 AND NOT EXISTS (SELECT 1
            FROM owner_deletions d WHERE d.state = $1 AND d.deletion = t.${word}
              AND d.word = t.${word})`,
      }),
    ),
    {
      says: (n) => `${n} roll scopes have another number of parcels than coverage says`,
      sql: `SELECT count(*) AS n, NULL AS id FROM (
          SELECT fips, municipality, count(*) AS parcels FROM parcels WHERE state = $1
          GROUP BY 1, 2) c
        FULL JOIN (SELECT * FROM scopes WHERE state = $1) s USING (fips, municipality)
        WHERE s.parcels IS DISTINCT FROM c.parcels`,
    },
  ]
}

/** Counts the state's parcels with an id above `$2`, the last one assigned. */
export const NEVER_GIVEN: Rule = {
  says: (n, id) => `${n} parcels have an id above the highest assigned one (${id})`,
  sql: 'SELECT count(*) AS n, min(id) AS id FROM parcels WHERE state = $1 AND id > $2',
}

/** Rule: every row of one table has a row with its id in the other. */
function lacks(table: string, other: string, says: Rule['says']): Rule {
  return {
    says,
    sql: `SELECT count(*) AS n, min(t.id) AS id FROM ${table} t WHERE t.state = $1
      AND NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.state = $1 AND o.id = t.id)`,
  }
}

const PLACE_RULES: Rule[] = [
  lacks('shapes', 'geometries', (n, id) => `${n} bounds belong to no polygon (${id})`),
  {
    says: (n) => `the counts of ${n} map tiles are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT cell, count(*) AS parcels FROM parcels
        WHERE state = $1 AND cell IS NOT NULL GROUP BY cell) p
      FULL JOIN (SELECT cell, parcels FROM point_counts WHERE state = $1 AND parcels <> 0) k
        USING (cell) WHERE k.parcels IS DISTINCT FROM p.parcels`,
  },
  {
    says: (n) => `the counts of ${n} owners are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT owner, count(*) AS parcels FROM parcels
        WHERE state = $1 AND owner <> 0 GROUP BY owner) p
      FULL JOIN (SELECT owner, parcels FROM owner_counts WHERE state = $1 AND parcels <> 0) k
        USING (owner) WHERE k.parcels IS DISTINCT FROM p.parcels`,
  },
]

/**
 * SQL for parcels `p` and the elements `e` of one list of their keys: `$2` has ids, `$3` the texts
 * of keys. A condition may follow.
 */
function keptKeys(list: string): string {
  return `unnest($2::bigint[], $3::text[]) k(id, keys)
    JOIN parcels p ON p.state = $1 AND p.id = k.id
    CROSS JOIN LATERAL jsonb_array_elements(k.keys::jsonb -> '${list}') e WHERE p.state = $1`
}

/** Rule: every key stored with a record is in its table. */
function isPosted({ table, list, columns, values, primary }: KeyTable): Rule {
  const same = columns.slice(0, primary).map((name, at) => `t.${name} = ${values[at]}`)
  return {
    says: (n, id) => `${n} keys of parcels are missing in ${table} (${id})`,
    sql: `SELECT count(*) AS n, min(p.id) AS id FROM ${keptKeys(list)}
      AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.state = $1 AND ${same.join(' AND ')})`,
  }
}

/**
 * Rules over the keys of some records, whose violations are added up: `$2` has the ids of the
 * records, `$3` the texts of their keys.
 */
export const KEY_RULES: Rule[] = [
  ...KEY_TABLES.map(isPosted),
  {
    says: (n, id) => `${n} addresses are not found by their loose key (${id})`,
    sql: `SELECT count(*) AS n, min(p.id) AS id FROM ${keptKeys('s')}
      AND e.value ->> 1 <> '' AND NOT EXISTS (SELECT 1 FROM loose_situs l
        WHERE l.state = $1 AND l.loose_key = e.value ->> 1 AND l.key = e.value ->> 0)`,
  },
]

/** As every key is in its table, equal counts mean that the table has no other rows. */
const COUNTED = [
  { list: 'i', where: '' },
  { list: 's', where: 'AND kind = 0' },
  { list: 'a', where: 'AND kind <> 0' },
  { list: 'h', where: '' },
  { list: 'w', where: '' },
] as const

/**
 * The numbers of rows in each table of keys, and of the keys of some records, which are added up:
 * `$1` has the texts of their keys.
 */
export const KEY_COUNTS = COUNTED.map(({ list, where }) => {
  const { table, values, primary } = KEY_TABLES.find((one) => one.list === list) as KeyTable
  const own = values.slice(0, primary).filter((value) => value.includes('e.value'))
  return {
    says: (n: number) => `${table} and the keys of the records differ by ${n} rows`,
    rows: `SELECT count(*) AS n FROM ${table} WHERE state = $1 ${where}`,
    keys: `SELECT coalesce(sum((SELECT count(DISTINCT (${own.join(', ')}))
      FROM jsonb_array_elements(k.keys::jsonb -> '${list}') e)), 0) AS n
      FROM unnest($1::text[]) k(keys)`,
  }
})
