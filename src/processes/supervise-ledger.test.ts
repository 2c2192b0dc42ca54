import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { removeStaleFolders, SOCKET } from './supervise-ledger.ts'

const parent = mkdtempSync(join(tmpdir(), 'platbook-folders-'))
after(() => rmSync(parent, { recursive: true, force: true }))
/** The id of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid

test('removes a folder whose process has ended, and nothing else', async () => {
  const stale = make(`platbook-ledger-${ended}-abcdef`)
  const running = make(`platbook-ledger-${process.pid}-abcdef`)
  const other = make(`platbook-import-${ended}-abcdef`)
  assert.deepEqual(await removeStaleFolders(parent), [stale])
  assert.equal(existsSync(stale), false)
  assert.ok(existsSync(running) && existsSync(other))
})

test('keeps a folder on whose socket something answers', async () => {
  const served = make(`platbook-ledger-${ended}-ghijkl`)
  const server = createServer().listen(join(served, SOCKET))
  await once(server, 'listening')
  assert.deepEqual(await removeStaleFolders(parent), [])
  server.close()
  assert.deepEqual(await removeStaleFolders(parent), [served])
})

test('a parent that is not there is no error', async () => {
  assert.deepEqual(await removeStaleFolders(join(parent, 'none')), [])
})

function make(name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}
