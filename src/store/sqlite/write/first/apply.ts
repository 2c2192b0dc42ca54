/** Finishes a first load: keys, indexes, facts, places, counts and history, then the commit. */
import { finishFacts } from '../../../facts/write.ts'
import { KEEP_ALL, type LoadedScope, NO_NOTE } from '../../../history.ts'
import { noteLoaded } from '../../../rolls/change-rows.ts'
import { addImport, addScopes, readTokens, writeTokens } from '../../../rolls/import-rows.ts'
import { writeScopes } from '../../../rolls/staged-rolls.ts'
import type { AppliedRoll, Applying, RollChange } from '../../../store.ts'
import { keepLoaded } from '../../../versions/keep.ts'
import { stampWritten } from '../../page-sums.ts'
import { countOwners } from '../owner-counts.ts'
import { fillPlaces } from '../place-writer.ts'
import { finishCommit } from '../roll-common.ts'
import { countFirst } from './compare.ts'
import type { FirstLoad } from './load.ts'

type Applied = Applying & { loadedAt: number }

export async function applyFirst(load: FirstLoad, applying: Applied): Promise<AppliedRoll> {
  const { db, sql, firstId } = load
  const { scopes, ...change } = countFirst(load)
  const steps: (() => unknown)[] = [
    ...load.keys.steps(),
    ...load.indexes
      .filter(({ name }) => name !== 'parcels_identity')
      .map((index) => () => db.exec(index.sql)),
    () => finishFacts(sql, load.facts),
    () => fillPlaces(db),
    () => countOwners(db, firstId - 1),
    () => writeLoaded(load, applying.loadedAt, change.loaded > 0 ? scopes : []),
    () => noteFirst(load, change, applying),
  ]
  for (const [done, step] of steps.entries()) {
    await step()
    applying.onProgress?.((done + 1) / steps.length)
  }
  const tokens = await readTokens(sql)
  db.exec('COMMIT')
  return { change, tokens, ids: load.ids, ...finishCommit(db) }
}

async function writeLoaded(
  { db, sql, lastId, ...load }: FirstLoad,
  loadedAt: number,
  scopes: readonly { fips: number; municipality: string }[],
): Promise<void> {
  if (loadedAt !== load.loadedAt) {
    db.prepare(`UPDATE main.records
      SET loaded_at = ?1, sum = record_sum(id, ?1, field_values, geojson)`).run(loadedAt)
  }
  db.prepare("UPDATE main.counters SET value = ? WHERE name = 'parcel'").run(lastId)
  const own = scopes.map(({ fips, municipality }) => ({ state: '', fips, municipality }))
  await writeScopes(sql, own, loadedAt, true)
}

async function noteFirst(
  { db, sql, firstId, lastId }: FirstLoad,
  change: RollChange,
  { loadedAt, note = NO_NOTE, token = null }: Applied,
): Promise<void> {
  stampWritten(db)
  const scopes = await sql.ask<LoadedScope>(
    'SELECT state, fips, municipality, parcels FROM scopes ORDER BY fips, municipality',
  )
  const entry = { kind: 'import' as const, ...note, ...change, loadedAt, undoes: null }
  const id = await addImport(sql, entry)
  for (const [state, own] of Map.groupBy(scopes, (scope) => scope.state)) {
    await noteLoaded(sql, state, own, { loadedAt, id })
  }
  const keeping = { ...(note.versions ?? KEEP_ALL), source: note.mapping, loadedAt, id }
  await keepLoaded(sql, scopes, keeping)
  await addScopes(sql, id, scopes, { firstId, lastId })
  await writeTokens(sql, scopes, token)
}
