/** Owner searches over SQLite that take several slices of a walk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import { parcels, testOwnerSlices } from './owner-slices-suite.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-slices-'))
const db = openDatabase(join(data, 'parcels.db'), { kind: 'parcels', synchronous: 'NORMAL' })
after(() => {
  db.close()
  rmSync(data, { recursive: true, force: true })
})
const writer = await openRollWriter(data, 1_750_000_000)
await writer.stage(parcels)
await writer.apply()
await writer.discard()

testOwnerSlices(openParcelReader(db))
