/** Both ends of a copy for the embedded store; `copy/tables.ts` lists what is copied. */
import { existsSync } from 'node:fs'
import { CommandError } from '../../base/errors.ts'
import {
  type CopySource,
  type CopyTarget,
  createSource,
  createTarget,
  type SourceParts,
} from '../copy/ends.ts'
import { ROLL_TABLES } from '../copy/tables.ts'
import type { RollSql } from '../rolls/roll-sql.ts'
import { openDatabase, SQLITE, sqliteCode, writing } from './connection.ts'
import { packOwnedSql } from './owned.ts'
import { packKeys } from './packed-keys.ts'
import { renewSumsOfChange, stampWritten } from './page-sums.ts'
import { openRollSql } from './roll-sql.ts'
import { countOwners } from './write/owner-counts.ts'
import { fillPlaces } from './write/place-writer.ts'
import { readLastId } from './write/roll-apply.ts'

type Paths = { parcels: string; accounts: string }

const CACHE_KIB = 131_072

/** What both ends have in common. */
function readParts(parcels: RollSql | undefined, accounts: RollSql | undefined) {
  return {
    sqlOf: (name) => (ROLL_TABLES.some((table) => table.name === name) ? parcels : accounts),
    records: 'parcels p CROSS JOIN records r ON r.id = p.id WHERE p.state = $1',
    belonging: {
      records: 'id IN (SELECT id FROM parcels WHERE state = $1)',
      // It begins with the county because the key does.
      alternate_ids: 'fips IN (SELECT fips FROM parcels WHERE state = $1)',
    },
  } satisfies Partial<SourceParts>
}

/** Opens a snapshot of both files; a missing file counts as empty. */
export function openCopySource(paths: Paths): CopySource {
  const open = (kind: 'parcels' | 'accounts') => {
    if (!existsSync(paths[kind])) return undefined
    const db = openDatabase(paths[kind], { kind, readOnly: true })
    // The snapshot starts with the first read.
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    return db
  }
  if (!existsSync(paths.parcels) && !existsSync(paths.accounts)) {
    throw new CommandError(`there is no data to copy: ${paths.parcels} does not exist`)
  }
  const [parcels, accounts] = [open('parcels'), open('accounts')]
  return createSource({
    ...readParts(parcels && openRollSql(parcels), accounts && openRollSql(accounts)),
    newestId: async () => (parcels === undefined ? 0 : readLastId(parcels)),
    async close() {
      parcels?.close()
      accounts?.close()
    },
  })
}

export function openCopyTarget(paths: Paths): CopyTarget {
  const parcels = openDatabase(paths.parcels, { kind: 'parcels' })
  const accounts = openDatabase(paths.accounts, { kind: 'accounts' })
  parcels.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const rolls = openRollSql(parcels)
  return createTarget({
    ...readParts(rolls, openRollSql(accounts)),
    newestId: async () => readLastId(parcels),
    isBegun: async () => {
      const text = "SELECT 1 AS one FROM sqlite_schema WHERE name = 'copy_progress'"
      return (await rolls.ask(text)).length > 0
    },
    // Each part writes one file; the other file's transaction stays empty.
    transaction: (work) => writing(parcels, () => writing(accounts, work)),
    adapt: (_table, rows) => rows,
    lock: async () => undefined,
    writeRecords: (rows) =>
      rolls.insert(
        'records',
        'id, loaded_at, geojson, field_values, keys',
        rows.map(([, id = 0, loadedAt = 0, geojson = null, fieldValues = '', keys]) => {
          const packed = packKeys(String(keys), JSON.parse(String(keys)))
          return [id, loadedAt, geojson, fieldValues, packed]
        }),
      ),
    isTaken: (error) => sqliteCode(error) === SQLITE.CONSTRAINT,
    async derive(state) {
      const text = `UPDATE records SET sum = record_sum(id, loaded_at, field_values, geojson),
          tile_text = tile_text_of(field_values, geojson),
          owned = (SELECT ${packOwnedSql('p')} FROM parcels p WHERE p.id = records.id)
        WHERE id IN (SELECT id FROM parcels WHERE state = $1)`
      await rolls.run(text, [state])
    },
    // All of it is made again at the end.
    underive: async () => undefined,
    async closeLedger() {
      accounts.exec('UPDATE state SET version = version + 1')
    },
    async finish(newestId) {
      parcels.exec('BEGIN IMMEDIATE')
      parcels
        .prepare("UPDATE counters SET value = max(value, ?) WHERE name = 'parcel'")
        .run(newestId)
      // Versions and changes name imports that are not copied.
      parcels.exec(`DELETE FROM sqlite_sequence WHERE name = 'imports';
        INSERT INTO sqlite_sequence SELECT 'imports', max(
          (SELECT coalesce(max(id), 0) FROM imports),
          (SELECT coalesce(max(import), 0) FROM vintages));
        DELETE FROM grid; DELETE FROM shapes; DELETE FROM point_counts;
        DELETE FROM owner_counts; DELETE FROM shared_owners`)
      fillPlaces(parcels)
      countOwners(parcels, 0)
      parcels.exec('DROP TABLE copy_progress; PRAGMA optimize')
      stampWritten(parcels)
      parcels.exec('COMMIT')
      renewSumsOfChange(parcels)
    },
    async close() {
      parcels.close()
      accounts.close()
    },
  })
}
