/**
 * Writes rolls into `parcels.db`. Readers see the old roll until the commit and the new one after
 * it, whichever way it is written: what a store holds is refreshed by its differences, an empty one
 * is filled directly.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../../private-files.ts'
import type { RollWriter } from '../../store.ts'
import { openDatabase } from '../connection.ts'
import type { Opened } from './roll-common.ts'
import { isEmpty, openFirstLoad } from './roll-first.ts'
import { openRefresh } from './roll-refresh.ts'

/**
 * Pages held in memory, KiB; a sort takes up to as much again. A first load appends to its trees,
 * which needs few of them (docs/decisions/imports.md).
 */
const FIRST_KIB = 8192
const REFRESH_KIB = 65_536
/** What WAL may keep on disk after a checkpoint, bytes. */
const JOURNAL_LIMIT = 67_108_864

/**
 * Opens a writer on the store in a data folder; one at a time, which the importer's lock sees to.
 * `loadedAt`: epoch seconds that `apply` will be given.
 */
export function openRollWriter(dataDir: string, loadedAt?: number): RollWriter {
  const opened = attachStaging(dataDir)
  const first = isEmpty(opened.db)
  opened.db.exec(`PRAGMA cache_size = -${first ? FIRST_KIB : REFRESH_KIB}`)
  return first ? openFirstLoad(opened, loadedAt) : openRefresh(opened)
}

/** Opens the store of a data folder with an empty staging file beside it. */
export function attachStaging(dataDir: string): Opened {
  const stagingDir = join(dataDir, 'staging')
  rmSync(stagingDir, { recursive: true, force: true })
  makePrivateFolder(stagingDir)
  // Big sorts spill into the data folder, where the operator expects the space to be used.
  process.env.SQLITE_TMPDIR = stagingDir
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    migrations: 'parcels',
    synchronous: 'NORMAL',
  })
  db.exec(`PRAGMA cache_size = -${REFRESH_KIB}; PRAGMA temp_store = FILE;
    PRAGMA journal_size_limit = ${JOURNAL_LIMIT}`)
  db.prepare('ATTACH ? AS staging').run(join(stagingDir, 'roll.db'))
  // No journal is what the driver's defensive mode forbids; this file goes away whatever happens.
  db.enableDefensive(false)
  db.exec('PRAGMA staging.journal_mode = OFF; PRAGMA staging.synchronous = OFF')
  db.enableDefensive(true)
  return { db, stagingDir }
}
