/** A command that only reads over PostgreSQL needs no data folder, and makes none. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'

const skip = whyNoServer() ?? false
test('reading accounts over PostgreSQL with a data folder that is not there', {
  skip,
}, async (t) => {
  const server = await shareServer()
  t.after(() => server.stop())
  const data = join(tmpdir(), `platbook-none-${process.pid}`)
  const config = { ...readConfig({}), data, databaseUrl: await server.createDatabase('reading') }
  const accounts = await openAccounts(config, { reading: true })
  // So that there are heads to be noted.
  await accounts.admin.noteLoss('a row of the operator log', '[]')
  await accounts.close()
  assert.equal(existsSync(data), false)
})
