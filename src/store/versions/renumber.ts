/** Pairs parcels that a staged roll has under other IDs with the stored ones. */
import { LINK_KINDS } from '../lineage/link.ts'
import { RollLinker } from '../lineage/link-rolls.ts'
import type { RollSql, StagedState } from '../rolls/roll-sql.ts'
import type { VersionForm } from './versions.ts'

type Form = VersionForm & { at: number }
type Leaving = { fips: number; municipality: string; before: number; removed: number }

/**
 * Turns removed and new parcels of renumbered scopes into changed ones, inside a transaction;
 * reports whether there are any.
 */
export async function renumberStaged(sql: RollSql, staging: StagedState): Promise<boolean> {
  const { of } = sql.dialect
  const { state, staged, change } = staging
  const scopes = await sql.ask<Leaving>(
    `SELECT p.fips, p.municipality, count(*) AS removed, (SELECT z.parcels FROM scopes z
        WHERE ${of('z')} z.fips = p.fips AND z.municipality = p.municipality) AS before
      FROM ${change} c JOIN parcels p ON ${of('p')} p.id = c.id
      WHERE ${of('c')} c.what = 'removed' GROUP BY p.fips, p.municipality`,
    [state],
  )
  let isRenumbered = false
  for (const { fips, municipality, before, removed } of scopes) {
    const scope = [state, fips, municipality]
    const [own] = await sql.ask<{ added: number }>(
      `SELECT count(*) AS added FROM ${change} c JOIN ${staged} s ON ${of('s')} s.seq = c.seq
        WHERE ${of('c')} c.what = 'new' AND s.fips = $2 AND s.municipality = $3`,
      scope,
    )
    if (!mayBeRenumbered({ before, removed, added: own?.added ?? 0 })) continue
    const linker = await gatherForms(sql, staging, scope)
    const pairs = pairRenumbered(linker, removed)
    await writePairs(
      sql,
      staging,
      pairs.map(([id, seq]) => [-seq, id]),
    )
    isRenumbered ||= pairs.length > 0
  }
  return isRenumbered
}

/** Stored parcels have their ids, staged ones their positions below 0. */
async function gatherForms(
  sql: RollSql,
  { staged, change }: StagedState,
  scope: (string | number)[],
): Promise<RollLinker> {
  const { of, keys, readKeys } = sql.dialect
  const linker = new RollLinker()
  const gone = `SELECT c.id AS at, r.field_values AS "fieldValues", ${keys} AS keys,
      g.geojson AS geometry
    FROM ${change} c JOIN parcels p ON ${of('p')} p.id = c.id
    JOIN records r ON ${of('r')} r.id = c.id
    LEFT JOIN geometries g ON ${of('g')} g.id = c.id
    WHERE ${of('c')} c.what = 'removed' AND p.fips = $2 AND p.municipality = $3`
  for await (const rows of sql.walk<Form>(gone, scope)) {
    for (const { at, ...form } of rows) {
      const before = { ...form, keys: readKeys(form.keys, form.fieldValues) }
      linker.add({ id: at, before, after: undefined })
    }
  }
  const come = `SELECT c.seq AS at, s.field_values AS "fieldValues", s.keys,
      nullif(s.geometry, '') AS geometry
    FROM ${change} c JOIN ${staged} s ON ${of('s')} s.seq = c.seq
    WHERE ${of('c')} c.what = 'new' AND s.fips = $2 AND s.municipality = $3`
  for await (const rows of sql.walk<Form>(come, scope)) {
    for (const { at, ...form } of rows) linker.add({ id: -at, before: undefined, after: form })
  }
  return linker
}

/** Gives staged parcels the ids of stored ones. */
async function writePairs(
  sql: RollSql,
  { state, change }: StagedState,
  pairs: [seq: number, id: number][],
): Promise<void> {
  const { of, isIn, elements } = sql.dialect
  await sql.run(
    `DELETE FROM ${change} AS c
      WHERE ${of('c')} c.what = 'removed' AND c.id ${isIn('$2', 'bigint')}`,
    [state, pairs.map(([, id]) => id)],
  )
  await sql.run(
    `UPDATE ${change} AS c SET id = o.id, what = 'keys'
      FROM (SELECT CAST(e.value ->> 0 AS bigint) AS seq, CAST(e.value ->> 1 AS bigint) AS id
        FROM ${elements('$2')}) o
      WHERE ${of('c')} c.seq = o.seq`,
    [state, JSON.stringify(pairs)],
  )
}

/** A scope is renumbered when more than this share of its IDs leaves, … */
const LEAVING = 0.2
/** … as many come, but for this share of them, … */
const DIFFERING = 0.1
/** … and this share of those that leave pairs off. */
const PAIRED = 0.9

/** Parcels of a scope: stored before, no longer in the roll, and new in it. */
type Counts = { before: number; removed: number; added: number }

/** Whether so many IDs leave and come that it is worth looking for pairs. */
function mayBeRenumbered({ before, removed, added }: Counts): boolean {
  return removed > before * LEAVING && Math.abs(added - removed) <= removed * DIFFERING
}

/** Returns the parcels that are the same before and after; none unless the scope is renumbered. */
function pairRenumbered(linker: RollLinker, removed: number): [old: number, now: number][] {
  const same = LINK_KINDS.indexOf('renumbered')
  const links = linker.link().filter(({ kind }) => kind === same)
  return links.length < removed * PAIRED ? [] : links.map(({ parent, child }) => [parent, child])
}
