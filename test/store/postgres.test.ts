import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG } from '../repetitions.ts'
import { testBilling } from './billing-suite.ts'
import { testDatabase } from './postgres-suite.ts'
import { testWatches } from './watch-suite.ts'

const missing = whyNoServer()
if (missing !== undefined)
  test('postgres: the conformance suite', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const url = await server.createDatabase('conformance')
  await testDatabase('postgres', url, IS_LONG ? 0.2 : 0.025)
  const data = mkdtempSync(join(tmpdir(), 'platbook-billing-store-'))
  testBilling('postgres', () =>
    openAccounts(readConfig({ PLATBOOK_DATA: data, PLATBOOK_DATABASE_URL: url })),
  )
  testWatches('postgres', () =>
    openAccounts(readConfig({ PLATBOOK_DATA: data, PLATBOOK_DATABASE_URL: url })),
  )
  after(() => rmSync(data, { recursive: true, force: true }))
  after(() => server.stop())
}
