import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openHistoryReader } from '../../src/store/open-rolls.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { openRollEraser } from '../../src/store/sqlite/write/roll-eraser.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import { repetitions } from '../repetitions.ts'
import { type HistoryUnderTest, testHistory } from './history-suite.ts'

async function open(): Promise<HistoryUnderTest> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-history-'))
  const path = join(data, 'parcels.db')
  const options = { kind: 'parcels', synchronous: 'NORMAL' } as const
  openDatabase(path, options).close()
  return {
    writer: async () => openRollWriter(data, 1_750_000_000),
    history: async () => openHistoryReader(openDatabase(path, { ...options, readOnly: true })),
    eraser: async () => openRollEraser(data),
    async reader() {
      const db = openDatabase(path, { ...options, readOnly: true })
      return { ...openParcelReader(db), close: async () => db.close() }
    },
    placeTables: ['grid', 'point_counts'],
    async rows(table) {
      const db = new DatabaseSync(path, { readOnly: true })
      const rows = db.prepare(`SELECT * FROM ${table}`).all()
      db.close()
      return rows
    },
    close: async () => rmSync(data, { recursive: true, force: true }),
  }
}

testHistory('sqlite', open, repetitions(8))
