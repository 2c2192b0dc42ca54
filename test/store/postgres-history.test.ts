import { after, test } from 'node:test'
import { Client } from 'pg'
import { openHistoryReader } from '../../src/store/postgres/open-rolls.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollEraser } from '../../src/store/postgres/write/roll-eraser.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG } from '../repetitions.ts'
import { testHistory } from './history-suite.ts'
import { EMPTY } from './postgres-suite.ts'

const missing = whyNoServer()
if (missing !== undefined) {
  test('postgres: the history of imports', { skip: missing }, () => undefined)
} else {
  const server = await shareServer()
  const url = await server.createDatabase('history')
  const admin = new Client(url)
  await admin.connect()
  after(async () => {
    await admin.end()
    await server.stop()
  })
  testHistory(
    'postgres',
    async () => {
      await admin.query(EMPTY)
      return {
        writer: () => openRollWriter(url, { loadedAt: 1_750_000_000 }),
        history: async () => openHistoryReader(url),
        eraser: () => openRollEraser(url),
        reader: async () => openParcelReader(url),
        placeTables: [],
        rows: async (table) => (await admin.query(`SELECT * FROM platbook.${table}`)).rows,
        async close() {},
      }
    },
    IS_LONG ? 20 : 2,
  )
}
