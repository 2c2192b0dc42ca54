/** Rewrites single parcels of the stored rolls, and their earlier records. */
import { deletions } from '../../base/word-edits.ts'
import { COLUMN_NAMES, columnValues } from '../columns.ts'
import type { RollScope } from '../history.ts'
import { hideRows, openOriginRows } from '../origins/origin-rows.ts'
import { type MadeVersion, replaceVersions } from '../versions/keep.ts'
import { readChains } from '../versions/lineage.ts'
import { NAMES_PATTERN, VERSION_KINDS } from '../versions/versions.ts'
import { forgetTokens } from './import-rows.ts'
import {
  type KeptKeys,
  type KeptParcel,
  type KeptParts,
  lostKeys,
  type Rewrite,
  type Rewritten,
  readKept,
  readKeptKeys,
  rewriteVersions,
  withKeys,
} from './rewrite.ts'
import type { RollSql, SqlValue, StagedState } from './roll-sql.ts'
import { writeScopes } from './staged-rolls.ts'

/** Rows read at a time. */
const SLICE = 5000

/** What each database does in its own way. */
export type RewriteParts<Staging extends StagedState> = KeptParts<Staging> & {
  /** Runs `work` with the staging tables of a state while no import writes it. */
  withState<Result>(state: string, work: (staging: Staging) => Promise<Result>): Promise<Result>
  /** The stored form of a record and of its keys. */
  pack(fieldValues: string, keys: string): readonly [SqlValue, SqlValue]
  /** Called when all states are rewritten. */
  finish?(): Promise<void>
}

/** What a scan of records reads: `fieldValues` as in `StoredParcel`. */
type ScannedRecord = Pick<KeptParcel, 'state' | 'fips' | 'fieldValues'>

type FoundParcel = { state: string; id: number }

export type RollRewriter = ReturnType<typeof createRollRewriter>

export function createRollRewriter<Staging extends StagedState>(parts: RewriteParts<Staging>) {
  const { sql } = parts
  return {
    /** Returns all parcels for which `test` is true. Blocks neither readers nor imports. */
    async scan(test: (kept: KeptKeys) => boolean) {
      const found: FoundParcel[] = []
      const columns = `p.fips, p.municipality, p.stripped_key, p.zip, r.field_values,
        ${sql.dialect.keys} AS keys`
      for await (const row of walkParcels(sql, columns)) {
        const kept = readKeptKeys(withKeys(sql, row))
        if (test(kept)) found.push({ state: kept.state, id: kept.id })
      }
      return found
    },
    /** Scans all records in the same way. */
    async scanRecords(test: (record: ScannedRecord) => boolean) {
      const found: FoundParcel[] = []
      for await (const row of walkParcels(sql, 'p.fips, r.field_values')) {
        const record = {
          state: String(row.state),
          fips: Number(row.fips),
          fieldValues: String(row.field_values),
        }
        if (test(record)) found.push({ state: record.state, id: Number(row.id) })
      }
      return found
    },
    /**
     * Rewrites parcels, and the earlier records that an undo would restore; `rewrite` is called for
     * all of them. One transaction per state; each waits for running imports. `now`: epoch seconds.
     */
    async rewrite(parcels: FoundParcel[], rewrite: Rewrite, now: number) {
      const counts: Rewritten = { changed: 0, removed: 0 }
      // A suppression may match earlier records even when it matches no stored parcel.
      const images = await sql.ask<{ state: string }>('SELECT DISTINCT state FROM import_images')
      const earlier = await sql.ask<{ state: string }>('SELECT DISTINCT state FROM versions')
      const states = new Set([...parcels, ...images, ...earlier].map(({ state }) => state))
      for (const state of [...states].sort()) {
        const ids = parcels.filter((one) => one.state === state).map(({ id }) => id)
        const own = await parts.withState(state, (staging) =>
          rewriteState(parts, staging, ids, { rewrite, now }),
        )
        counts.changed += own.changed
        counts.removed += own.removed
      }
      await parts.finish?.()
      return counts
    },
    /** Empties the kept rows of these parcels, and those for which `isHidden` is true. */
    async hideRows(parcels: FoundParcel[], isHidden: (row: readonly string[]) => boolean) {
      const states = await sql.ask<{ state: string }>('SELECT DISTINCT state FROM kept_rows')
      for (const { state } of states) {
        const ids = parcels.filter((one) => one.state === state).map(({ id }) => id)
        await parts.transact(() => hideRows(openOriginRows(sql, state), ids, isHidden))
      }
      await parts.finish?.()
    },
    close: () => parts.close(),
  }
}

type Row = Record<string, unknown>

/** Yields the parcels of all states, each with its record, by state and id. */
async function* walkParcels(sql: RollSql, columns: string): AsyncGenerator<Row> {
  const states = await sql.ask<{ state: string }>('SELECT DISTINCT state FROM scopes')
  for (const { state } of states) {
    for (let after = 0; ; ) {
      const rows = await sql.ask<Row>(
        `SELECT p.id, p.state, ${columns} FROM parcels p
          JOIN records r ON ${sql.dialect.of('r')} r.id = p.id
          WHERE p.state = $1 AND p.id > $2 ORDER BY p.id LIMIT ${SLICE}`,
        [state, after],
      )
      yield* rows
      if (rows.length < SLICE) break
      after = Number(rows.at(-1)?.id)
    }
  }
}

async function rewriteState<Staging extends StagedState>(
  parts: RewriteParts<Staging>,
  staging: Staging,
  ids: readonly number[],
  { rewrite, now }: { rewrite: Rewrite; now: number },
): Promise<Rewritten> {
  const { sql } = parts
  const { state } = staging
  const staged: KeptParcel[] = []
  const removed: number[] = []
  const lost: LostKeys[] = []
  const scopes = new Map<string, RollScope>()
  for (const kept of await readParcels(sql, state, ids)) {
    const next = rewrite(kept)
    if (next === undefined) continue
    const { id, fips, municipality } = kept
    scopes.set(`${fips} ${municipality}`, { state, fips, municipality })
    lost.push([kept.keys, next === 'removed' ? undefined : next.keys])
    if (next === 'removed') removed.push(id)
    else staged.push({ ...next, id })
  }
  await parts.stage(staging, staged)
  await sql.insert(staging.change, 'state, seq, id, what', [
    ...staged.map(({ id }) => [state, id, id, 'keys']),
    ...removed.map((id) => [state, null, id, 'removed']),
  ])
  await parts.prepare?.(staging)
  await parts.transact(async () => {
    for (const one of await rewriteKept(sql, state, rewrite, ids)) lost.push(one)
    if (scopes.size > 0) {
      const own = [...scopes.values()]
      await parts.apply([staging], own, { id: await nextImport(sql), loadedAt: now })
      await writeScopes(sql, own, now, true)
      await forgetTokens(sql, own)
      await parts.noteState?.(state)
    }
    await rewriteImages(parts, state, rewrite)
    for (const [before, after] of lost) await forgetKeys(sql, state, before, after)
  })
  return { changed: staged.length, removed: removed.length }
}

/** A number above those of all imports. A copy has some in its vintages alone. */
async function nextImport(sql: RollSql): Promise<number> {
  const [own] = await sql.ask<{ id: number | null }>('SELECT max(id) AS id FROM imports')
  const [copied] = await sql.ask<{ id: number | null }>('SELECT max(import) AS id FROM vintages')
  return Math.max(Number(own?.id), Number(copied?.id)) + 1
}

async function readParcels(sql: RollSql, state: string, ids: readonly number[]) {
  const { of, isIn, keys } = sql.dialect
  const rows = await sql.ask<Row>(
    `SELECT p.*, r.field_values, ${keys} AS keys, g.geojson AS geometry FROM parcels p
      JOIN records r ON ${of('r')} r.id = p.id
      LEFT JOIN geometries g ON ${of('g')} g.id = p.id
      WHERE p.state = $1 AND p.id ${isIn('$2', 'bigint')}`,
    [state, ids],
  )
  return rows.map((row) => readKept(withKeys(sql, row)))
}

/** Columns of an earlier record after its state. */
const OTHERS = COLUMN_NAMES.slice(1)

/** Rewrites the records that an undo would restore. A removed one counts as never stored. */
async function rewriteImages(
  { sql, pack }: Pick<RewriteParts<StagedState>, 'sql' | 'pack'>,
  state: string,
  rewrite: Rewrite,
): Promise<void> {
  const work: [KeptParcel, KeptParcel | 'removed'][] = []
  const text = `SELECT r.*, ${sql.dialect.keys} AS keys FROM import_images r WHERE r.state = $1`
  for await (const rows of sql.walk<Row>(text, [state])) {
    for (const row of rows) {
      const kept = readKept(withKeys(sql, row))
      const next = rewrite(kept)
      if (next !== undefined) work.push([kept, next])
    }
  }
  for (const [{ id, fips, municipality }, next] of work) {
    if (next === 'removed') {
      await sql.run('DELETE FROM import_images WHERE state = $1 AND id = $2', [state, id])
      await sql.run(
        `UPDATE import_scopes SET images = images - 1
          WHERE state = $1 AND fips = $2 AND municipality = $3 AND import = (
            SELECT max(import) FROM import_scopes
            WHERE state = $1 AND fips = $2 AND municipality = $3 AND images > 0)`,
        [state, fips, municipality],
      )
      continue
    }
    const set = OTHERS.map((name, at) => `${name} = $${at + 6}`)
    await sql.run(
      `UPDATE import_images SET field_values = $3, keys = $4, geometry = $5, ${set.join(', ')}
        WHERE state = $1 AND id = $2`,
      [
        ...[state, id, ...pack(next.fieldValues, next.keys), next.geometry],
        ...columnValues(next).slice(1),
      ],
    )
  }
}

/** Deletes words and streets that no parcel has any more: a suppression may not leave them. */
async function forgetKeys(sql: RollSql, state: string, ...[before, after]: LostKeys) {
  const { words, situs } = lostKeys(before, after)
  for (const word of words) {
    await sql.run(
      `DELETE FROM owner_deletions
        WHERE state = $1 AND deletion ${sql.dialect.isIn('$2', 'text')} AND word = $3
        AND NOT EXISTS (SELECT 1 FROM owner_words WHERE state = $1 AND word = $3)
        AND NOT EXISTS (SELECT 1 FROM owner_heads WHERE state = $1 AND head = $3)`,
      [state, [...deletions(word)], word],
    )
  }
  for (const [key, loose] of situs) {
    await sql.run(
      `DELETE FROM loose_situs WHERE state = $1 AND loose_key = $2 AND key = $3
        AND NOT EXISTS (SELECT 1 FROM situs WHERE state = $1 AND key = $3)`,
      [state, loose, key],
    )
  }
}

const BATCH = 2000

/** Keys of a version in the form of `parcel-keys.ts`; `undefined`: it is gone. */
type LostKeys = [before: string, after: string | undefined]

/**
 * Rewrites the versions of a state's parcels, before their present records. `present`: ids whose
 * present record may be concerned. Returns the keys that they had and have.
 */
async function rewriteKept(
  sql: RollSql,
  state: string,
  rewrite: Rewrite,
  present: readonly number[],
): Promise<LostKeys[]> {
  const { isIn, matches } = sql.dialect
  const lost: LostKeys[] = []
  for (let after = 0; ; ) {
    const rows = await sql.ask<RollScope & { id: number }>(
      `SELECT DISTINCT id, fips, municipality FROM versions
        WHERE state = $1 AND id > $2
          AND (id ${isIn('$3', 'bigint')} OR what = $4 OR difference ${matches} $5)
        ORDER BY id LIMIT ${BATCH}`,
      [state, after, present, VERSION_KINDS.indexOf('removed'), NAMES_PATTERN],
    )
    const chains = await readChains(
      sql,
      state,
      rows.map(({ id }) => id),
    )
    const made: MadeVersion[] = []
    const changed: number[] = []
    for (const { id, fips, municipality } of rows) {
      const scope = { state, fips, municipality }
      const kept = chains(id)
      const next = rewriteVersions(rewrite, scope, kept.present, kept.rows)
      if (next === undefined) continue
      changed.push(id)
      made.push(...next.rows.map((one) => ({ scope, ...one })))
      lost.push(...next.lost)
    }
    await replaceVersions(sql, state, changed, made)
    if (rows.length < BATCH) return lost
    after = rows.at(-1)?.id ?? 0
  }
}
