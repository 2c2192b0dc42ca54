import { after, test } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { openParcelReader } from '../../src/store/postgres/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/roll-writer.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { testStore } from './conformance.ts'

const missing = whyNoServer()
if (missing !== undefined)
  test('postgres: the conformance suite', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const url = await server.createDatabase('conformance')
  await migrate(url)
  const admin = new Client(url)
  await admin.connect()
  const reader = openParcelReader(url)
  after(async () => {
    await reader.close()
    await admin.end()
    await server.stop()
  })
  const tables = [
    ...['parcels', 'records', 'record_keys', 'geometries', 'alternate_ids', 'situs'],
    ...['loose_situs', 'owner_heads', 'owner_words', 'owner_deletions', 'scopes'],
  ].map((table) => `platbook.${table}`)

  testStore(
    'postgres',
    async () => {
      await admin.query(`TRUNCATE ${tables}; ALTER SEQUENCE platbook.parcel_ids RESTART`)
      return {
        reader,
        async load(parcels, removeAbsent = true) {
          const writer = await openRollWriter(url)
          await writer.stage(parcels)
          const change = await writer.apply(removeAbsent, 1_750_000_000)
          await writer.discard()
          return change
        },
        async close() {},
      }
    },
    0.2,
  )
}
