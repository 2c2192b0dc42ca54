/**
 * Writes rolls into `parcels.db`. Readers see the old roll until the commit and the new one after
 * it. A store with data is refreshed by differences; an empty one is filled directly.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../../../base/at-end.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import type { AfterWriter } from '../../changes.ts'
import { lockImport } from '../../data-folder.ts'
import { createAfterWriter } from '../../rolls/after-writer.ts'
import type { RollWriter } from '../../store.ts'
import { checkpoint, emptyLog } from '../checkpoint.ts'
import { openDatabase, writing } from '../connection.ts'
import { stampWritten, writePageSums } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'
import type { Opened } from './roll-common.ts'
import { isEmpty, openFirstLoad } from './roll-first.ts'
import { openRefresh } from './roll-refresh.ts'

/**
 * Page cache in KiB; a sort may use as much again. A first load appends to the trees, which needs
 * few pages (docs/decisions/imports.md).
 */
const FIRST_KIB = 8192
const REFRESH_KIB = 65_536

/**
 * Opens a writer on the store in a data folder. The import lock, which it takes, guarantees a
 * single writer. `loadedAt`: epoch seconds that `apply` will get.
 */
export function openRollWriter(dataDir: string, loadedAt?: number): RollWriter {
  const unlock = lockImport(dataDir)
  try {
    const { db, stagingDir } = attachStaging(dataDir)
    const first = isEmpty(db)
    db.exec(`PRAGMA cache_size = -${first ? FIRST_KIB : REFRESH_KIB}`)
    return {
      ...(first ? openFirstLoad(db, loadedAt) : openRefresh(db)),
      after: openAfterWriter(db),
      discard() {
        using _end = atEnd(unlock)
        close(db)
        rmSync(stagingDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

function close(db: DatabaseSync): void {
  if (db.isTransaction) {
    db.exec('ROLLBACK')
    checkpoint(db)
  }
  db.close()
}

/** The caller holds the import lock. */
export function openAfterWriter(db: DatabaseSync): AfterWriter {
  const writer = createAfterWriter(openRollSql(db), (work) =>
    writing(db, async () => {
      await work()
      stampWritten(db)
    }),
  )
  return {
    ...writer,
    async renewSums() {
      if (await emptyLog(db)) writePageSums(db)
    },
  }
}

/** Opens the store of a data folder with an empty staging file attached. */
export function attachStaging(dataDir: string): Opened {
  const stagingDir = join(dataDir, 'staging')
  rmSync(stagingDir, { recursive: true, force: true })
  makePrivateFolder(stagingDir)
  // Large sorts use temporary files in the data folder, where the operator expects to need space.
  process.env.SQLITE_TMPDIR = stagingDir
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
  })
  db.exec(`PRAGMA cache_size = -${REFRESH_KIB}; PRAGMA temp_store = FILE`)
  db.prepare('ATTACH ? AS staging').run(join(stagingDir, 'roll.db'))
  // The driver's defensive mode forbids turning the journal off; this file is temporary and needs
  // none.
  db.enableDefensive(false)
  db.exec('PRAGMA staging.journal_mode = OFF; PRAGMA staging.synchronous = OFF')
  db.enableDefensive(true)
  return { db, stagingDir }
}
