/** Loads a roll of the past into the versions of its scopes; the present stays. */
import type { Client } from 'pg'
import type { RollScope } from '../../history.ts'
import { placeRoll, removeRoll, type Splice, spliceParcel } from '../../versions/splice.ts'
import {
  parcelKeyOf,
  removedKeyOf,
  type VersionForm,
  type Vintage,
} from '../../versions/versions.ts'
import type { Staging } from '../write/roll-staging.ts'
import { readChains } from './chains.ts'
import { pruneBefore, pruneToNewest } from './forget.ts'
import { addVintages, type Keeping, replaceVersions, type writeVersions } from './keep.ts'
import { relinkRoll } from './lineage.ts'

/** Parcels read at a time. */
const BATCH = 2000

/** Reports whether the present roll of one of these scopes is newer than a day. */
export async function isPast(
  client: Client,
  scopes: RollScope[],
  vintage: number | null,
): Promise<boolean> {
  if (vintage === null) return false
  for (const scope of scopes) {
    const vintages = await readVintages(client, scope)
    if (vintages.some(({ day }) => day > vintage)) return true
  }
  return false
}

/** Adds the staged roll to the versions of its scopes, inside the caller's transaction. */
export async function keepPast(
  client: Client,
  staging: Staging,
  scopes: RollScope[],
  keeping: Keeping,
): Promise<void> {
  const { loadedAt, vintage, id } = keeping
  for (const scope of scopes) {
    const vintages = await readVintages(client, scope)
    const splice = placeRoll(vintages, vintage ?? 0, { importId: id, loadedAt })
    if (splice === undefined) continue
    const { rows } = await client.query(
      `SELECT max(roll_year) AS year FROM ${staging.staged}
        WHERE state = $1 AND fips = $2 AND municipality = $3`,
      [scope.state, scope.fips, scope.municipality],
    )
    await spliceScope(client, staging, scope, splice)
    if (!splice.isFirst) await relinkRoll(client, scope, splice.at)
    await relinkRoll(client, scope, splice.next)
    const rollYear = rows[0]?.year ?? null
    await addVintages(client, [{ ...scope, rollYear, day: splice.at.day }], keeping)
    if (keeping.keep !== null) await pruneToNewest(client, scope, keeping.keep)
  }
}

/** Takes the rolls of an import of the past out again, inside the caller's transaction. */
export async function dropPast(
  client: Client,
  scopes: RollScope[],
  importId: number,
): Promise<void> {
  for (const scope of scopes) {
    const read = await readVintages(client, scope)
    const vintages = read.toSorted((a, b) => a.day - b.day || a.import - b.import)
    const place = vintages.findIndex((one) => one.import === importId)
    const [at, next] = [vintages[place], vintages[place + 1]]
    if (at === undefined || next === undefined) continue
    if (place === 0) await pruneBefore(client, scope, next.day, next.import)
    else await removeFromScope(client, scope, at, next)
    await client.query(
      `DELETE FROM vintages WHERE state = $1 AND fips = $2 AND municipality = $3 AND import = $4`,
      [scope.state, scope.fips, scope.municipality, importId],
    )
  }
}

type Place = Pick<Vintage, 'day' | 'import'>

async function removeFromScope(
  client: Client,
  scope: RollScope,
  at: Place,
  next: Place,
): Promise<void> {
  const { state, fips, municipality } = scope
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM versions
      WHERE state = $1 AND fips = $2 AND municipality = $3 AND day = $4 AND import = $5`,
    [state, fips, municipality, at.day, at.import],
  )
  const ids = rows.map(({ id }) => Number(id))
  for (let from = 0; from < ids.length; from += BATCH) {
    const slice = ids.slice(from, from + BATCH)
    const chains = await readChains(client, state, slice)
    const made = slice.flatMap((id) =>
      removeRoll({ id, ...chains(id) }, at, next).map((one) => ({ scope, ...one })),
    )
    await replaceVersions(client, state, slice, made)
  }
  await relinkRoll(client, scope, at)
  await relinkRoll(client, scope, next)
}

async function readVintages(client: Client, { state, fips, municipality }: RollScope) {
  const { rows } = await client.query<{ day: number; import: string }>(
    `SELECT day, import FROM vintages
      WHERE state = $1 AND fips = $2 AND municipality = $3`,
    [state, fips, municipality],
  )
  return rows.map(
    (row): Pick<Vintage, 'day' | 'import'> => ({
      ...{ day: row.day, import: Number(row.import) },
    }),
  )
}

type Staged = { id: string | null; key: string; what: string } & {
  [Name in keyof VersionForm]: string | null
}

async function spliceScope(
  client: Client,
  { staged, change }: Staging,
  scope: RollScope,
  splice: Splice,
): Promise<void> {
  const { state, fips, municipality } = scope
  const gone = await readGone(client, scope)
  const known = new Set<number>()
  const { rows } = await client.query<{ seq: string | null; id: string | null }>(
    `SELECT c.seq, c.id FROM ${change} c
      LEFT JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
      LEFT JOIN parcels p ON p.state = $1 AND p.id = c.id
      WHERE c.state = $1 AND coalesce(s.fips, p.fips) = $2
        AND coalesce(s.municipality, p.municipality) = $3`,
    [state, fips, municipality],
  )
  for (let from = 0; from < rows.length; from += BATCH) {
    const slice = rows.slice(from, from + BATCH)
    const found = await client.query<Staged>(
      `SELECT c.id, c.what, s.stripped_key AS key, s.field_values AS "fieldValues", s.keys,
          s.geometry
        FROM unnest($2::bigint[], $3::bigint[]) o(seq, id)
        JOIN ${change} c ON c.state = $1 AND c.seq IS NOT DISTINCT FROM o.seq
          AND c.id IS NOT DISTINCT FROM o.id
        LEFT JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq`,
      [state, slice.map(({ seq }) => seq), slice.map(({ id }) => id)],
    )
    const owns: Owned[] = []
    for (const row of found.rows) {
      const { fieldValues, keys, geometry } = row
      const isThere = fieldValues !== null && keys !== null && row.what !== 'removed'
      const own = isThere ? { fieldValues, keys, geometry } : undefined
      const past = gone.get(parcelKeyOf(fips, row.key)) ?? []
      const ids = [...(row.id === null ? [] : [Number(row.id)]), ...past]
      if (ids.length === 0) ids.push(await nextId(client))
      for (const id of ids) known.add(id)
      owns.push({ ids, own })
    }
    await putVersions(client, scope, owns, splice)
  }
  const left = [...new Set([...gone.values()].flat())].filter((id) => !known.has(id))
  const absent = left.map((id) => ({ ids: [id], own: undefined }))
  await putVersions(client, scope, absent, splice)
}

/** A parcel of the roll, and the ids that it has or had. */
type Owned = { ids: number[]; own: VersionForm | undefined }

async function putVersions(
  client: Client,
  scope: RollScope,
  owns: Owned[],
  splice: Splice,
): Promise<void> {
  const all = owns.flatMap(({ ids }) => ids)
  const chains = await readChains(client, scope.state, all)
  const made: Parameters<typeof writeVersions>[2] = []
  const changed: number[] = []
  for (const { ids, own } of owns) {
    const kept = ids.map((id) => ({ id, ...chains(id) }))
    for (const { id, rows } of spliceParcel(kept, own, splice)) {
      changed.push(id)
      made.push(...rows.map((one) => ({ scope, ...one })))
    }
  }
  await replaceVersions(client, scope.state, changed, made)
}

/** Ids of parcels of the scope that are not present, by the key of each parcel ID that they had. */
async function readGone(
  client: Client,
  { state, fips, municipality }: RollScope,
): Promise<Map<string, number[]>> {
  const { rows } = await client.query<{ key: string; id: string }>(
    `SELECT k.key, k.id FROM past_keys r
      JOIN past_keys k ON k.state = $1 AND k.id = r.id
      WHERE r.state = $1 AND r.key = $2 AND k.key LIKE 'p%'
        AND NOT EXISTS (SELECT 1 FROM parcels p WHERE p.state = $1 AND p.id = r.id)
        AND EXISTS (SELECT 1 FROM versions v
          WHERE v.state = $1 AND v.id = r.id AND v.municipality = $3)
      ORDER BY k.id`,
    [state, removedKeyOf(fips), municipality],
  )
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ id }) => Number(id))]))
}

async function nextId(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT nextval('parcel_ids') AS id")
  return Number(rows[0]?.id)
}
