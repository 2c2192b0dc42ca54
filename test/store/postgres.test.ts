import { after, test } from 'node:test'
import { Client } from 'pg'
import { layOutOverCitus } from '../../src/store/postgres/citus.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { openParcelReader } from '../../src/store/postgres/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/roll-writer.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { testStore } from './conformance.ts'

const TABLES = [
  ...['parcels', 'records', 'record_keys', 'geometries', 'alternate_ids', 'situs'],
  ...['loose_situs', 'owner_heads', 'owner_words', 'owner_deletions', 'scopes'],
].map((table) => `platbook.${table}`)

const missing = whyNoServer()
if (missing !== undefined)
  test('postgres: the conformance suite', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const url = await server.createDatabase('conformance')
  await migrate(url)
  await testDatabase('postgres', url)
  after(() => server.stop())
}

/** A database that may be emptied: the coordinator of a cluster, with the extension and its nodes. */
const citus = process.env.PLATBOOK_TEST_CITUS_URL
if (citus === undefined || citus === '') {
  const skip = 'PLATBOOK_TEST_CITUS_URL names no cluster'
  test('citus: the conformance suite', { skip }, () => undefined)
} else {
  await migrate(citus)
  await layOutOverCitus(citus)
  await testDatabase('citus', citus)
}

async function testDatabase(name: string, url: string): Promise<void> {
  const admin = new Client(url)
  await admin.connect()
  const reader = openParcelReader(url)
  after(async () => {
    await reader.close()
    await admin.end()
  })
  testStore(
    name,
    async () => {
      await admin.query(`TRUNCATE ${TABLES}; ALTER SEQUENCE platbook.parcel_ids RESTART`)
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
