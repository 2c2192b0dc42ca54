/**
 * Rewrites single parcels of the embedded store while the service runs, and while an import runs
 * except during its last transaction.
 */
import type { DatabaseSync } from 'node:sqlite'
import { deletions } from '../../../base/word-edits.ts'
import type { RollScope } from '../../history.ts'
import { hideRows } from '../../origins/hide-rows.ts'
import { openOriginRows } from '../../origins/origin-rows.ts'
import {
  type KeptParcel,
  lostKeys,
  type Rewrite,
  type RollRewriter,
  readKept,
  readKeptKeys,
  readScanned,
} from '../../rewrite.ts'
import { forgetTokens } from '../../roll-tokens.ts'
import { type LostKeys, rewriteKept } from '../../versions/rewrite.ts'
import { emptyLog } from '../checkpoint.ts'
import { openDatabase, writing } from '../connection.ts'
import { stampWritten, writePageSums } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { applyChanges } from './roll-apply.ts'
import { prepareStaging } from './roll-refresh.ts'
import { PARCEL_COLUMNS, parcelValues } from './staged-columns.ts'

/** Longest wait for another writer, such as the last transaction of an import. */
const PATIENCE_MS = 600_000

/** Opens `parcels.db` in a data folder; staging tables are in memory. */
export function openRollRewriter(path: string): RollRewriter {
  const db = openDatabase(path, { kind: 'parcels', synchronous: 'FULL' })
  db.exec('PRAGMA secure_delete = ON')
  return {
    async scan(test) {
      const rows = db.prepare(`SELECT p.id, p.state, p.fips, p.municipality, p.stripped_key, p.zip,
        r.keys
        FROM parcels p JOIN records r ON r.id = p.id`)
      const found: { state: string; id: number }[] = []
      for (const row of rows.iterate()) {
        const kept = readKeptKeys(row)
        if (test(kept)) found.push({ state: kept.state, id: kept.id })
      }
      return found
    },
    async scanRecords(test) {
      const rows = db.prepare(
        'SELECT p.id, p.state, p.fips, r.field_values FROM parcels p JOIN records r ON r.id = p.id',
      )
      const found: { state: string; id: number }[] = []
      for (const row of rows.iterate()) {
        const record = readScanned(row)
        if (test(record)) found.push({ state: record.state, id: Number(row.id) })
      }
      return found
    },
    async rewrite(parcels, rewrite, now) {
      db.exec("ATTACH ':memory:' AS staging")
      try {
        prepareStaging(db)
        db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
        const ids = parcels.map(({ id }) => id)
        const work = () => rewriteAll(db, ids, rewrite, now)
        const { counts, isChanged } = await writing(db, work)
        // The log contains the old records.
        if (isChanged && (await emptyLog(db))) writePageSums(db)
        return counts
      } finally {
        db.exec('DETACH staging')
      }
    },
    async hideRows(parcels, isHidden) {
      const states = db.prepare('SELECT DISTINCT state FROM main.kept_rows').all()
      for (const state of states.map((one) => String(one.state))) {
        const ids = parcels.filter((one) => one.state === state).map(({ id }) => id)
        db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
        const written = await writing(db, async () => {
          const own = await hideRows(openOriginRows(openRollSql(db), state), ids, isHidden)
          if (own > 0) stampWritten(db)
          return own
        })
        if (written > 0 && (await emptyLog(db))) writePageSums(db)
      }
    },
    async close() {
      db.close()
    },
  }
}

async function rewriteAll(db: DatabaseSync, ids: number[], rewrite: Rewrite, now: number) {
  const select = db.prepare(`SELECT p.*, r.field_values, r.keys, g.geojson AS geometry
    FROM parcels p JOIN records r ON r.id = p.id LEFT JOIN geometries g ON g.id = p.id
    WHERE p.id = ?`)
  const stage = db.prepare(`INSERT INTO staging.staged
    (seq, row, variant, ${PARCEL_COLUMNS}, field_values, keys, geometry)
    VALUES (?1, ?1, '', ${PARCEL_COLUMNS.split(',')
      .map(() => '?')
      .join(', ')}, ?, ?, ?)`)
  const change = db.prepare('INSERT INTO staging.change (seq, id, what) VALUES (?, ?, ?)')
  const scopes = new Map<string, RollScope>()
  const lost: { state: string; keys: LostKeys }[] = []
  const counts = { changed: 0, removed: 0 }
  for (const id of ids) {
    const row = select.get(id)
    const kept = row && readKept(row)
    const next = kept && rewrite(kept)
    if (kept === undefined || next === undefined) continue
    const { state, fips, municipality } = kept
    scopes.set(`${fips} ${municipality}`, { state, fips, municipality })
    lost.push({ state, keys: [kept.keys, next === 'removed' ? undefined : next.keys] })
    if (next === 'removed') {
      change.run(null, id, 'removed')
      counts.removed += 1
    } else {
      stage.run(id, ...parcelValues(next), next.fieldValues, next.keys, next.geometry)
      change.run(id, id, 'keys')
      counts.changed += 1
    }
  }
  rewriteImages(db, rewrite)
  const sql = openRollSql(db)
  const versions = await sql.ask<{ state: string }>('SELECT DISTINCT state FROM versions')
  for (const { state } of versions) {
    const kept = await rewriteKept(sql, state, rewrite, ids)
    lost.push(...kept.map((keys) => ({ state, keys })))
  }
  if (lost.length === 0) return { counts, isChanged: false }
  if (counts.changed + counts.removed > 0) {
    const own = [...scopes.values()]
    // The number that the next import gets.
    const id = readLastImport(db) + 1
    await applyChanges(db, { scopes: own, loadedAt: now, id, restores: true })
    await forgetTokens(sql, own)
  }
  for (const { state, keys } of lost) forgetKeys(db, state, ...keys)
  stampWritten(db)
  return { counts, isChanged: true }
}

function readLastImport(db: DatabaseSync): number {
  const row = db.prepare("SELECT seq FROM main.sqlite_sequence WHERE name = 'imports'").get()
  return Number(row?.seq ?? 0)
}

/** Rewrites the records that an undo would restore. A removed one counts as never stored. */
function rewriteImages(db: DatabaseSync, rewrite: Rewrite): void {
  const columns = PARCEL_COLUMNS.split(/,\s*/)
  const update =
    db.prepare(`UPDATE import_images SET ${columns.map((name) => `${name} = ?`).join(', ')},
    field_values = ?, keys = ?, geometry = ? WHERE id = ?`)
  const erase = db.prepare('DELETE FROM import_images WHERE id = ?')
  const recount = db.prepare(`UPDATE import_scopes SET images = images - 1
    WHERE fips = ?1 AND municipality = ?2 AND import = (SELECT max(import) FROM import_scopes
      WHERE fips = ?1 AND municipality = ?2 AND images > 0)`)
  const images = db.prepare('SELECT * FROM import_images').iterate()
  const work: [KeptParcel, KeptParcel | 'removed'][] = []
  for (const row of images) {
    const kept = readKept(row)
    const next = rewrite(kept)
    if (next !== undefined) work.push([kept, next])
  }
  for (const [{ id, fips, municipality }, next] of work) {
    if (next === 'removed') {
      erase.run(id)
      recount.run(fips, municipality)
    } else update.run(...parcelValues(next), next.fieldValues, next.keys, next.geometry, id)
  }
}

/**
 * Deletes words and streets that no parcel has any more. Usually the lists may keep them, but not
 * after a suppression.
 */
function forgetKeys(
  db: DatabaseSync,
  state: string,
  before: string,
  after: string | undefined,
): void {
  const { words, situs } = lostKeys(before, after)
  const known = db.prepare(`SELECT 1 FROM owner_words WHERE state = ?1 AND word = ?2
    UNION ALL SELECT 1 FROM owner_heads WHERE state = ?1 AND head = ?2 LIMIT 1`)
  const forget = db.prepare(
    'DELETE FROM owner_deletions WHERE state = ? AND deletion = ? AND word = ?',
  )
  for (const word of words) {
    if (known.get(state, word) !== undefined) continue
    for (const deletion of deletions(word)) forget.run(state, deletion, word)
  }
  const stands = db.prepare('SELECT 1 FROM situs WHERE state = ? AND key = ? LIMIT 1')
  const close = db.prepare('DELETE FROM loose_situs WHERE state = ? AND loose_key = ? AND key = ?')
  for (const [key, loose] of situs) {
    if (stands.get(state, key) === undefined) close.run(state, loose, key)
  }
}
