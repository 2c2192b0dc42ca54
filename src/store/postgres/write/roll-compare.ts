/** Compares a staged roll with the stored one and records each parcel's change in `change`. */
import type { Client } from 'pg'
import { carryOver as carryRecord } from '../../../record/stored.ts'
import { differsSql } from '../../columns.ts'
import type { RollScope } from '../../history.ts'
import { countsText, readScopes, sameParcelSql } from '../../rolls/staged-rolls.ts'
import type { LeavingParcel, RollExtent, ScopeChange } from '../../store.ts'
import { renumberStaged } from '../../versions/renumber.ts'
import { DIALECT } from '../dialect.ts'
import { pack, packRecord } from '../pack/pack.ts'
import { KEYS, unpackHex } from '../pack/unpack.ts'
import { openRollSql, walk } from '../roll-sql.ts'
import { cleanText, copyIn } from './copy-in.ts'
import { analyzeStaging, type Staging } from './roll-staging.ts'

const kept = ({ staged, leaving }: Staging) => `${staged} s
  LEFT JOIN parcels p ON p.state = $1 AND p.fips = s.fips AND p.stripped_key = s.stripped_key
    AND p.municipality = s.municipality
    AND ${leaving === undefined ? sameParcelSql(DIALECT, staged) : 'p.parcel_key = s.parcel_key'}
  LEFT JOIN records r ON r.state = $1 AND r.id = p.id
  LEFT JOIN geometries g ON g.state = $1 AND g.id = p.id
  WHERE s.state = $1`

/** A parcel's change. `record`: of its record alone. `keys`: of its lookup keys too. */
const compareText = (staging: Staging) => `
  INSERT INTO ${staging.change} (state, seq, id, what)
  SELECT s.state, s.seq, p.id, CASE
    WHEN p.id IS NULL THEN 'new'
    WHEN s.rekeyed OR p.parcel_key <> s.parcel_key THEN 'keys'
    WHEN r.field_values <> s.field_values THEN 'record'
    WHEN ${differsSql('IS DISTINCT FROM')} THEN 'record'
    WHEN s.geometry <> coalesce(g.geojson, '') THEN 'record'
    ELSE 'same' END
  FROM ${kept(staging)} ORDER BY s.seq`

const removedText = (staging: Staging) => `
  INSERT INTO ${staging.change} (state, seq, id, what)
  SELECT p.state, NULL::bigint, p.id, 'removed'
  FROM (${scopesText(staging)}) d
  JOIN parcels p ON p.state = $1 AND p.fips = d.fips AND p.municipality = d.municipality
  WHERE NOT EXISTS (SELECT 1 FROM ${staging.change} c WHERE c.state = $1 AND c.id = p.id)
    ${staging.hasSeen ? 'AND NOT EXISTS (SELECT 1 FROM seen n WHERE n.id = p.id)' : ''}`

/** Instead of `removedText`, for parcels that are named. */
async function stageLeaving(
  client: Client,
  { state, change }: Staging,
  leaving: readonly LeavingParcel[],
): Promise<void> {
  const names = ['fips', 'municipality', 'strippedKey', 'parcelKey'] as const
  await client.query(
    `INSERT INTO ${change} (state, seq, id, what)
    SELECT p.state, NULL::bigint, p.id, 'removed'
    FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[])
      AS l (fips, municipality, stripped_key, parcel_key)
    JOIN parcels p ON p.state = $1 AND p.fips = l.fips AND p.stripped_key = l.stripped_key
      AND p.municipality = l.municipality AND p.parcel_key = l.parcel_key
    WHERE NOT EXISTS (SELECT 1 FROM ${change} c WHERE c.state = $1 AND c.id = p.id)`,
    [state, ...names.map((name) => leaving.map((one) => one[name]))],
  )
}

const leavingText = ({ change }: Staging) => `${change} c
  JOIN parcels p ON p.state = $1 AND p.id = c.id WHERE c.state = $1 AND c.what = 'removed'`

/** The scopes of staged, of unchanged and of leaving parcels. */
const scopesText = (staging: Staging) => `${standingText(staging)}
  ${
    staging.leaving === undefined
      ? ''
      : `UNION SELECT p.state, p.fips, p.municipality FROM ${leavingText(staging)}`
  }`

const standingText = ({ staged, hasSeen }: Staging) => `
  SELECT ${hasSeen ? '' : 'DISTINCT'} state, fips, municipality FROM ${staged} WHERE state = $1
  ${hasSeen ? 'UNION SELECT state, fips, municipality FROM seen_scopes WHERE state = $1' : ''}`

/** Fills `change`; the staged rows must be indexed. */
export async function compareStaged(
  client: Client,
  staging: Staging,
  { partial = false, pairs = true }: RollExtent,
): Promise<void> {
  const { state, change } = staging
  const isOther = 'r.field_values <> s.field_values OR r.keys <> s.packed_keys'
  await carryOver(client, staging, `${kept(staging)} AND (${isOther})`)
  await client.query(compareText(staging), [state])
  if (!staging.isShared) await client.query(`CREATE INDEX ON ${change} (state, id)`)
  await analyzeStaging(client, staging, 'change')
  if (staging.leaving !== undefined) return stageLeaving(client, staging, staging.leaving)
  if (partial) return
  await client.query(removedText(staging), [state])
  await analyzeStaging(client, staging, 'change')
  if (!pairs) return
  await client.query('BEGIN')
  const isRenumbered = await renumberStaged(openRollSql(client), staging)
  await client.query('COMMIT')
  if (isRenumbered) await carryOver(client, staging, paired(staging))
}

/** Staged rows `s` that have the ids of stored parcels with other keys. */
const paired = ({ staged, change }: Staging) => `${change} c
  JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
  JOIN records r ON r.state = $1 AND r.id = c.id
  LEFT JOIN geometries g ON g.state = $1 AND g.id = c.id
  WHERE c.state = $1 AND c.what = 'keys'`

/**
 * Gives staged parcels the kept parts of stored records by `record/stored.ts`, and finds those with
 * other keys; SQL cannot compare packed ones. `from`: SQL for these parcels.
 */
async function carryOver(client: Client, staging: Staging, from: string): Promise<void> {
  const { state, staged, carried } = staging
  const differing = `SELECT s.seq, r.field_values AS before, s.field_values AS after, ${KEYS},
      s.keys AS "keysAfter", s.geometry IS NULL AND g.id IS NOT NULL AS "keepsPolygon"
    FROM ${from}`
  let found = 0
  await client.query('BEGIN')
  for await (const rows of walk<Differing>(client, differing, [state])) {
    const joined = rows.flatMap((row) => {
      const { seq, before, after, keys, keysAfter, keepsPolygon } = row
      const fieldValues = carryRecord(before, after, keepsPolygon)
      const rekeyed = unpackHex(keys, before) !== keysAfter
      if (fieldValues === before && !rekeyed) {
        // The same texts, of which the roll has not all.
        const stored = pack(cleanText(fieldValues))
        return [[state, seq, stored, Buffer.from(keys, 'hex'), false]]
      }
      if (fieldValues === after && !rekeyed) return []
      return [[state, seq, ...packRecord(fieldValues, keysAfter), rekeyed]]
    })
    found += joined.length
    if (joined.length > 0) await copyIn(client, carried, joined)
  }
  if (found > 0) {
    await client.query(
      `UPDATE ${staged} s SET field_values = c.field_values, packed_keys = c.keys,
        rekeyed = c.rekeyed
      FROM ${carried} c
      WHERE s.state = $1 AND c.state = $1 AND s.seq = c.seq`,
      [state],
    )
  }
  await client.query('COMMIT')
}

type Differing = {
  seq: number
  before: string
  after: string
  keys: string
  keysAfter: string
  keepsPolygon: boolean
}

export async function hasParcels(client: Client, state: string): Promise<boolean> {
  const text = 'SELECT 1 FROM parcels WHERE state = $1 LIMIT 1'
  return (await client.query(text, [state])).rows.length > 0
}

export async function listStaged(client: Client, staging: Staging): Promise<RollScope[]> {
  return (await client.query<RollScope>(scopesText(staging), [staging.state])).rows
}

/** Returns each staged scope before and after. */
export function readStagedScopes(client: Client, staging: Staging): Promise<ScopeChange[]> {
  return readScopes(openRollSql(client), staging, countStaged(staging))
}

/** Counts the parcels of each scope: staged ones and, in separate rows, unchanged ones. */
function countStaged(staging: Staging): string {
  const { staged, hasSeen, leaving } = staging
  const stagedCounts = `SELECT fips, municipality, ${countsText('filled')}
    FROM ${staged} WHERE state = $1 GROUP BY fips, municipality`
  if (leaving !== undefined) {
    return `${stagedCounts} UNION ALL SELECT p.fips, p.municipality, 0, 0, 0
      FROM ${leavingText(staging)} GROUP BY p.fips, p.municipality`
  }
  return hasSeen
    ? `${stagedCounts} UNION ALL SELECT fips, municipality, parcels, owners, addresses
      FROM seen_scopes WHERE state = $1`
    : stagedCounts
}
