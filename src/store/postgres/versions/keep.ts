/** Keeps earlier versions of parcels: rows of `versions`, `past_keys` and `vintages`. */
import type { Client } from 'pg'
import type { KeepVersions, RollScope } from '../../history.ts'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { type DatedScope, nameOfScope, type PairRow, readPair } from '../../versions/pairs.ts'
import { dayOfRoll, makeVersion, VERSION_KINDS, type VersionRow } from '../../versions/versions.ts'
import { KEYS, unpackKeys } from '../pack/records.ts'
import { type CopyValue, copyIn } from '../write/copy-in.ts'
import type { Staging } from '../write/roll-staging.ts'
import { pruneToNewest } from './forget.ts'
import { writeLinks } from './lineage.ts'

/** Rows of a result read at a time. */
const BATCH = 2000

/** An import whose effect is kept. `id`: its number; `source`: its mapping; `loadedAt`: seconds. */
export type Keeping = KeepVersions & { id: number; source: string; loadedAt: number }

/**
 * Keeps what the differences in `change` will change or remove, inside the transaction and before
 * the tables are written. New parcels have ids.
 */
export async function keepVersions(
  client: Client,
  staging: Staging,
  scopes: RollScope[],
  keeping: Keeping,
): Promise<void> {
  const dated: Awaited<ReturnType<typeof dateScope>>[] = []
  // One connection answers one statement at a time.
  for (const scope of scopes) dated.push(await dateScope(client, scope, keeping, staging))
  if (keeping.keep !== 0) await writePairs(client, staging, dated, keeping.id)
  await addVintages(client, dated, keeping)
  if (keeping.keep === null) return
  for (const scope of scopes) await pruneToNewest(client, scope, keeping.keep)
}

/** Notes the rolls of scopes that are loaded for the first time; their parcels are written. */
export async function keepLoaded(
  client: Client,
  scopes: RollScope[],
  keeping: Keeping,
): Promise<void> {
  const dated: DatedScope[] = []
  for (const scope of scopes) {
    const { rows } = await client.query(
      `SELECT max(roll_year) AS year FROM parcels
        WHERE state = $1 AND fips = $2 AND municipality = $3`,
      [scope.state, scope.fips, scope.municipality],
    )
    const rollYear = rows[0]?.year ?? null
    const day = dayOfRoll(keeping.vintage, rollYear, keeping.loadedAt, null)
    dated.push({ ...scope, rollYear, day, isFresh: true })
  }
  await addVintages(client, dated, keeping)
}

async function dateScope(
  client: Client,
  { state, fips, municipality }: RollScope,
  { vintage, loadedAt }: Keeping,
  { staged }: Staging,
): Promise<DatedScope> {
  const { rows } = await client.query(
    `SELECT (SELECT max(roll_year) FROM ${staged} s
        WHERE s.state = $1 AND s.fips = $2 AND s.municipality = $3) AS staged,
      (SELECT max(day) FROM vintages
        WHERE state = $1 AND fips = $2 AND municipality = $3) AS newest,
      (SELECT max(roll_year) FROM scopes
        WHERE state = $1 AND fips = $2 AND municipality = $3) AS known,
      (SELECT count(*) FROM scopes
        WHERE state = $1 AND fips = $2 AND municipality = $3) AS loaded`,
    [state, fips, municipality],
  )
  const { staged: own, newest, known, loaded } = rows[0]
  const rollYear = own ?? known
  const day = dayOfRoll(vintage, rollYear, loadedAt, newest)
  return { state, fips, municipality, day, rollYear, isFresh: Number(loaded) === 0 }
}

async function writePairs(
  client: Client,
  { state, staged, change }: Staging,
  scopes: DatedScope[],
  importId: number,
): Promise<void> {
  const dated = new Map(scopes.map((scope) => [nameOfScope(scope), scope]))
  // Also polygons of parcels with another ID, whose land is compared.
  const moves = `s.geometry IS NOT NULL
    AND (s.geometry IS DISTINCT FROM g.geojson OR s.stripped_key <> p.stripped_key)`
  const text = `SELECT c.what, c.id, coalesce(s.fips, p.fips) AS fips,
      coalesce(s.municipality, p.municipality) AS municipality, r.loaded_at AS "loadedAt",
      r.field_values AS before, s.field_values AS after,
      ${KEYS.replace('AS keys', 'AS "keysBefore"')}, s.keys AS "keysAfter",
      CASE WHEN s.seq IS NULL OR (${moves}) THEN g.geojson END AS "geometryBefore",
      CASE WHEN ${moves} THEN s.geometry END AS "geometryAfter",
      s.geometry IS NULL AND g.id IS NOT NULL AS "keepsPolygon"
    FROM ${change} c LEFT JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    LEFT JOIN parcels p ON p.state = $1 AND p.id = c.id
    LEFT JOIN records r ON r.state = $1 AND r.id = c.id
    LEFT JOIN geometries g ON g.state = $1 AND g.id = c.id
    WHERE c.state = $1 AND c.what <> 'same'`
  // A cursor takes no parameters.
  const bound = text.replaceAll('$1', client.escapeLiteral(state))
  const linkers = new Map(scopes.map((scope) => [scope, new RollLinker()]))
  await client.query(`DECLARE kept NO SCROLL CURSOR FOR ${bound}`)
  for (;;) {
    const { rows } = await client.query<PairRow>(`FETCH ${BATCH} FROM kept`)
    if (rows.length === 0) break
    const made = rows.flatMap((pair) => {
      const scope = dated.get(nameOfScope(pair))
      if (scope === undefined || (scope.isFresh && pair.what === 'new')) return []
      const read = readStored(pair)
      linkers.get(scope)?.add(read)
      const version = makeVersion(read, { day: scope.day, import: importId })
      return version === undefined ? [] : { scope, ...version }
    })
    await writeVersions(client, state, made)
  }
  await client.query('CLOSE kept')
  for (const [scope, linker] of linkers) {
    await writeLinks(client, scope, { day: scope.day, import: importId }, linker)
  }
}

function readStored(row: PairRow) {
  const { before, keysBefore } = row
  return readPair(
    row,
    before === null || keysBefore === null ? null : unpackKeys(keysBefore, before),
  )
}

/** Writes version rows of a state, and the keys that find them. */
export async function writeVersions(
  client: Client,
  state: string,
  made: { scope: RollScope; row: VersionRow; keys: string[] }[],
): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ scope: { fips, municipality }, row }): CopyValue[] => [
    ...[state, row.id, row.day, row.import, VERSION_KINDS.indexOf(row.what), fips, municipality],
    ...[row.loadedAt, row.difference],
  ])
  await copyIn(client, 'versions', rows)
  const keys = made.flatMap(({ row, keys: own }) => own.map((key) => ({ key, id: row.id })))
  if (keys.length === 0) return
  await client.query(
    `INSERT INTO past_keys (state, key, id)
      SELECT $1, k.key, k.id FROM unnest($2::text[], $3::bigint[]) k(key, id)
      ON CONFLICT DO NOTHING`,
    [state, keys.map(({ key }) => key), keys.map(({ id }) => id)],
  )
}

/** Replaces all version rows of ids, and the keys that find them, by those made. */
export async function replaceVersions(
  client: Client,
  state: string,
  ids: number[],
  made: Parameters<typeof writeVersions>[2],
): Promise<void> {
  for (const table of ids.length === 0 ? [] : ['versions', 'past_keys']) {
    const text = `DELETE FROM ${table} WHERE state = $1 AND id = ANY($2::bigint[])`
    await client.query(text, [state, ids])
  }
  await writeVersions(client, state, made)
}

/** Notes rolls. */
export async function addVintages(
  client: Client,
  scopes: Omit<DatedScope, 'isFresh'>[],
  { id, source, loadedAt }: Keeping,
): Promise<void> {
  for (const { state, fips, municipality, day, rollYear } of scopes) {
    await client.query(
      `INSERT INTO vintages
        (state, fips, municipality, day, import, roll_year, source, loaded_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [state, fips, municipality, day, id, rollYear, source, loadedAt],
    )
  }
}
