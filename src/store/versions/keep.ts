/** Keeps earlier versions of parcels: rows of `versions`, `past_keys` and `vintages`. */
import { carryOver } from '../../record/stored.ts'
import type { KeepVersions, RollScope } from '../history.ts'
import { RollLinker } from '../lineage/link-rolls.ts'
import type { RollSql, StagedState } from '../rolls/roll-sql.ts'
import { pruneToNewest } from './forget.ts'
import { writeLinks } from './lineage.ts'
import {
  dayOfRoll,
  makeVersion,
  VERSION_KINDS,
  type VersionForm,
  type VersionPair,
  type VersionRow,
} from './versions.ts'

/** An import whose effect is kept. `id`: its number; `source`: its mapping; `loadedAt`: seconds. */
export type Keeping = KeepVersions & { id: number; source: string; loadedAt: number }

export type MadeVersion = { scope: RollScope; row: VersionRow; keys: string[] }

/** Keeps what `change` will change or remove, in its transaction, before tables are written. */
export async function keepVersions(
  sql: RollSql,
  staging: StagedState,
  scopes: readonly RollScope[],
  keeping: Keeping,
): Promise<void> {
  const dated: DatedScope[] = []
  for (const scope of scopes) dated.push(await dateScope(sql, scope, keeping, staging.staged))
  if (keeping.keep !== 0) await writePairs(sql, staging, dated, keeping.id)
  await addVintages(sql, dated, keeping)
  if (keeping.keep === null) return
  for (const scope of scopes) await pruneToNewest(sql, scope, keeping.keep)
}

/** Notes the rolls of scopes that are loaded for the first time; their parcels are written. */
export async function keepLoaded(
  sql: RollSql,
  scopes: readonly RollScope[],
  keeping: Keeping,
): Promise<void> {
  for (const scope of scopes) {
    await addVintages(sql, [await dateScope(sql, scope, keeping, 'parcels')], keeping)
  }
}

/** `loaded`: the table that has the roll's parcels. */
async function dateScope(
  sql: RollSql,
  scope: RollScope,
  { vintage, loadedAt }: Keeping,
  loaded: string,
): Promise<DatedScope> {
  const { of } = sql.dialect
  const { state, fips, municipality } = scope
  type Known = { own: number | null; newest: number | null; known: number | null; loaded: number }
  const [row] = await sql.ask<Known>(
    `SELECT (SELECT max(roll_year) FROM ${loaded} l
        WHERE ${of('l')} l.fips = $2 AND l.municipality = $3) AS own,
      (SELECT max(day) FROM vintages
        WHERE state = $1 AND fips = $2 AND municipality = $3) AS newest,
      (SELECT max(roll_year) FROM scopes z
        WHERE ${of('z')} z.fips = $2 AND z.municipality = $3) AS known,
      (SELECT count(*) FROM scopes z
        WHERE ${of('z')} z.fips = $2 AND z.municipality = $3) AS loaded`,
    [state, fips, municipality],
  )
  const rollYear = row?.own ?? row?.known ?? null
  const day = dayOfRoll(vintage, rollYear, loadedAt, row?.newest ?? null)
  return { state, fips, municipality, day, rollYear, isFresh: row?.loaded === 0 }
}

async function writePairs(
  sql: RollSql,
  { state, staged, change }: StagedState,
  scopes: DatedScope[],
  importId: number,
): Promise<void> {
  const { of, keys, readKeys, order } = sql.dialect
  const dated = new Map(scopes.map((scope) => [nameOfScope(scope), scope]))
  // Also polygons of parcels with another ID, whose land is compared.
  const moves = `s.geometry IS NOT NULL
    AND (s.geometry <> coalesce(g.geojson, '') OR s.stripped_key <> p.stripped_key)`
  const text = `SELECT c.what, c.id, coalesce(s.fips, p.fips) AS fips,
      coalesce(s.municipality, p.municipality) AS municipality, r.loaded_at AS "loadedAt",
      r.field_values AS before, s.field_values AS after,
      ${keys} AS "keysBefore", s.keys AS "keysAfter",
      CASE WHEN s.seq IS NULL OR (${moves}) THEN g.geojson END AS "geometryBefore",
      CASE WHEN ${moves} THEN nullif(s.geometry, '') END AS "geometryAfter",
      s.geometry IS NULL AND g.id IS NOT NULL AS "keepsPolygon"
    FROM ${change} c LEFT JOIN ${staged} s ON ${of('s')} s.seq = c.seq
    LEFT JOIN parcels p ON ${of('p')} p.id = c.id
    LEFT JOIN records r ON ${of('r')} r.id = c.id
    LEFT JOIN geometries g ON ${of('g')} g.id = c.id
    WHERE ${of('c')} c.what <> 'same' ${order.ofTables}`
  const linkers = new Map(scopes.map((scope) => [scope, new RollLinker()]))
  for await (const rows of sql.walk<PairRow>(text, [state])) {
    const made = rows.flatMap((pair) => {
      const scope = dated.get(nameOfScope(pair))
      if (scope === undefined || (scope.isFresh && pair.what === 'new')) return []
      const { before, keysBefore } = pair
      const isStored = before !== null && keysBefore !== null
      const read = readPair(pair, isStored ? readKeys(keysBefore, before) : null)
      linkers.get(scope)?.add(read)
      const version = makeVersion(read, { day: scope.day, import: importId })
      return version === undefined ? [] : { scope, ...version }
    })
    await writeVersions(sql, state, made)
  }
  for (const [scope, linker] of linkers) {
    await writeLinks(sql, scope, { day: scope.day, import: importId }, linker)
  }
}

/** Writes version rows of a state, and the keys that find them. */
async function writeVersions(
  sql: RollSql,
  state: string,
  made: readonly MadeVersion[],
): Promise<void> {
  await sql.insert(
    'versions',
    'state, id, day, import, what, fips, municipality, loaded_at, difference',
    made.map(({ scope: { fips, municipality }, row }) => [
      ...[state, row.id, row.day, row.import, VERSION_KINDS.indexOf(row.what), fips],
      ...[municipality, row.loadedAt, row.difference],
    ]),
  )
  const keys = made.flatMap(({ row, keys: own }) => own.map((key) => [key, row.id]))
  if (keys.length === 0) return
  await sql.run(
    `INSERT INTO past_keys (state, key, id)
      SELECT $1, e.value ->> 0, CAST(e.value ->> 1 AS bigint)
      FROM ${sql.dialect.elements('$2')} WHERE true ON CONFLICT DO NOTHING`,
    [state, JSON.stringify(keys)],
  )
}

/** Replaces all version rows of ids, and the keys that find them, by those made. */
export async function replaceVersions(
  sql: RollSql,
  state: string,
  ids: readonly number[],
  made: readonly MadeVersion[],
): Promise<void> {
  for (const table of ids.length === 0 ? [] : ['versions', 'past_keys']) {
    const text = `DELETE FROM ${table} WHERE state = $1 AND id ${sql.dialect.isIn('$2', 'bigint')}`
    await sql.run(text, [state, ids])
  }
  await writeVersions(sql, state, made)
}

export function addVintages(
  sql: RollSql,
  scopes: readonly Omit<DatedScope, 'isFresh'>[],
  { id, source, loadedAt }: Keeping,
): Promise<void> {
  return sql.insert(
    'vintages',
    'state, fips, municipality, day, import, roll_year, source, loaded_at',
    scopes.map(({ state, fips, municipality, day, rollYear }) => [
      ...[state, fips, municipality, day, id, rollYear, source, loadedAt],
    ]),
  )
}

/** A row of the differences. `keepsPolygon`: the roll has none, and the stored one stays. */
type PairRow = {
  what: string
  id: number
  fips: number
  municipality: string
  loadedAt: number | null
  before: string | null
  after: string | null
  keysBefore: string | null
  keysAfter: string | null
  geometryBefore: string | null
  geometryAfter: string | null
  keepsPolygon: boolean | number
}

/** A scope whose present roll is of this day; `isFresh`: nothing of it was loaded. */
type DatedScope = RollScope & { day: number; rollYear: number | null; isFresh: boolean }

function nameOfScope({ fips, municipality }: Pick<RollScope, 'fips' | 'municipality'>) {
  return `${fips} ${municipality}`
}

/** `keysBefore`: JSON. */
function readPair(row: PairRow, keysBefore = row.keysBefore): VersionPair {
  const { before, after } = row
  const keeps = before !== null && after !== null && Boolean(row.keepsPolygon)
  return {
    id: Number(row.id),
    loadedAt: Number(row.loadedAt ?? 0),
    before: formOf(before, keysBefore, row.geometryBefore),
    after: formOf(keeps ? carryOver(before, after, true) : after, row.keysAfter, row.geometryAfter),
  }
}

function formOf(
  fieldValues: string | null,
  keys: string | null,
  geometry: string | null,
): VersionForm | undefined {
  return fieldValues === null || keys === null ? undefined : { fieldValues, keys, geometry }
}
