/**
 * A program that goes on serving after a newer one has migrated the database to what the older one
 * cannot read: 503, and never a record that it misreads.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { isOutOfOrder } from '../../src/store/postgres/pool/errors.ts'
import { makeRoll } from '../contract/rolls.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { NOON, startService } from '../service.ts'

const LOOKUP = '/public/property/parcelId/'
const QUERY = { state: 'WI', county: 'Dane', parcelId: '1' }

const missing = whyNoServer()
if (missing !== undefined) test('an older program', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const databaseUrl = await server.createDatabase('older')
  const service = await startService(makeRoll([{ ...QUERY, address: '1 MAIN ST' }]), {
    databaseUrl,
  })
  const admin = new Client(databaseUrl)
  await admin.connect()
  after(async () => {
    await admin.end()
    await service.close()
    await server.stop()
  })

  test('a program older than the database demands answers 503, and its log says why', async () => {
    const key = await service.keyFor()
    const ask = async (oldest: number) => {
      await admin.query('UPDATE platbook.accounts_state SET oldest = $1', [oldest])
      service.setClock(NOON + oldest * 1000)
      return await service.get(LOOKUP, QUERY, { key })
    }
    const { rows } = await admin.query('SELECT oldest FROM platbook.accounts_state')
    const own = Number(rows[0]?.oldest)
    assert.equal((await ask(own)).status, 200)
    const refused = await ask(9999)
    assert.equal(refused.status, 503)
    assert.ok(refused.headers.get('retry-after'))
    assert.match(service.logged.join('\n'), /migrated by a newer Platbook/)
    assert.equal((await ask(own)).status, 200)
  })

  test('what versions before 22 poll is an error, which they answer with 503', async () => {
    const asked = admin.query('SELECT version FROM platbook.accounts_version')
    await assert.rejects(asked, (error) => isOutOfOrder(error))
  })
}
