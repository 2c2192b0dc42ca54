/** Charges over PostgreSQL stay prepared on their connections. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts, openLedger, prepareData } from '../../src/store/open.ts'
import {
  CHARGING,
  clientConfig,
  connect,
  DURABLE,
  READING,
} from '../../src/store/postgres/pool/connection.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { makeCharge } from './fixture.ts'

const missing = whyNoServer()
if (missing !== undefined) test('prepared charges', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const databaseUrl = await server.createDatabase('ledger')
  const config = { ...readConfig({}), data, databaseUrl }
  await prepareData(config)
  const accounts = await openAccounts(config)
  after(async () => {
    await accounts.close()
    await server.stop()
    rmSync(data, { recursive: true })
  })

  test('no connection has its statements compiled', async () => {
    for (const settings of [READING, DURABLE, CHARGING, {}]) {
      const client = await connect(clientConfig(databaseUrl, 0, settings))
      const { rows } = await client.query('SHOW jit')
      await client.end()
      assert.deepEqual(rows, [{ jit: 'off' }])
    }
  })

  test('charges go on while a migration adds columns', async () => {
    const account = { id: 'acc_1', name: 'One', createdAt: Date.now(), facts: DEFAULT_FACTS }
    await accounts.admin.createAccount(account)
    const ledger = openLedger(databaseUrl)
    const writer = await openLedgerWriter(ledger.store, Date.now)
    const audit = { query: '{}', ids: '1' }
    const charge = async () => (await writer.charge({ ...makeCharge(account.id), audit })).kind
    // The server keeps one plan for all values from the sixth time on.
    for (let time = 0; time < 8; time += 1) assert.equal(await charge(), 'charged')
    const client = new Client(databaseUrl)
    await client.connect()
    for (const table of ['account', 'ledger', 'ledger_head', 'audit', 'audit_state']) {
      await client.query(`ALTER TABLE platbook.${table} ADD COLUMN spare bigint`)
    }
    await client.end()
    for (let time = 0; time < 8; time += 1) assert.equal(await charge(), 'charged')
    await writer.close()
    await ledger.close()
    const { rows, bad } = await verifyLedger(accounts.ledger)
    assert.deepEqual([rows, bad], [16, undefined])
  })
}
