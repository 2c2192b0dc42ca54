/** The rules between the tables of the rolls that both databases keep. */
import type { KeyTable } from './key-tables.ts'

/** A rule that must find no violation. */
export type Rule = {
  /** `n`: number of violations. `id`: the first violating parcel, as in records. */
  says(n: number, id: string): string
  /** Returns `n`, and `id` or null. */
  sql: string
}

/** Returns the SQL of the rows of a table that are checked: a name, or a statement in brackets. */
type Rows = (table: string) => string

/** Tables whose rows have the id of a parcel. */
const OF_PARCEL = [
  ...['records', 'geometries', 'alternate_ids', 'situs'],
  ...['owner_heads', 'owner_words'],
]

/** Returns the rules over tables that do not read the keys of records, in the order of testing. */
export function listTableRules(of: Rows): Rule[] {
  /** Rule: every row of one table has a row with its id in the other. */
  const lacks = (table: string, other: string, says: Rule['says']): Rule => ({
    says,
    sql: `SELECT count(*) AS n, min(t.id) AS id FROM ${of(table)} t
      WHERE NOT EXISTS (SELECT 1 FROM ${of(other)} o WHERE o.id = t.id)`,
  })
  return [
    lacks('parcels', 'records', (n, id) => `${n} parcels have no record (${id})`),
    ...OF_PARCEL.map((table) =>
      lacks(table, 'parcels', (n, id) => `${n} rows of ${table} belong to no parcel (${id})`),
    ),
    lacks('geometries', 'shapes', (n, id) => `${n} polygons are not found by their bounds (${id})`),
    lacks('shapes', 'geometries', (n, id) => `${n} bounds belong to no polygon (${id})`),
    counts(of, 'cell IS NOT NULL', ['cell', 'point_counts', 'map tiles']),
    counts(of, 'owner <> 0', ['owner', 'owner_counts', 'owners']),
    isFuzzy(of, 'owner_words', 'word'),
    isFuzzy(of, 'owner_heads', 'head'),
    {
      says: (n) => `${n} roll scopes have another number of parcels than coverage says`,
      sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT fips, municipality, count(*) AS parcels
          FROM ${of('parcels')} p GROUP BY 1, 2) c
        FULL JOIN ${of('scopes')} s USING (fips, municipality)
        WHERE s.parcels IS DISTINCT FROM c.parcels`,
    },
  ]
}

/** Rule: a table has the number of parcels of each value of a column. */
function counts(of: Rows, where: string, [column, table, what]: [string, string, string]): Rule {
  return {
    says: (n) => `the counts of ${n} ${what} are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id FROM (SELECT ${column}, count(*) AS parcels
        FROM ${of('parcels')} o WHERE ${where} GROUP BY ${column}) p
      FULL JOIN ${of(table)} k USING (${column}) WHERE k.parcels IS DISTINCT FROM p.parcels`,
  }
}

function isFuzzy(of: Rows, table: string, word: string): Rule {
  return {
    says: (n, id) => `${n} rows of ${table} cannot be found by a fuzzy search (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM ${of(table)} t WHERE length(${word}) >= 3
      AND NOT EXISTS (SELECT 1 FROM ${of('owner_deletions')} d
        WHERE d.state = t.state AND d.deletion = t.${word} AND d.word = t.${word})`,
  }
}

/**
 * Returns the rules for the keys stored with records. `kept` returns the SQL of parcels `p` and the
 * elements `e` of one list of their keys.
 */
export function listKeyRules(
  of: Rows,
  tables: KeyTable[],
  kept: (list: KeyTable['list']) => string,
): Rule[] {
  return [
    ...tables.map(({ table, list, columns, values, primary }): Rule => {
      const same = columns.slice(0, primary).map((name, at) => `t.${name} = ${values[at]}`)
      return {
        says: (n, id) => `${n} keys of parcels are missing in ${table} (${id})`,
        sql: `SELECT count(*) AS n, min(p.id) AS id FROM ${kept(list)}
          WHERE NOT EXISTS (SELECT 1 FROM ${of(table)} t WHERE ${same.join(' AND ')})`,
      }
    }),
    {
      says: (n, id) => `${n} addresses are not found by their loose key (${id})`,
      sql: `SELECT count(*) AS n, min(p.id) AS id FROM ${kept('s')}
        WHERE e.value ->> 1 <> '' AND NOT EXISTS (SELECT 1 FROM ${of('loose_situs')} l
          WHERE l.state = p.state AND l.loose_key = e.value ->> 1 AND l.key = e.value ->> 0)`,
    },
  ]
}

/** Returns how many rows a table has of one list of keys, to be compared with the keys. */
export function countRows(of: Rows, { table, list }: KeyTable) {
  const where = { s: 'WHERE kind = 0', a: 'WHERE kind <> 0', i: '', h: '', w: '' }[list]
  return {
    says: (n: number) => `${table} and the keys of the records differ by ${n} rows`,
    rows: `SELECT count(*) AS n FROM ${of(table)} t ${where}`,
  }
}
