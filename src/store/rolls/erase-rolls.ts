/** Reverts loads: undoes the last import of a scope by earlier records, or unloads scopes. */
import { nextTurn } from '../../base/event-loop.ts'
import {
  checkImages,
  type ImportEntry,
  NO_COUNTS,
  NO_NOTE,
  type RollScope,
  type UndoCounts,
} from '../history.ts'
import { forgetOrigins } from '../origins/origin-rows.ts'
import { forgetVersions, pruneToDay } from '../versions/forget.ts'
import { dropPast } from '../versions/past.ts'
import { createAfterWriter } from './after-writer.ts'
import { addImport, addScopes, dropImages, NO_IDS } from './import-rows.ts'
import { type KeptParts, readKept, withKeys } from './rewrite.ts'
import type { RollSql, StagedState } from './roll-sql.ts'
import { writeScopes } from './staged-rolls.ts'

/** What each database does in its own way. */
export type EraseParts<Staging extends StagedState> = KeptParts<Staging> & {
  /** Empties the staging tables, and locks the states against imports. */
  open(states: string[]): Promise<Staging[]>
  /** Called when all of a state are staged. */
  index?(staging: Staging): Promise<void>
  /** SQL: whether a staged record `s` has other keys than the parcel `p` with the record `r`. */
  hasOtherKeys: string
}

type Erased = Pick<ImportEntry, 'kind' | 'undoes' | 'updated' | 'loaded' | 'removed'>

/**
 * Changes loaded data without a file, each call in one transaction. `loadedAt`: epoch seconds. Ids
 * are never reused: a restored parcel gets its own back.
 */
export type RollEraser = ReturnType<typeof createRollEraser>

export function createRollEraser<Staging extends StagedState>(parts: EraseParts<Staging>) {
  const { sql } = parts
  return {
    /** Counts what `undo` would do. Throws `CommandError` without the earlier records. */
    planUndo: async (entry: ImportEntry) =>
      entry.kind === 'past' ? NO_COUNTS : countUndo(sql, entry),
    async undo(entry: ImportEntry, loadedAt: number) {
      if (entry.kind === 'past') return undoPast(parts, entry, loadedAt)
      const { staged, counts } = await stageUndo(parts, entry)
      await erase(parts, staged, entry.scopes, {
        ...{ kind: 'undo', undoes: entry.id, loadedAt },
        ...{ loaded: counts.returned, updated: counts.restored, removed: counts.removed },
        measuredAt: entry.loadedAt,
      })
      return counts
    },
    async unload(scopes: RollScope[], loadedAt: number) {
      const staged = await parts.open(statesOf(scopes))
      let removed = 0
      for (const scope of scopes) removed += await stageRemoved(sql, staged, scope)
      const none = { undoes: null, loaded: 0, updated: 0, measuredAt: null }
      await erase(parts, staged, scopes, { kind: 'unload', ...none, removed, loadedAt })
      return removed
    },
    /**
     * Forgets what scopes were before their newest roll until a day since 1970-01-01. Returns the
     * number of changes.
     */
    prune: (scopes: RollScope[], day: number) =>
      parts.transact(async () => {
        let pruned = 0
        for (const scope of scopes) pruned += await pruneToDay(sql, scope, day)
        for (const state of statesOf(scopes)) await parts.noteState?.(state)
        return pruned
      }),
    /** As an import stores it after its commit. */
    putSaleTest: createAfterWriter(sql).put,
    close: () => parts.close(),
  }
}

/** IDs that one statement of a count spans: a few milliseconds, after which others have a turn. */
const COUNTED_IDS = 10_000

/** Counts what an undo would change. Nothing is staged or locked, because a page waits for it. */
async function countUndo(sql: RollSql, entry: ImportEntry): Promise<UndoCounts> {
  const { of } = sql.dialect
  const inScope = (table: string) =>
    `${of(table)} ${table}.fips = $2 AND ${table}.municipality = $3`
  let [kept, restored, removed] = [0, 0, 0]
  for (const { state, fips, municipality, firstId, lastId } of entry.scopes) {
    const scope = [state, fips, municipality]
    const [images] = await sql.ask<{ first: number | null; last: number | null }>(
      `SELECT min(i.id) AS first, max(i.id) AS last FROM import_images i WHERE ${inScope('i')}`,
      scope,
    )
    for (const range of rangesOf(Number(images?.first ?? 1), Number(images?.last ?? 0))) {
      const [row] = await sql.ask<{ kept: number; restored: number }>(
        `SELECT count(*) AS kept, count(p.id) AS restored
          FROM import_images i LEFT JOIN parcels p ON ${of('p')} p.id = i.id
          WHERE ${inScope('i')} AND i.id BETWEEN $4 AND $5`,
        [...scope, ...range],
      )
      kept += Number(row?.kept)
      restored += Number(row?.restored)
      await nextTurn()
    }
    for (const range of rangesOf(firstId, lastId)) {
      const [row] = await sql.ask<{ removed: number }>(
        `SELECT count(*) AS removed FROM parcels p
          WHERE ${inScope('p')} AND p.id BETWEEN $4 AND $5`,
        [...scope, ...range],
      )
      removed += Number(row?.removed)
      await nextTurn()
    }
  }
  checkImages(entry, kept)
  return { removed, restored, returned: kept - restored }
}

function* rangesOf(first: number, last: number): Generator<[number, number]> {
  for (let at = first; at <= last; at += COUNTED_IDS) {
    yield [at, Math.min(at + COUNTED_IDS - 1, last)]
  }
}

function statesOf(scopes: readonly RollScope[]): string[] {
  return [...new Set(scopes.map(({ state }) => state))]
}

/** Stages the earlier records, and the parcels that the import added as removed. */
async function stageUndo<Staging extends StagedState>(
  parts: EraseParts<Staging>,
  entry: ImportEntry,
): Promise<{ staged: Staging[]; counts: UndoCounts }> {
  const staged = await parts.open(statesOf(entry.scopes))
  let [kept, removed, returned] = [0, 0, 0]
  for (const scope of entry.scopes) {
    const own = staged.find(({ state }) => state === scope.state)
    kept += own === undefined ? 0 : await stageImages(parts, own, scope)
  }
  checkImages(entry, kept)
  for (const own of staged) {
    await parts.index?.(own)
    returned += await compareImages(parts, own)
  }
  // Last, as in the changes of an import.
  for (const scope of entry.scopes) removed += await stageRemoved(parts.sql, staged, scope)
  return { staged, counts: { removed, restored: kept - returned, returned } }
}

/** Records read at a time. */
const IMAGES = 2000

/** Stages the earlier records of a scope, and returns their number. */
async function stageImages<Staging extends StagedState>(
  { sql, stage }: EraseParts<Staging>,
  staging: Staging,
  { state, fips, municipality }: RollScope,
): Promise<number> {
  const { of, keys } = sql.dialect
  for (let [after, staged] = [0, 0]; ; ) {
    const rows = await sql.ask<Record<string, unknown>>(
      `SELECT r.*, ${keys} AS keys FROM import_images r
        WHERE ${of('r')} r.fips = $2 AND r.municipality = $3 AND r.id > $4
        ORDER BY r.id LIMIT ${IMAGES}`,
      [state, fips, municipality, after],
    )
    const images = rows.map((row) => readKept(withKeys(sql, row)))
    await stage(staging, images)
    staged += images.length
    if (images.length < IMAGES) return staged
    after = images.at(-1)?.id ?? 0
  }
}

/** Notes the change of each staged record; returns how many are of parcels that are gone. */
async function compareImages<Staging extends StagedState>(
  { sql, hasOtherKeys }: EraseParts<Staging>,
  { state, staged, change }: Staging,
): Promise<number> {
  const { of } = sql.dialect
  await sql.run(
    `INSERT INTO ${change} (state, seq, id, what)
      SELECT s.state, s.seq, s.seq,
        CASE WHEN p.id IS NULL THEN 'new' WHEN ${hasOtherKeys} THEN 'keys' ELSE 'record' END
      FROM ${staged} s LEFT JOIN parcels p ON ${of('p')} p.id = s.seq
        LEFT JOIN records r ON ${of('r')} r.id = s.seq
      WHERE s.state = $1 ORDER BY s.seq`,
    [state],
  )
  const [row] = await sql.ask<{ n: number }>(
    `SELECT count(*) AS n FROM ${change} WHERE state = $1 AND what = 'new'`,
    [state],
  )
  return Number(row?.n)
}

/** Marks parcels of a scope as removed; for an undo, those that the import added. */
async function stageRemoved(
  sql: RollSql,
  staged: readonly StagedState[],
  scope: RollScope & { firstId?: number; lastId?: number },
): Promise<number> {
  const { state, fips, municipality, firstId = 0, lastId = Number.MAX_SAFE_INTEGER } = scope
  const change = staged.find((one) => one.state === state)?.change
  return sql.run(
    `INSERT INTO ${change} (state, seq, id, what)
      SELECT p.state, CAST(NULL AS bigint), p.id, 'removed' FROM parcels p
      WHERE ${sql.dialect.of('p')} p.fips = $2 AND p.municipality = $3 AND p.id BETWEEN $4 AND $5`,
    [state, fips, municipality, firstId, lastId],
  )
}

/** Takes an earlier roll out of the history; no parcel changes. */
async function undoPast<Staging extends StagedState>(
  parts: EraseParts<Staging>,
  { scopes, id }: ImportEntry,
  loadedAt: number,
): Promise<UndoCounts> {
  const { sql } = parts
  await parts.open(statesOf(scopes))
  await parts.transact(async () => {
    const none = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
    const own = { kind: 'undo' as const, undoes: id, loadedAt }
    const undo = await addImport(sql, { ...NO_NOTE, ...none, ...own })
    await dropPast(sql, scopes, id)
    await addScopes(sql, undo, scopes, { ...NO_IDS, images: 0 })
    for (const state of statesOf(scopes)) await parts.noteState?.(state)
  })
  return NO_COUNTS
}

/** Applies staged changes, and deletes earlier records and the quality of `measuredAt`. */
async function erase<Staging extends StagedState>(
  parts: EraseParts<Staging>,
  staged: Staging[],
  scopes: RollScope[],
  { measuredAt, ...erased }: Erased & { loadedAt: number; measuredAt: number | null },
): Promise<void> {
  const { sql } = parts
  const { loadedAt, undoes } = erased
  for (const own of staged) await parts.prepare?.(own)
  await parts.transact(async () => {
    const id = await addImport(sql, { ...NO_NOTE, unchanged: 0, ...erased })
    await parts.apply(staged, scopes, { id, loadedAt })
    await writeScopes(sql, scopes, loadedAt, true)
    await dropImages(sql, scopes)
    await addScopes(sql, id, scopes, NO_IDS)
    await forgetVersions(sql, scopes, undoes)
    for (const { state, fips } of scopes) {
      const text = 'DELETE FROM qualities WHERE state = $1 AND fips = $2 AND loaded_at = $3'
      await sql.run(text, [state, fips, measuredAt])
    }
    for (const state of statesOf(scopes)) {
      await forgetState(sql, state)
      await forgetOrigins(sql, state, undoes)
      await parts.noteState?.(state)
    }
  })
}

/** Words of owners and streets are stored per state and removed with its last parcel. */
async function forgetState(sql: RollSql, state: string): Promise<void> {
  for (const table of ['loose_situs', 'owner_deletions']) {
    await sql.run(
      `DELETE FROM ${table} WHERE state = $1
        AND NOT EXISTS (SELECT 1 FROM parcels p WHERE p.state = $1)`,
      [state],
    )
  }
}
