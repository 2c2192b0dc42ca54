/** Loads a roll of the past into the versions of its scopes; the present stays. */
import type { ImportNote, RollChange, RollScope } from '../history.ts'
import { addImport, addScopes, NO_IDS } from '../rolls/import-rows.ts'
import type { RollSql, StagedState } from '../rolls/roll-sql.ts'
import { pruneBefore, pruneToNewest } from './forget.ts'
import { addVintages, type Keeping, type MadeVersion, replaceVersions } from './keep.ts'
import { readChains, relinkRoll, walkChanged } from './lineage.ts'
import { placeRoll, removeRoll, type Splice, spliceParcel } from './splice.ts'
import { type Place, parcelKeyOf, removedKeyOf, type VersionForm } from './versions.ts'

/** Reports whether the present roll of one of these scopes is newer than a day. */
export async function isPast(
  sql: RollSql,
  scopes: readonly RollScope[],
  vintage: number | null,
): Promise<boolean> {
  if (vintage === null) return false
  for (const scope of scopes) {
    const vintages = await readVintages(sql, scope)
    if (vintages.some(({ day }) => day > vintage)) return true
  }
  return false
}

const NONE = { loaded: 0, updated: 0, removed: 0, unchanged: 0 }

/**
 * Loads a roll into the versions of its scopes alone, inside the caller's transaction. `stagings`:
 * its rows by state, or one for all.
 */
export async function applyPast(
  sql: RollSql,
  stagings: Iterable<StagedState>,
  scopes: readonly RollScope[],
  { note, ...keeping }: Omit<Keeping, 'id'> & { note: ImportNote },
): Promise<RollChange> {
  const entry = { kind: 'past' as const, ...note, ...NONE, undoes: null }
  const id = await addImport(sql, { ...entry, loadedAt: keeping.loadedAt })
  for (const staging of stagings) {
    const own = scopes.filter(({ state }) => staging.state === '' || state === staging.state)
    await keepPast(sql, staging, own, { ...keeping, id })
  }
  await addScopes(sql, id, scopes, { ...NO_IDS, images: 0 })
  return NONE
}

async function keepPast(
  sql: RollSql,
  staging: StagedState,
  scopes: readonly RollScope[],
  keeping: Keeping,
): Promise<void> {
  const { loadedAt, vintage, id } = keeping
  for (const scope of scopes) {
    const vintages = await readVintages(sql, scope)
    const splice = placeRoll(vintages, vintage ?? 0, { importId: id, loadedAt })
    if (splice === undefined) continue
    const [roll] = await sql.ask<{ year: number | null }>(
      `SELECT max(roll_year) AS year FROM ${staging.staged} s
        WHERE ${sql.dialect.of('s')} s.fips = $2 AND s.municipality = $3`,
      [scope.state, scope.fips, scope.municipality],
    )
    await spliceScope(sql, staging, scope, splice)
    if (!splice.isFirst) await relinkRoll(sql, scope, splice.at)
    await relinkRoll(sql, scope, splice.next)
    const rollYear = roll?.year ?? null
    await addVintages(sql, [{ ...scope, rollYear, day: splice.at.day }], keeping)
    if (keeping.keep !== null) await pruneToNewest(sql, scope, keeping.keep)
  }
}

/** Takes the rolls of an import of the past out again, inside the caller's transaction. */
export async function dropPast(
  sql: RollSql,
  scopes: readonly RollScope[],
  importId: number,
): Promise<void> {
  for (const scope of scopes) {
    const read = await readVintages(sql, scope)
    const vintages = read.toSorted((a, b) => a.day - b.day || a.import - b.import)
    const place = vintages.findIndex((one) => one.import === importId)
    const [at, next] = [vintages[place], vintages[place + 1]]
    if (at === undefined || next === undefined) continue
    if (place === 0) await pruneBefore(sql, scope, next)
    else await removeFromScope(sql, scope, at, next)
    await sql.run(
      'DELETE FROM vintages WHERE state = $1 AND fips = $2 AND municipality = $3 AND import = $4',
      [scope.state, scope.fips, scope.municipality, importId],
    )
  }
}

async function removeFromScope(sql: RollSql, scope: RollScope, at: Place, next: Place) {
  for await (const slice of walkChanged(sql, scope, at)) {
    const made = slice.flatMap((kept) =>
      removeRoll(kept, at, next).map((one) => ({ scope, ...one })),
    )
    const ids = slice.map(({ id }) => id)
    await replaceVersions(sql, scope.state, ids, made)
  }
  await relinkRoll(sql, scope, at)
  await relinkRoll(sql, scope, next)
}

function readVintages(sql: RollSql, { state, fips, municipality }: RollScope): Promise<Place[]> {
  const text =
    'SELECT day, import FROM vintages WHERE state = $1 AND fips = $2 AND municipality = $3'
  return sql.ask(text, [state, fips, municipality])
}

type Staged = { id: number | null; key: string; what: string } & {
  [Name in keyof VersionForm]: string | null
}

async function spliceScope(
  sql: RollSql,
  { staged, change }: StagedState,
  scope: RollScope,
  splice: Splice,
): Promise<void> {
  const { of } = sql.dialect
  const { state, fips, municipality } = scope
  const gone = await readGone(sql, scope)
  const known = new Set<number>()
  const text = `SELECT c.id, c.what, s.stripped_key AS key, s.field_values AS "fieldValues",
      s.keys, s.geometry
    FROM ${change} c LEFT JOIN ${staged} s ON ${of('s')} s.seq = c.seq
    LEFT JOIN parcels p ON ${of('p')} p.id = c.id
    WHERE ${of('c')} coalesce(s.fips, p.fips) = $2
      AND coalesce(s.municipality, p.municipality) = $3 ${sql.dialect.order.ofRoll}`
  for await (const rows of sql.walk<Staged>(text, [state, fips, municipality])) {
    const owns: Owned[] = []
    for (const { id, key, what, fieldValues, keys, geometry } of rows) {
      const isThere = fieldValues !== null && keys !== null && what !== 'removed'
      const own = isThere ? { fieldValues, keys, geometry } : undefined
      const past = gone.get(parcelKeyOf(fips, key)) ?? []
      const ids = [...(id === null ? [] : [id]), ...past]
      if (ids.length === 0) ids.push(await sql.nextId())
      for (const one of ids) known.add(one)
      owns.push({ ids, own })
    }
    await putVersions(sql, scope, owns, splice)
  }
  const left = [...new Set([...gone.values()].flat())].filter((id) => !known.has(id))
  const absent = left.map((id) => ({ ids: [id], own: undefined }))
  await putVersions(sql, scope, absent, splice)
}

/** A parcel of the roll, and the ids that it has or had. */
type Owned = { ids: number[]; own: VersionForm | undefined }

async function putVersions(sql: RollSql, scope: RollScope, owns: Owned[], splice: Splice) {
  const all = owns.flatMap(({ ids }) => ids)
  const chains = await readChains(sql, scope.state, all)
  const made: MadeVersion[] = []
  const changed: number[] = []
  for (const { ids, own } of owns) {
    for (const { id, rows } of spliceParcel(ids.map(chains), own, splice)) {
      changed.push(id)
      made.push(...rows.map((one) => ({ scope, ...one })))
    }
  }
  await replaceVersions(sql, scope.state, changed, made)
}

/** Ids of parcels of the scope that are not present, by the key of each parcel ID that they had. */
async function readGone(
  sql: RollSql,
  { state, fips, municipality }: RollScope,
): Promise<Map<string, number[]>> {
  const rows = await sql.ask<{ key: string; id: number }>(
    `SELECT k.key, k.id FROM past_keys r
      JOIN past_keys k ON k.state = $1 AND k.id = r.id
      WHERE r.state = $1 AND r.key = $2 AND k.key LIKE 'p%'
        AND NOT EXISTS (SELECT 1 FROM parcels p WHERE ${sql.dialect.of('p')} p.id = r.id)
        AND EXISTS (SELECT 1 FROM versions v
          WHERE v.state = $1 AND v.id = r.id AND v.municipality = $3)
      ORDER BY k.id`,
    [state, removedKeyOf(fips), municipality],
  )
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ id }) => id)]))
}
