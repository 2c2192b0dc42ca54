import { after, test } from 'node:test'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { testDatabase } from './postgres-suite.ts'

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
