/** The rules between tables of the rolls, as statements about one state, `$1`, of one node. */
import { countRows, listKeyRules, listTableRules, type Rule } from '../../rolls/check-rules.ts'
import { KEY_TABLES } from '../../rolls/key-tables.ts'

/** Tables that keep counts of 0. */
const WITH_ZEROS = new Set(['point_counts', 'owner_counts'])

function ofState(table: string): string {
  const zeros = WITH_ZEROS.has(table) ? ' AND parcels <> 0' : ''
  return `(SELECT * FROM ${table} WHERE state = $1${zeros})`
}

/** The rules of one state in the order of testing. */
export const TABLE_RULES: Rule[] = [
  ...listTableRules(ofState),
  {
    says: (n, id) => `${n} records have another owner than their parcels (${id})`,
    sql: `SELECT count(*) AS n, min(r.id) AS id FROM records r
      JOIN parcels p ON p.state = $1 AND p.id = r.id
      WHERE r.state = $1 AND r.owner <> p.owner`,
  },
]

/** Counts the state's parcels with an id above `$2`, the last one assigned. */
export const NEVER_GIVEN: Rule = {
  says: (n, id) => `${n} parcels have an id above the highest assigned one (${id})`,
  sql: 'SELECT count(*) AS n, min(id) AS id FROM parcels WHERE state = $1 AND id > $2',
}

/** Rules over the keys of some records: `$2` has their ids, `$3` the texts of their keys. */
export const KEY_RULES = listKeyRules(
  ofState,
  KEY_TABLES,
  (list) => `unnest($2::bigint[], $3::text[]) k(id, keys)
    JOIN parcels p ON p.state = $1 AND p.id = k.id
    CROSS JOIN LATERAL jsonb_array_elements(k.keys::jsonb -> '${list}') e`,
)

/** Counts the rows of each table of keys, and the keys of some records: `$1` has their texts. */
export const KEY_COUNTS = KEY_TABLES.map((own) => {
  const values = own.values.slice(0, own.primary).filter((value) => value.includes('e.value'))
  return {
    ...countRows(ofState, own),
    keys: `SELECT coalesce(sum((SELECT count(DISTINCT (${values.join(', ')}))
      FROM jsonb_array_elements(k.keys::jsonb -> '${own.list}') e)), 0) AS n
      FROM unnest($1::text[]) k(keys)`,
  }
})
