/**
 * Rewrites single parcels in PostgreSQL. A state is locked as by an import; if it is being loaded,
 * this waits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'
import { deletions } from '../../../base/word-edits.ts'
import { noteChanges } from '../../change-rows.ts'
import { columnValues } from '../../columns.ts'
import type { RollScope } from '../../history.ts'
import { hideRows } from '../../origins/hide-rows.ts'
import { openOriginRows } from '../../origins/origin-rows.ts'
import {
  lostKeys,
  type Rewrite,
  type Rewritten,
  type RollRewriter,
  readKept,
  readKeptKeys,
  readScanned,
} from '../../rewrite.ts'
import { forgetTokens } from '../../roll-tokens.ts'
import type { StagedParcel } from '../../store.ts'
import { type LostKeys, rewriteKept } from '../../versions/rewrite.ts'
import { isSpread } from '../citus.ts'
import { KEYS, packRecord, unpackKeys } from '../pack/records.ts'
import { connectKept, describeServer, rollConfig } from '../pool/connection.ts'
import { asDriverError, explainOpening } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges, PARCEL_COLUMNS, prepareChanges, writeScopes } from './roll-apply.ts'
import { dropStaging, makeStaging, type Staging, stageParcels } from './roll-staging.ts'

/** Rows read at a time; and number of attempts to lock a state, one per second. */
const SLICE = 5000
const TRIES = 600

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export async function openRollRewriter(url: string): Promise<RollRewriter> {
  const where = describeServer(url)
  const settings = { work_mem: '64MB' }
  const client = await connectKept(rollConfig(url, 0, settings)).catch((error: unknown) => {
    throw explainOpening(asDriverError(error), where)
  })
  const spread = await isSpread(client)
  return {
    async scan(test) {
      const found: { state: string; id: number }[] = []
      const columns = `p.fips, p.municipality, p.stripped_key, p.zip, r.field_values, ${KEYS}`
      for await (const row of walkStates(client, where, columns)) {
        const kept = readKeptKeys(withKeys(row))
        if (test(kept)) found.push({ state: kept.state, id: kept.id })
      }
      return found
    },
    async scanRecords(test) {
      const found: { state: string; id: number }[] = []
      for await (const row of walkStates(client, where, 'p.fips, r.field_values')) {
        const record = readScanned(row)
        if (test(record)) found.push({ state: record.state, id: Number(row.id) })
      }
      return found
    },
    async rewrite(parcels, rewrite, now) {
      const counts = { changed: 0, removed: 0 }
      // A suppression may match earlier records even when it matches no stored parcel.
      const kept = await ask(client, where, 'SELECT DISTINCT state FROM import_images')
      const earlier = await ask(client, where, 'SELECT DISTINCT state FROM versions')
      const states = new Set([...parcels, ...kept, ...earlier].map(({ state }) => String(state)))
      for (const state of [...states].sort()) {
        const staging = await lockAndStage(client, state, where, spread)
        const ids = parcels.filter((one) => one.state === state).map(({ id }) => id)
        try {
          const own = await rewriteState(client, staging, ids, rewrite, now)
          counts.changed += own.changed
          counts.removed += own.removed
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined)
          throw explainOpening(asDriverError(error), where)
        } finally {
          await dropStaging(client, staging)
          await client.query('SELECT pg_advisory_unlock_all()')
        }
      }
      return counts
    },
    async hideRows(parcels, isHidden) {
      const states = await ask(client, where, 'SELECT DISTINCT state FROM kept_rows')
      for (const state of states.map((one) => String(one.state))) {
        const ids = parcels.filter((one) => one.state === state).map(({ id }) => id)
        await ask(client, where, 'BEGIN')
        try {
          await hideRows(openOriginRows(openRollSql(client), state), ids, isHidden)
          await client.query('COMMIT')
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined)
          throw explainOpening(asDriverError(error), where)
        }
      }
    },
    close: () => client.end(),
  }
}

/** Unpacks the keys of a row that were read by `KEYS`. */
function withKeys(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row, keys: unpackKeys(String(row.keys), String(row.field_values)) }
}

/** Yields the parcels of all states, each with its record, by state and id. */
async function* walkStates(
  client: Client,
  where: string,
  columns: string,
): AsyncGenerator<Record<string, unknown>> {
  const states = await ask(client, where, 'SELECT DISTINCT state FROM scopes')
  for (const { state } of states) {
    for (let after = 0; ; ) {
      const rows = await ask(
        client,
        where,
        `SELECT p.id, p.state, ${columns} FROM parcels p
        JOIN records r ON r.state = $1 AND r.id = p.id
        WHERE p.state = $1 AND p.id > $2 ORDER BY p.id LIMIT ${SLICE}`,
        [state, after],
      )
      yield* rows
      if (rows.length < SLICE) break
      after = Number(rows.at(-1)?.id)
    }
  }
}

/** Returns a statement's rows. Throws `CommandError` when a server or a node is unreachable. */
async function ask(
  client: Client,
  where: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  try {
    return (await client.query(text, values)).rows
  } catch (error) {
    throw explainOpening(asDriverError(error), where)
  }
}

async function lockAndStage(client: Client, state: string, where: string, spread: boolean) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await makeStaging(client, state, where, spread)
    } catch (error) {
      if (!(error instanceof CommandError) || tries === TRIES) throw explainOpening(error, where)
      await sleep(1000)
    }
  }
}

async function rewriteState(
  client: Client,
  staging: Staging,
  ids: number[],
  rewrite: Rewrite,
  now: number,
): Promise<Rewritten> {
  const sql = openRollSql(client)
  const { state, change } = staging
  const { rows } = await client.query(
    `SELECT p.*, r.field_values, ${KEYS}, g.geojson AS geometry FROM parcels p
    JOIN records r ON r.state = $1 AND r.id = p.id
    LEFT JOIN geometries g ON g.state = $1 AND g.id = p.id
    WHERE p.state = $1 AND p.id = ANY($2::bigint[])`,
    [state, ids],
  )
  const counts = { changed: 0, removed: 0 }
  const staged: StagedParcel[] = []
  const lost: LostKeys[] = []
  const scopes = new Map<string, RollScope>()
  const changes: { seq: number | null; id: number; what: string }[] = []
  for (const kept of rows.map(withKeys).map(readKept)) {
    const next = rewrite(kept)
    if (next === undefined) continue
    const { id, fips, municipality } = kept
    scopes.set(`${fips} ${municipality}`, { state, fips, municipality })
    lost.push([kept.keys, next === 'removed' ? undefined : next.keys])
    if (next === 'removed') {
      changes.push({ seq: null, id, what: 'removed' })
      counts.removed += 1
    } else {
      staged.push({ ...next, row: id, identity: next.strippedKey })
      changes.push({ seq: staged.length, id, what: 'keys' })
      counts.changed += 1
    }
  }
  const placed = staged.map((parcel, at) => ({ seq: at + 1, parcel }))
  if (placed.length > 0) await stageParcels(client, staging, placed)
  await client.query(
    `INSERT INTO ${change} (state, seq, id, what) SELECT $1, c.seq, c.id, c.what
      FROM unnest($2::bigint[], $3::bigint[], $4::text[]) c(seq, id, what)`,
    [
      state,
      changes.map(({ seq }) => seq),
      changes.map(({ id }) => id),
      changes.map(({ what }) => what),
    ],
  )
  await prepareChanges(client, staging, true)
  await client.query('BEGIN')
  lost.push(...(await rewriteKept(sql, state, rewrite, ids)))
  if (changes.length > 0) {
    // As in the embedded store: the number that the next import gets.
    const imports = await client.query('SELECT coalesce(max(id), 0) + 1 AS next FROM imports')
    const id = Number(imports.rows[0]?.next)
    await noteChanges(sql, staging, { loadedAt: now, id, restores: true })
    await applyChanges(client, staging, now, () => undefined, { restores: true })
    await writeScopes(client, state, [...scopes.values()], now, true)
    await forgetTokens(sql, [...scopes.values()])
  }
  await rewriteImages(client, state, rewrite)
  for (const [before, after] of lost) await forgetKeys(client, state, before, after)
  await client.query('COMMIT')
  return counts
}

/** Rewrites the records that an undo would restore. A removed one counts as never stored. */
async function rewriteImages(client: Client, state: string, rewrite: Rewrite): Promise<void> {
  const { rows } = await client.query(
    `SELECT r.*, ${KEYS} FROM import_images r WHERE r.state = $1`,
    [state],
  )
  for (const row of rows) {
    const kept = readKept(withKeys(row))
    const next = rewrite(kept)
    if (next === undefined) continue
    const { id, fips, municipality } = kept
    if (next === 'removed') {
      await client.query('DELETE FROM import_images WHERE state = $1 AND id = $2', [state, id])
      await client.query(
        `UPDATE import_scopes SET images = images - 1
        WHERE state = $1 AND fips = $2 AND municipality = $3 AND import = (
          SELECT max(import) FROM import_scopes
          WHERE state = $1 AND fips = $2 AND municipality = $3 AND images > 0)`,
        [state, fips, municipality],
      )
      continue
    }
    const set = PARCEL_COLUMNS.map((name, at) => `${name} = $${at + 6}`)
    // The first column is the state.
    await client.query(
      `UPDATE import_images SET field_values = $3, keys = $4, geometry = $5, ${set.join(', ')}
      WHERE state = $1 AND id = $2`,
      [
        state,
        id,
        ...packRecord(next.fieldValues, next.keys),
        next.geometry,
        ...columnValues(next).slice(1),
      ],
    )
  }
}

/**
 * Deletes words and streets that no parcel has any more. Usually the lists may keep them, but not
 * after a suppression.
 */
async function forgetKeys(
  client: Client,
  state: string,
  before: string,
  after: string | undefined,
): Promise<void> {
  const { words, situs } = lostKeys(before, after)
  for (const word of words) {
    await client.query(
      `DELETE FROM owner_deletions WHERE state = $1 AND deletion = ANY($2) AND word = $3
      AND NOT EXISTS (SELECT FROM owner_words WHERE state = $1 AND word = $3)
      AND NOT EXISTS (SELECT FROM owner_heads WHERE state = $1 AND head = $3)`,
      [state, [...deletions(word)], word],
    )
  }
  for (const [key, loose] of situs) {
    await client.query(
      `DELETE FROM loose_situs WHERE state = $1 AND loose_key = $2 AND key = $3
      AND NOT EXISTS (SELECT FROM situs WHERE state = $1 AND key = $3)`,
      [state, loose, key],
    )
  }
}
