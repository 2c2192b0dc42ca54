/** Writes rolls into `parcels.db`: into an empty store directly, else by differences. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../../base/at-end.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { lockImport } from '../../data-folder.ts'
import { createAfterWriter } from '../../rolls/after-writer.ts'
import type { RollWriter } from '../../store.ts'
import { checkpoint } from '../checkpoint.ts'
import { openDatabase } from '../connection.ts'
import { readStamp, renewSumsOfLoad } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import { isEmpty, openFirstLoad } from './first-load.ts'
import type { Opened } from './roll-common.ts'
import { openRefresh } from './roll-refresh.ts'

/** Page cache in KiB; a first load, which appends to trees, needs few pages. */
const FIRST_KIB = 8192
const REFRESH_KIB = 65_536

/** Opens a writer on a data folder, whose import lock it takes. `loadedAt`: epoch seconds. */
export function openRollWriter(dataDir: string, loadedAt: number): RollWriter {
  const unlock = lockImport(dataDir)
  try {
    const { db, stagingDir } = attachStaging(dataDir)
    const sql = openRollSql(db)
    const before = readStamp(db)
    const first = isEmpty(db)
    db.exec(`PRAGMA cache_size = -${first ? FIRST_KIB : REFRESH_KIB}`)
    return {
      ...(first ? openFirstLoad(db, sql, loadedAt) : openRefresh(db, sql, loadedAt)),
      after: createAfterWriter(sql),
      async discard() {
        using _end = atEnd(unlock)
        using _staging = atEnd(() => rmSync(stagingDir, { recursive: true, force: true }))
        using _db = atEnd(() => db.close())
        if (db.isTransaction) {
          db.exec('ROLLBACK')
          checkpoint(db)
        }
        if (readStamp(db) !== before) await renewSumsOfLoad(db)
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Opens the store of a data folder with an empty staging file attached. */
export function attachStaging(dataDir: string): Opened {
  const stagingDir = join(dataDir, 'staging')
  rmSync(stagingDir, { recursive: true, force: true })
  makePrivateFolder(stagingDir)
  // Large sorts use temporary files in the data folder, where the operator expects to need space.
  process.env.SQLITE_TMPDIR = stagingDir
  const db = openDatabase(join(dataDir, 'parcels.db'), { kind: 'parcels' })
  db.exec(`PRAGMA cache_size = -${REFRESH_KIB}; PRAGMA temp_store = FILE`)
  db.prepare('ATTACH ? AS staging').run(join(stagingDir, 'roll.db'))
  // The driver's defensive mode forbids turning the journal off; this file needs none.
  db.enableDefensive(false)
  db.exec('PRAGMA staging.journal_mode = OFF; PRAGMA staging.synchronous = OFF')
  db.enableDefensive(true)
  return { db, stagingDir }
}
