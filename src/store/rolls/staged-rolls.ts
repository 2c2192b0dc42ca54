/** Reads staged rolls, and counts scopes before and after they are written. */
import { COVERAGE_COUNTS, coverageBit } from '../../base/model/coverage.ts'
import type { RollScope } from '../history.ts'
import type { ScopeChange, StagedRow } from '../store.ts'
import type { ReadDialect, RollSql, StagedState } from './roll-sql.ts'
import type { RowNumbers } from './row-numbers.ts'

/** Identities read at a time. */
const IDENTITIES = 1000
const IDENTITY = ['fips', 'stripped_key', 'municipality', 'variant'] as const

type RepeatRow = StagedRow & Record<(typeof IDENTITY)[number], string | number>

/** Iterates over staged rows that share an identity; no statement stays open meanwhile. */
export async function* readRepeats(
  sql: RollSql,
  { state, staged }: Pick<StagedState, 'state' | 'staged'>,
): AsyncGenerator<StagedRow[]> {
  const { of } = sql.dialect
  const own = IDENTITY.join(', ')
  const same = IDENTITY.map((name) => `s.${name} = shared.${name}`)
  let after: (string | number)[] = [0, '', '', '']
  for (;;) {
    const rows = await sql.ask<RepeatRow>(
      `SELECT s.row, s.parcel_key AS "parcelKey", s.field_values AS "fieldValues",
        ${IDENTITY.map((name) => `s.${name}`).join(', ')}
      FROM (SELECT ${own} FROM ${staged} t WHERE ${of('t')} (${own}) > ($2, $3, $4, $5)
        GROUP BY ${own} HAVING count(*) > 1 ORDER BY ${own} LIMIT ${IDENTITIES}) shared
      JOIN ${staged} s ON ${of('s')} ${same.join(' AND ')}
      ORDER BY ${IDENTITY.map((name) => `s.${name}`).join(', ')}, s.row`,
      [state, ...after],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    const identityOf = (row: RepeatRow) => IDENTITY.map((name) => row[name])
    for (const group of Map.groupBy(rows, (row) => JSON.stringify(identityOf(row))).values()) {
      yield group.map(({ row, parcelKey, fieldValues }) => ({ row, parcelKey, fieldValues }))
    }
    after = identityOf(last)
  }
}

/** Splits the rows of one stripped ID by what distinguishes them; each group by ascending row. */
export function* groupRepeats(
  rows: (Omit<StagedRow, 'row'> & { id: number; variant: string | null })[],
  ids: RowNumbers,
): Generator<StagedRow[]> {
  for (const same of Map.groupBy(rows, ({ variant }) => variant).values()) {
    if (same.length < 2) continue
    yield same
      .map(({ id, parcelKey, fieldValues }) => ({ row: ids.rowOf(id), parcelKey, fieldValues }))
      .sort((a, b) => a.row - b.row)
  }
}

/**
 * SQL that matches a staged parcel `s` with the stored one `p` of the same recorded ID. Else with
 * the only one of its letters and digits, if the roll too has only one, so that no two match the
 * same.
 */
export function sameParcelSql({ of }: Pick<ReadDialect, 'of'>, staged: string): string {
  return `(p.parcel_key = s.parcel_key OR NOT EXISTS (
      SELECT 1 FROM ${staged} t WHERE ${of('t')} t.fips = s.fips
        AND t.stripped_key = s.stripped_key AND t.municipality = s.municipality AND t.seq <> s.seq)
    AND NOT EXISTS (SELECT 1 FROM parcels q WHERE ${of('q')} q.fips = p.fips
        AND q.stripped_key = p.stripped_key AND q.municipality = p.municipality AND q.id <> p.id))`
}

/** Returns SQL for the guard's counts over a column of filled fields. */
export function countsText(filled: string): string {
  const [owner, address] = [coverageBit('owner'), coverageBit('address')]
  return `count(*) AS parcels, count(*) FILTER (WHERE ${filled} & ${owner} > 0) AS owners,
    count(*) FILTER (WHERE ${filled} & ${address} > 0) AS addresses`
}

/** A scope of which nothing was loaded before, with the counts of `countsText`. */
export type NewScope = RollScope & { parcels: number; owners: number; addresses: number }

/** Returns a new scope as the guard sees it. */
export function newScope({ fips, municipality, ...after }: NewScope): ScopeChange {
  return {
    ...{ fips, municipality, before: 0, removed: 0, ownerBefore: 0, addressBefore: 0 },
    ...{ drawnBefore: 0, undrawn: 0, newest: null, renumbered: 0, after: after.parcels },
    ...{ ownerAfter: after.owners, addressAfter: after.addresses },
  }
}

/** Returns each scope before and after. `counted`: SQL of the columns of `countsText`. */
export async function readScopes(
  sql: RollSql,
  { state, staged, change }: StagedState,
  counted: string,
): Promise<ScopeChange[]> {
  const { of } = sql.dialect
  const scopes = await sql.ask<RollScope>(
    `SELECT fips, municipality, CAST(sum(parcels) AS bigint) AS after,
      CAST(sum(owners) AS bigint) AS "ownerAfter", CAST(sum(addresses) AS bigint) AS "addressAfter"
    FROM (${counted}) counted GROUP BY fips, municipality ORDER BY fips, municipality`,
    [state],
  )
  const found: ScopeChange[] = []
  const polygon = coverageBit('geometry')
  for (const scope of scopes) {
    const [before] = await sql.ask<ScopeChange>(
      `SELECT b.parcels AS before, b.owners AS "ownerBefore", b.addresses AS "addressBefore",
        b.removed, b.drawn AS "drawnBefore", d.renumbered, d.undrawn,
        (SELECT max(day) FROM vintages v
          WHERE ${of('v')} v.fips = $2 AND v.municipality = $3) AS newest
      FROM (SELECT ${countsText('p.filled')},
          count(*) FILTER (WHERE p.filled & ${polygon} > 0) AS drawn,
          count(*) FILTER (WHERE EXISTS (SELECT 1 FROM ${change} c
            WHERE ${of('c')} c.id = p.id AND c.what = 'removed')) AS removed
        FROM parcels p WHERE ${of('p')} p.fips = $2 AND p.municipality = $3) b
      CROSS JOIN (SELECT
          count(*) FILTER (WHERE c.what = 'keys' AND s.stripped_key <> q.stripped_key)
            AS renumbered,
          count(*) FILTER (WHERE q.filled & ${polygon} > 0 AND s.geometry = '') AS undrawn
        FROM ${change} c JOIN parcels q ON ${of('q')} q.id = c.id
        JOIN ${staged} s ON ${of('s')} s.seq = c.seq
        WHERE ${of('c')} c.what <> 'same' AND q.fips = $2 AND q.municipality = $3) d`,
      [state, scope.fips, scope.municipality],
    )
    found.push({ ...scope, ...(before as ScopeChange) })
  }
  return found
}

/** Counts unchanged parcels by scope into `seen_scopes`, as the guard needs them. */
export async function countSeen(sql: RollSql, state: string, schema: string): Promise<void> {
  await sql.run(
    `INSERT INTO ${schema}seen_scopes
    SELECT p.state, p.fips, p.municipality, ${countsText('p.filled')}
    FROM ${schema}seen n JOIN parcels p ON ${sql.dialect.of('p')} p.id = n.id
    GROUP BY p.state, p.fips, p.municipality`,
    [state],
  )
}

/** Forgets unchanged parcels whose identity a staged row has too, and returns their rows. */
export async function takeMet(
  sql: RollSql,
  { state, staged }: StagedState,
  schema: string,
): Promise<number[]> {
  const { of } = sql.dialect
  const met = await sql.ask<{ row: number }>(
    `DELETE FROM ${schema}seen WHERE id IN (SELECT p.id FROM ${staged} s
      JOIN parcels p ON ${of('p')} p.fips = s.fips AND p.stripped_key = s.stripped_key
        AND p.municipality = s.municipality WHERE ${of('s')} true) RETURNING row`,
    [state],
  )
  return met.map(({ row }) => row)
}

/** Recounts touched scopes, a row each for `coverage`. `isChanged`: by a load at `loadedAt`. */
export async function writeScopes(
  sql: RollSql,
  scopes: readonly RollScope[],
  loadedAt: number,
  isChanged: boolean,
): Promise<void> {
  const { of, json, scopeKey } = sql.dialect
  const sums = COVERAGE_COUNTS.map(
    ({ name, bits }) => `'${name}', count(*) FILTER (WHERE p.filled & ${bits} <> 0)`,
  )
  const parcels = `FROM parcels p WHERE ${of('p')} p.fips = $2 AND p.municipality = $3`
  for (const { state, fips, municipality } of scopes) {
    await sql.run(
      `DELETE FROM scopes WHERE ${of('scopes')} fips = $2 AND municipality = $3
        AND NOT EXISTS (SELECT 1 ${parcels})`,
      [state, fips, municipality],
    )
    await sql.run(
      `INSERT INTO scopes AS o (state, fips, municipality, parcels, roll_year, loaded_at, filled)
      SELECT p.state, p.fips, p.municipality, count(*), max(p.roll_year), CAST($4 AS bigint),
        CAST(${json}object(${sums.join(', ')}, 'bounds',
          ${json}array(min(p.x), min(p.y), max(p.x), max(p.y))) AS text)
      ${parcels} GROUP BY p.state, p.fips, p.municipality
      ON CONFLICT (${scopeKey}) DO UPDATE SET parcels = excluded.parcels,
        roll_year = excluded.roll_year, filled = excluded.filled,
        loaded_at = ${isChanged ? 'excluded' : 'o'}.loaded_at`,
      [state, fips, municipality, loadedAt],
    )
  }
}
