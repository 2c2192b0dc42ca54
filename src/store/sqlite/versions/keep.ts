/** Keeps earlier versions of parcels: rows of `versions`, `past_keys` and `vintages`. */
import type { DatabaseSync } from 'node:sqlite'
import type { KeepVersions, RollScope } from '../../history.ts'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { type DatedScope, nameOfScope, type PairRow, readPair } from '../../versions/pairs.ts'
import { dayOfRoll, makeVersion, VERSION_KINDS, type VersionRow } from '../../versions/versions.ts'
import { pruneToNewest } from './forget.ts'
import { writeLinks } from './lineage.ts'

/** An import whose effect on parcels is kept. `loadedAt`: epoch seconds; `source`: its mapping. */
export type Keeping = KeepVersions & { source: string; loadedAt: number }

/**
 * Keeps what the differences in `staging.change` will change or remove, inside the transaction and
 * before the tables are written. New parcels have ids.
 */
export function keepVersions(db: DatabaseSync, scopes: RollScope[], keeping: Keeping): void {
  const id = nextImport(db)
  const dated = scopes.map((scope) => dateScope(db, scope, keeping))
  if (keeping.keep !== 0) writePairs(db, dated, id)
  addVintages(db, dated, id, keeping)
  if (keeping.keep !== null) for (const scope of scopes) pruneToNewest(db, scope, keeping.keep)
}

/** Notes the rolls of a store's first load. */
export function keepFirstLoad(db: DatabaseSync, scopes: RollScope[], keeping: Keeping): void {
  const dated = scopes.map((scope) => dateScope(db, scope, keeping, 'main.parcels'))
  addVintages(db, dated, nextImport(db), keeping)
}

/** The id of the next history entry. */
export function nextImport(db: DatabaseSync): number {
  const row = db.prepare("SELECT seq FROM main.sqlite_sequence WHERE name = 'imports'").get()
  return Number(row?.seq ?? 0) + 1
}

function dateScope(
  db: DatabaseSync,
  scope: RollScope,
  { vintage, loadedAt }: Keeping,
  staged = 'staging.staged',
): DatedScope {
  const { state, fips, municipality } = scope
  const known = db
    .prepare('SELECT roll_year AS year FROM main.scopes WHERE fips = ? AND municipality = ?')
    .get(fips, municipality)
  const roll = db
    .prepare(`SELECT max(roll_year) AS year FROM ${staged} WHERE fips = ? AND municipality = ?`)
    .get(fips, municipality)
  const newest = db
    .prepare(`SELECT max(day) AS day FROM main.vintages
      WHERE state = ? AND fips = ? AND municipality = ?`)
    .get(state, fips, municipality)
  const year = (roll?.year ?? known?.year ?? null) as number | null
  const day = dayOfRoll(vintage, year, loadedAt, (newest?.day ?? null) as number | null)
  return { state, fips, municipality, day, rollYear: year, isFresh: known === undefined }
}

function writePairs(db: DatabaseSync, scopes: DatedScope[], importId: number): void {
  const dated = new Map(scopes.map((scope) => [nameOfScope(scope), scope]))
  // Also polygons of parcels with another ID, whose land is compared.
  const moves =
    's.geometry IS NOT NULL AND (s.geometry IS NOT g.geojson OR s.stripped_key <> p.stripped_key)'
  const rows = db.prepare(`SELECT c.what, c.id, coalesce(s.fips, p.fips) AS fips,
      coalesce(s.municipality, p.municipality) AS municipality, r.loaded_at AS loadedAt,
      r.field_values AS before, s.field_values AS after,
      r.keys AS keysBefore, s.keys AS keysAfter,
      CASE WHEN s.seq IS NULL OR (${moves}) THEN g.geojson END AS geometryBefore,
      CASE WHEN ${moves} THEN s.geometry END AS geometryAfter,
      s.geometry IS NULL AND g.id IS NOT NULL AS keepsPolygon
    FROM staging.change c LEFT JOIN staging.staged s ON s.seq = c.seq
    LEFT JOIN main.parcels p ON p.id = c.id LEFT JOIN main.records r ON r.id = c.id
    LEFT JOIN main.geometries g ON g.id = c.id
    WHERE c.what <> 'same' ORDER BY c.id`)
  const write = openVersionRows(db)
  const linkers = new Map(scopes.map((scope) => [scope, new RollLinker()]))
  for (const pair of rows.iterate() as Iterable<PairRow>) {
    const scope = dated.get(nameOfScope(pair))
    if (scope === undefined || (scope.isFresh && pair.what === 'new')) continue
    const read = readPair(pair)
    const made = makeVersion(read, { day: scope.day, import: importId })
    if (made !== undefined) write(scope, made.row, made.keys)
    linkers.get(scope)?.add(read)
  }
  for (const [scope, linker] of linkers) {
    writeLinks(db, scope, { day: scope.day, import: importId }, linker)
  }
}

/** Returns a function that writes a version row and the keys that find it. */
function openVersionRows(db: DatabaseSync) {
  const insert = db.prepare(`INSERT OR REPLACE INTO main.versions
      (state, id, day, import, what, fips, municipality, loaded_at, difference)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const find = db.prepare('INSERT OR IGNORE INTO main.past_keys (state, key, id) VALUES (?, ?, ?)')
  return ({ state, fips, municipality }: RollScope, row: VersionRow, keys: string[]) => {
    insert.run(
      ...[state, row.id, row.day, row.import, VERSION_KINDS.indexOf(row.what), fips],
      ...[municipality, row.loadedAt, row.difference],
    )
    for (const key of keys) find.run(state, key, row.id)
  }
}

/** Returns a function that replaces the version rows of an id and the keys that find them. */
export function openReplacement(db: DatabaseSync) {
  const write = openVersionRows(db)
  const erase = ['versions', 'past_keys'].map((table) =>
    db.prepare(`DELETE FROM main.${table} WHERE state = ? AND id = ?`),
  )
  return (scope: RollScope, id: number, rows: { row: VersionRow; keys: string[] }[]) => {
    for (const statement of erase) statement.run(scope.state, id)
    for (const { row, keys } of rows) write(scope, row, keys)
  }
}

/** Notes rolls; `source` and `loadedAt` as in `Keeping`. */
export function addVintages(
  db: DatabaseSync,
  scopes: Omit<DatedScope, 'isFresh'>[],
  importId: number,
  { source, loadedAt }: Keeping,
): void {
  const insert = db.prepare(`INSERT OR REPLACE INTO main.vintages
      (state, fips, municipality, day, import, roll_year, source, loaded_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  for (const { state, fips, municipality, day, rollYear } of scopes) {
    insert.run(state, fips, municipality, day, importId, rollYear, source, loadedAt)
  }
}
