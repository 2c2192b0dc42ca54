/** The rules between tables of the rolls and packed keys: statements about a state, `$1`. */

import type { Client } from 'pg'
import { countRows, listKeyRules, listTableRules, type Rule } from '../../rolls/check-rules.ts'
import { KEY_TABLES } from '../../rolls/key-tables.ts'
import { unpackHex } from '../pack/unpack.ts'

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
const KEY_RULES = listKeyRules(
  ofState,
  KEY_TABLES,
  (list) => `unnest($2::bigint[], $3::text[]) k(id, keys)
    JOIN parcels p ON p.state = $1 AND p.id = k.id
    CROSS JOIN LATERAL jsonb_array_elements(k.keys::jsonb -> '${list}') e`,
)

/** Counts the rows of each table of keys, and the keys of some records: `$1` has their texts. */
const KEY_COUNTS = KEY_TABLES.map((own) => {
  const values = own.values.slice(0, own.primary).filter((value) => value.includes('e.value'))
  return {
    ...countRows(ofState, own),
    keys: `SELECT coalesce(sum((SELECT count(DISTINCT (${values.join(', ')}))
      FROM jsonb_array_elements(k.keys::jsonb -> '${own.list}') e)), 0) AS n
      FROM unnest($1::text[]) k(keys)`,
  }
})

/** A record's text, and its keys as `KEYS` reads them. */
export type KeptKeys = { id: number; fieldValues: string; keys: string }

type Say = (problem: string) => void
/** Runs statements in a savepoint, so that a failing one is reported and ends nothing else. */
type Guard = (what: string, say: Say, ask: () => Promise<void>) => Promise<void>

type Found = { n: number; id: number | null }

/** Adds up what the rules find over the slices of a state's records. */
export function openKeyCheck(client: Client, state: string, guard: Guard) {
  const found = KEY_RULES.map((): Found => ({ n: 0, id: null }))
  const counts = KEY_COUNTS.map(() => 0)
  const failed = new Set<string>()
  let unread = 0
  const what = 'a rule cannot be tested'
  const say = (problem: string) => void failed.add(problem)

  return {
    add: (records: KeptKeys[]) =>
      guard(what, say, async () => {
        const read = records.flatMap(readKeys)
        unread += records.length - read.length
        const texts = read.map(({ text }) => text)
        const values = [state, read.map(({ id }) => id), texts]
        for (const [at, { sql }] of KEY_RULES.entries()) {
          const { rows } = await client.query(sql, values)
          const sum = found[at] as Found
          sum.n += Number(rows[0]?.n)
          sum.id ??= rows[0]?.id ?? null
        }
        for (const [at, { keys }] of KEY_COUNTS.entries()) {
          const { rows } = await client.query(keys, [texts])
          counts[at] = (counts[at] as number) + Number(rows[0]?.n)
        }
      }),
    async finish(report: Say, showId: (id: number) => string) {
      for (const problem of failed) report(problem)
      if (failed.size > 0) return
      for (const [at, { says }] of KEY_RULES.entries()) {
        const { n, id } = found[at] as Found
        if (n > 0) report(says(n, id === null ? '' : showId(id)))
      }
      if (unread > 0) report(`the keys of ${unread} records cannot be read`)
      // Which rows of the tables are theirs is not known.
      if (unread > 0) return
      for (const [at, { rows: text, says }] of KEY_COUNTS.entries()) {
        await guard(what, report, async () => {
          const { rows } = await client.query(text, [state])
          const differ = Math.abs(Number(rows[0]?.n) - (counts[at] as number))
          if (differ > 0) report(says(differ))
        })
      }
    },
  }
}

/** Returns the text of a record's keys; nothing where they, or their record, are damaged. */
function readKeys({ id, keys, fieldValues }: KeptKeys): { id: number; text: string }[] {
  try {
    const text = unpackHex(keys, fieldValues)
    JSON.parse(text)
    return [{ id, text }]
  } catch {
    return []
  }
}
