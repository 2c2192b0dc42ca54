/** Reads what a first load copied: counts of its scopes, and identities that several rows share. */
import type { Client } from 'pg'
import { countsText, type NewScope } from '../../../rolls/staged-rolls.ts'
import type { StagedRow } from '../../../store.ts'

export async function countNewScopes(client: Client): Promise<NewScope[]> {
  const { rows } = await client.query<NewScope>(
    `SELECT state, fips, municipality, ${countsText('filled')} FROM parcels
    GROUP BY state, fips, municipality ORDER BY state, fips, municipality`,
  )
  return rows
}

const BLOCKS = 250

type SharedRow = Omit<StagedRow, 'row'> & {
  id: number
  fips: number
  stripped: string
  municipality: string
}

/** Yields the rows of each identity that several have. No statement is open meanwhile. */
export async function* readShared(
  client: Client,
): AsyncGenerator<(Omit<StagedRow, 'row'> & { id: number })[]> {
  await client.query('DROP TABLE IF EXISTS pg_temp.first_shared')
  await client.query(`CREATE TEMP TABLE first_shared AS
    SELECT p.fips, p.stripped_key AS stripped, p.municipality, p.id, p.parcel_key AS "parcelKey",
      r.field_values AS "fieldValues"
    FROM (SELECT fips, stripped_key, municipality FROM parcels
      GROUP BY fips, stripped_key, municipality HAVING count(*) > 1) s
    JOIN parcels p USING (fips, stripped_key, municipality)
    JOIN records r ON r.id = p.id
    ORDER BY 1, 2, 3, 4`)
  let group: SharedRow[] = []
  for await (const row of readInOrder(client)) {
    const [first] = group
    if (first !== undefined && !isSame(first, row)) {
      yield group.map(stagedRow)
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group.map(stagedRow)
}

/** A table that was just written has its rows in the order in which they were inserted. */
async function* readInOrder(client: Client): AsyncGenerator<SharedRow> {
  const size = "SELECT pg_relation_size('first_shared') / current_setting('block_size')::int AS n"
  const blocks = Number((await client.query(size)).rows[0]?.n)
  for (let from = 0; from < blocks; from += BLOCKS) {
    const { rows } = await client.query<SharedRow>(
      `SELECT * FROM first_shared WHERE ctid >= '(${from},0)' AND ctid < '(${from + BLOCKS},0)'`,
    )
    yield* rows
  }
}

function isSame(one: SharedRow, other: SharedRow): boolean {
  return (
    one.fips === other.fips &&
    one.stripped === other.stripped &&
    one.municipality === other.municipality
  )
}

const stagedRow = ({ id, parcelKey, fieldValues }: SharedRow) => ({ id, parcelKey, fieldValues })
