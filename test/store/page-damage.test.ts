/** A page of PostgreSQL damaged on the disk: 503 with an alarm, and `check` names the server. */
import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { CommandError } from '../../src/base/errors.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { openRollRewriter } from '../../src/store/postgres/write/roll-rewrite.ts'
import { runCommand } from '../command.ts'
import { makeRoll } from '../contract/rolls.ts'
import { countDamaged } from '../metrics.ts'
import { NOT_DURABLE, startServer, type TestServer, whyNoServer } from '../postgres-server.ts'
import { startService } from '../service.ts'

const missing = whyNoServer()
if (missing !== undefined) test('a damaged page of PostgreSQL', { skip: missing }, () => {})
else {
  const server = await startServer(NOT_DURABLE)
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  after(async () => {
    await server.stop()
    rmSync(data, { recursive: true })
  })

  test('a damaged page is 503 with an alarm, and check names the server', async (t) => {
    const databaseUrl = await server.createDatabase('damaged')
    const roll = makeRoll([{ parcelId: 'A-1', address: '1 MAIN ST' }])
    const loaded = await startService(roll, { data, databaseUrl })
    await loaded.close()
    const path = await writeOut(databaseUrl)
    await server.kill()
    flipByte(join(server.folder, 'data', path))
    await startAgain(server)
    const service = await startService('', { data, databaseUrl })
    t.after(() => service.close())
    const query = { state: 'WI', county: 'Dane', parcelId: 'A-1' }
    const { status } = await service.get('/public/property/parcelId/', query)
    assert.equal(status, 503)
    assert.equal(await countDamaged(service), 1)
    const line = JSON.parse(service.logged.at(-1) ?? '{}')
    assert.match(line.alarm, /platbook check/)
    assert.match(line.error, /invalid page in block 0/)

    const env = { PLATBOOK_DATABASE_URL: databaseUrl, PLATBOOK_KEY_SECRET: 'x'.repeat(32) }
    const check = await runCommand(checkCommand, [], { data, env })
    assert.equal(check.code, 1)
    assert.match(check.out, /WI: the records cannot be read: invalid page in block 0/)
    assert.match(check.out, /damaged on .* read damaged pages, \d+ times/)

    const rewriter = await openRollRewriter(databaseUrl)
    t.after(() => rewriter.close())
    const rewriting = rewriter.rewrite([{ state: 'WI', id: 1 }], () => undefined, 0)
    await assert.rejects(rewriting, (error: Error) => {
      assert.ok(error instanceof CommandError)
      assert.match(error.message, /damaged on .* cannot be used: invalid page in block 0/)
      return true
    })
  })
}

/** Connections of the killed server may take a moment to end, and hold its memory until then. */
async function startAgain(server: TestServer): Promise<void> {
  for (;;) {
    try {
      return await server.start()
    } catch (error) {
      if (!/still in use/.test((error as Error).message)) throw error
      await sleep(50)
    }
  }
}

/** Writes the pages of the records to the disk and returns their file, within the data folder. */
async function writeOut(url: string): Promise<string> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query("SELECT pg_relation_filepath('platbook.records') AS path")
  await client.query('CHECKPOINT')
  await client.end()
  return String(rows[0]?.path)
}

/** Flips the bits of one byte of the first page, within its rows. */
function flipByte(path: string): void {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, 8000)
  byte.writeUInt8(255 - byte.readUInt8())
  writeSync(file, byte, 0, 1, 8000)
  closeSync(file)
}
