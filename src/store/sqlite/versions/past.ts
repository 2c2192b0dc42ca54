/** Loads a roll of the past into the versions of its scopes; the present stays. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'
import { placeRoll, removeRoll, type Splice, spliceParcel } from '../../versions/splice.ts'
import {
  parcelKeyOf,
  removedKeyOf,
  type VersionForm,
  type Vintage,
} from '../../versions/versions.ts'
import { openChains } from './chains.ts'
import { pruneBefore, pruneToNewest } from './forget.ts'
import { addVintages, type Keeping, nextImport, openReplacement } from './keep.ts'
import { relinkRoll } from './lineage.ts'

/** The scopes of a staged roll whose present rolls are newer. */
export function listPast(db: DatabaseSync, scopes: RollScope[], vintage: number): RollScope[] {
  return scopes.filter((scope) => readVintages(db, scope).some(({ day }) => day > vintage))
}

/** Adds the staged roll to the versions of its scopes, inside the caller's transaction. */
export function keepPast(db: DatabaseSync, scopes: RollScope[], keeping: Keeping): void {
  const { loadedAt, vintage } = keeping
  const importId = nextImport(db)
  for (const scope of scopes) {
    const splice = placeRoll(readVintages(db, scope), vintage ?? 0, { importId, loadedAt })
    if (splice === undefined) continue
    const roll = db
      .prepare(
        'SELECT max(roll_year) AS year FROM staging.staged WHERE fips = ? AND municipality = ?',
      )
      .get(scope.fips, scope.municipality)
    spliceScope(db, scope, splice)
    if (!splice.isFirst) relinkRoll(db, scope, splice.at)
    relinkRoll(db, scope, splice.next)
    const rollYear = (roll?.year ?? null) as number | null
    addVintages(db, [{ ...scope, rollYear, day: splice.at.day }], importId, keeping)
    if (keeping.keep !== null) pruneToNewest(db, scope, keeping.keep)
  }
}

/** Takes the rolls of an import of the past out again, inside the caller's transaction. */
export function dropPast(db: DatabaseSync, scopes: RollScope[], importId: number): void {
  for (const scope of scopes) {
    const vintages = readVintages(db, scope).toSorted(
      (a, b) => a.day - b.day || a.import - b.import,
    )
    const place = vintages.findIndex((one) => one.import === importId)
    const [at, next] = [vintages[place], vintages[place + 1]]
    if (at === undefined || next === undefined) continue
    if (place === 0) pruneBefore(db, scope, next.day, next.import)
    else removeFromScope(db, scope, at, next)
    db.prepare(`DELETE FROM main.vintages WHERE state = ? AND fips = ? AND municipality = ?
      AND import = ?`).run(scope.state, scope.fips, scope.municipality, importId)
  }
}

type Place = Pick<Vintage, 'day' | 'import'>

function removeFromScope(db: DatabaseSync, scope: RollScope, at: Place, next: Place): void {
  const { state, fips, municipality } = scope
  const { versionsOf, formOf } = openChains(db)
  const put = openReplacement(db)
  const ids = db
    .prepare(`SELECT id FROM main.versions
      WHERE state = ? AND fips = ? AND municipality = ? AND day = ? AND import = ?`)
    .all(state, fips, municipality, at.day, at.import)
  for (const id of ids.map((row) => Number(row.id))) {
    const kept = { id, present: formOf(id), rows: versionsOf(state, id) }
    put(scope, id, removeRoll(kept, at, next))
  }
  relinkRoll(db, scope, at)
  relinkRoll(db, scope, next)
}

function readVintages(db: DatabaseSync, { state, fips, municipality }: RollScope) {
  return db
    .prepare(
      'SELECT day, import FROM main.vintages WHERE state = ? AND fips = ? AND municipality = ?',
    )
    .all(state, fips, municipality) as Pick<Vintage, 'day' | 'import'>[]
}

type Staged = { id: number | null; key: string; what: string } & Partial<VersionForm>

function spliceScope(db: DatabaseSync, scope: RollScope, splice: Splice): void {
  const { state, fips, municipality } = scope
  const { versionsOf, formOf } = openChains(db)
  const replace = openReplacement(db)
  const staged = db.prepare(`SELECT c.id, c.what, s.stripped_key AS key,
      s.field_values AS fieldValues, s.keys, s.geometry
    FROM staging.change c LEFT JOIN staging.staged s ON s.seq = c.seq
    LEFT JOIN main.parcels p ON p.id = c.id
    WHERE coalesce(s.fips, p.fips) = ? AND coalesce(s.municipality, p.municipality) = ?`)
  const gone = readGone(db, scope)
  const known = new Set<number>()
  const put = (ids: number[], own: VersionForm | undefined) => {
    const kept = ids.map((id) => ({ id, present: formOf(id), rows: versionsOf(state, id) }))
    for (const { id, rows } of spliceParcel(kept, own, splice)) replace(scope, id, rows)
  }
  for (const row of staged.all(fips, municipality) as Staged[]) {
    const { fieldValues, keys, geometry = null } = row
    const own =
      fieldValues === undefined || keys === undefined || row.what === 'removed'
        ? undefined
        : { fieldValues, keys, geometry }
    const ids = [
      ...(row.id === null ? [] : [row.id]),
      ...(gone.get(parcelKeyOf(fips, row.key)) ?? []),
    ]
    if (ids.length === 0) ids.push(nextId(db))
    for (const id of ids) known.add(id)
    put(ids, own)
  }
  for (const id of new Set([...gone.values()].flat())) if (!known.has(id)) put([id], undefined)
}

/** Ids of parcels of the scope that are not present, by the key of each parcel ID that they had. */
function readGone(
  db: DatabaseSync,
  { state, fips, municipality }: RollScope,
): Map<string, number[]> {
  const rows = db
    .prepare(`SELECT k.key, k.id FROM main.past_keys r
      JOIN main.past_keys k ON k.state = r.state AND k.id = r.id
      WHERE r.state = ?1 AND r.key = ?2 AND k.key LIKE 'p%'
        AND NOT EXISTS (SELECT 1 FROM main.parcels p WHERE p.id = r.id)
        AND EXISTS (SELECT 1 FROM main.versions v
          WHERE v.state = ?1 AND v.id = r.id AND v.municipality = ?3)
      ORDER BY k.id`)
    .all(state, removedKeyOf(fips), municipality) as { key: string; id: number }[]
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ id }) => id)]))
}

function nextId(db: DatabaseSync): number {
  const row = db
    .prepare("UPDATE main.counters SET value = value + 1 WHERE name = 'parcel' RETURNING value")
    .get()
  return Number(row?.value)
}
