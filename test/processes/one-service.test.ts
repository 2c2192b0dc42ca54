/** Two services on one data folder; the processes are real ones. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endAll, startRunning } from '../ledger/running-service.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'platbook-one-service-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

function serveAgain(env: NodeJS.ProcessEnv = {}): { status: number | null; stderr: string } {
  const words = [MAIN, 'serve', '--data', data, '--port', '0', '--workers', '1', '--no-console']
  return spawnSync(process.execPath, words, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
}

test('a second service on a data folder refuses to start, until the first has ended', async () => {
  const first = await startRunning({ data, workers: 1 })
  const refused = serveAgain()
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /^platbook: another service runs on the data folder .*\n$/)
  assert.equal((await fetch(`${first.address}/healthz`)).status, 200)
  await first.killAll()
  const afterKill = await startRunning({ data, workers: 1 })
  assert.equal(await afterKill.stop(), 0)
  const afterStop = await startRunning({ data, workers: 1 })
  assert.equal(await afterStop.stop(), 0)
})

test('a setting that only a worker understands is refused in one sentence', () => {
  const refused = [
    [{ PLATBOOK_PUBLIC_FIELDS: 'address,assessed' }, /_FIELDS: "assessed" is not a field .*\n$/],
    [
      { PLATBOOK_ACCESS_LOG: join(data, 'no/log') },
      /_LOG: the file cannot be opened: ENOENT.*no\/log'\n$/,
    ],
  ] as const
  for (const [env, sentence] of refused) {
    const { status, stderr } = serveAgain(env)
    assert.equal(status, 1)
    assert.match(stderr, sentence)
    assert.match(stderr, /^platbook: PLATBOOK_[^\n]*\n$/)
  }
})
