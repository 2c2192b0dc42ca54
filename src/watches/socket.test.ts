/** The desk behind a socket while its process starts, is away, or ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { Refusal } from '../base/errors.ts'
import type { DeskQuestion, WatchDesk } from '../operations/watches/draft.ts'
import { connectDesk, serveDesk } from './socket.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-desk-'))
const path = join(folder, 'desk.sock')
let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})
after(() => rmSync(folder, { recursive: true }))

const question = { kind: 'list' } as unknown as DeskQuestion
const isUnavailable = (error: unknown) => error instanceof Refusal && error.kind === 'unavailable'

async function serve(desk: WatchDesk): Promise<void> {
  server = serveDesk(path, desk, () => undefined)
  await once(server, 'listening')
}

test('a question waits for a process that starts', async () => {
  const answered = connectDesk(path, 60_000)(question)
  assert.equal(
    await Promise.race([answered, new Promise((go) => setTimeout(go, 50, 'none'))]),
    'none',
  )
  await serve(async (asked) => ({ asked }))
  assert.deepEqual(await answered, { asked: question })
})

test('it is unavailable when no process comes', async () => {
  await assert.rejects(connectDesk(path, 0)(question), isUnavailable)
})

test('it is asked once of a process that ends meanwhile', async () => {
  let asked = 0
  await serve(async () => {
    asked += 1
    server?.closeAllConnections()
    return {}
  })
  await assert.rejects(connectDesk(path, 60_000)(question), isUnavailable)
  assert.equal(asked, 1)
})
