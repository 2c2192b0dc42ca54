/** Checks a database: SQLite's own checks, and the rules between the tables of the rolls. */
import type { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../../base/at-end.ts'
import { showId } from '../../base/model/record-id.ts'
import { checkFacts } from '../facts/check.ts'
import { countRows, listKeyRules, listTableRules, type Rule } from '../rolls/check-rules.ts'
import type { StoredParcel } from '../store.ts'
import { CELLS_OF_PARCELS } from './grid.ts'
import { packOwnedSql } from './owned.ts'
import { findChangedPages } from './page-sums.ts'
import { checksumRecord } from './record-checksum.ts'
import { openRollSql } from './roll-sql.ts'
import { KEY_TABLES } from './write/key-writer.ts'

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

/** Lists pages that changed since the last import; `undefined` without its checksums. */
export function checkPageSums(db: DatabaseSync): string[] | undefined {
  const changed = findChangedPages(db)
  const what = `${changed?.length} pages are not as the last import left them`
  return changed?.slice(0, 1).map((first) => `${what} (first: page ${first})`)
}

/** Checks all rules over the rolls. `onRule`: gets the number of rules done. */
export async function checkRolls(
  db: DatabaseSync,
  canBeShown: (parcel: StoredParcel) => boolean,
  onRule: (done: number, of: number) => void = () => undefined,
): Promise<string[]> {
  // One snapshot for all rules, and a larger cache, since they read all parts of the file.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN`)
  using _end = atEnd(() => db.exec('ROLLBACK'))
  const found = [...runRules(db, onRule), ...checkRecords(db, canBeShown)]
  return [...found, ...(await checkFactsOf(db))]
}

function runRules(db: DatabaseSync, onRule: (done: number, of: number) => void) {
  return RULES.flatMap(({ says, sql }, done) => {
    onRule(done, RULES.length)
    try {
      const { n, id } = db.prepare(sql).get() as { n: number; id: number | null }
      return n === 0 ? [] : [says(n, id === null ? '' : showId(id))]
    } catch (error) {
      return [`rule ${done + 1} of ${RULES.length} cannot be tested: ${(error as Error).message}`]
    }
  })
}

const allRows = (table: string) => table
const elementsOf = (list: string) => `json_each(key_list(r.keys, '${list}')) e`

const RULES: Rule[] = [
  ...listTableRules(allRows),
  {
    says: (n, id) => `${n} records have another owner, use or address than their parcels (${id})`,
    sql: `SELECT count(*) AS n, min(p.id) AS id FROM parcels p CROSS JOIN records r ON r.id = p.id
      WHERE r.owned <> ${packOwnedSql('p')}`,
  },
  {
    says: (n) => `${n} cells of points are not those of their parcels`,
    sql: `SELECT count(*) AS n, NULL AS id
      FROM (${CELLS_OF_PARCELS}) p FULL JOIN grid g USING (cell) WHERE g.data IS NOT p.data`,
  },
  {
    says: (n) => `${n} owners of several parcels are not as their counts say`,
    sql: `SELECT count(*) AS n, NULL AS id
      FROM (SELECT * FROM owner_counts WHERE parcels > 1) p FULL JOIN shared_owners k USING (owner)
      WHERE k.parcels IS NOT p.parcels OR k.residential <> p.residential OR k.other <> p.other`,
  },
  // CROSS JOIN keeps this order: the keys are read in the order of their records.
  ...listKeyRules(
    allRows,
    KEY_TABLES,
    (list) => `parcels p CROSS JOIN records r ON r.id = p.id, ${elementsOf(list)}`,
  ),
  ...KEY_TABLES.map((table): Rule => {
    const { says, rows } = countRows(allRows, table)
    return {
      says,
      sql: `SELECT abs((${rows}) - (SELECT coalesce(sum((SELECT count(DISTINCT e.value)
        FROM ${elementsOf(table.list)})), 0) FROM records r)) AS n, NULL AS id`,
    }
  }),
  {
    says: (n, id) => `${n} parcels have an id above the highest assigned one (${id})`,
    sql: `SELECT count(*) AS n, min(id) AS id FROM parcels
      WHERE id > (SELECT value FROM counters WHERE name = 'parcel')`,
  },
]

async function checkFactsOf(db: DatabaseSync): Promise<string[]> {
  try {
    const states = db.prepare('SELECT state FROM scopes UNION SELECT state FROM facts').all()
    const sql = openRollSql(db)
    const found: string[] = []
    for (const { state } of states) found.push(...(await checkFacts(sql, String(state))))
    return found
  } catch (error) {
    return [`the facts cannot be tested: ${(error as Error).message}`]
  }
}

/** Checks every record's checksum and that it can be rendered. */
function checkRecords(db: DatabaseSync, canBeShown: (parcel: StoredParcel) => boolean): string[] {
  const records = db.prepare(`SELECT id, loaded_at AS loadedAt,
      field_values AS fieldValues, geojson AS geometry, sum FROM records ORDER BY id`)
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
