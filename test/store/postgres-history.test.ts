import { after, test } from 'node:test'
import { Client } from 'pg'
import { openHistoryReader } from '../../src/store/postgres/open-rolls.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { ensureSchema } from '../../src/store/postgres/schema.ts'
import { openRollEraser } from '../../src/store/postgres/write/roll-eraser.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { testHistory } from './history-suite.ts'

const TABLES = [
  ...['parcels', 'records', 'geometries', 'alternate_ids', 'situs', 'loose_situs'],
  ...[
    'owner_heads',
    'owner_words',
    'owner_deletions',
    'scopes',
    'shapes',
    'imports',
    'import_scopes',
  ],
  ...['import_images', 'versions', 'past_keys', 'vintages', 'lineage'],
].map((table) => `platbook.${table}`)

const missing = whyNoServer()
if (missing !== undefined) {
  test('postgres: the history of imports', { skip: missing }, () => undefined)
} else {
  const server = await shareServer()
  const url = await server.createDatabase('history')
  await ensureSchema(url)
  const admin = new Client(url)
  await admin.connect()
  after(async () => {
    await admin.end()
    await server.stop()
  })
  testHistory(
    'postgres',
    async () => {
      await admin.query(`TRUNCATE ${TABLES}; ALTER SEQUENCE platbook.parcel_ids RESTART`)
      return {
        writer: () => openRollWriter(url),
        history: async () => openHistoryReader(url),
        eraser: () => openRollEraser(url),
        reader: async () => openParcelReader(url),
        rows: async (table) => (await admin.query(`SELECT * FROM platbook.${table}`)).rows,
        async close() {},
      }
    },
    10,
  )
}
