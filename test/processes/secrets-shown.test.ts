/** What a terminal and a debugger may see of a service; the processes are real ones. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { runWarm } from '../warm-client.ts'
import { shareProgram } from '../warm-program.ts'
import { freePort } from './free-port.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-shown-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

const program = await shareProgram()
after(() => program.release())

/** Runs a command; its code and all that it printed. */
async function run(words: string[], env: Record<string, string> = {}) {
  let printed = ''
  const print = (_: string, text: Buffer) => {
    printed += text
  }
  const code = await runWarm(words, print, { env: { PLATBOOK_DATA: data, ...env } })
  return { code, printed }
}

const ADDRESSES = [
  'postgres://u:p@SECRET:w/rd#1%@127.0.0.1:1/x',
  'postgres://u:SECRET@127.0.0.1:1/x',
  'postgres://u:SECRET@h1:1,h2:1/x',
  'host=127.0.0.1 port=1 password=SECRET',
]
for (const address of ADDRESSES) {
  test(`no command shows the password of ${address.replace('SECRET', '…')}`, async () => {
    const runs = await Promise.all([
      run(['account', 'list', '--database', address]),
      run(['account', 'list', `--database=${address}`]),
      run(['account', 'list'], { PLATBOOK_DATABASE_URL: address }),
      run(['copy', '--from', data, '--to', address]),
    ])
    for (const { code, printed } of runs) {
      assert.notEqual(code, 0)
      assert.doesNotMatch(printed, /SECRET|\n\s+at /)
    }
  })
}

test('SIGUSR1 opens no debugger in any process', {
  skip: process.platform !== 'linux' && 'pids are read from /proc',
}, async () => {
  const port = await freePort()
  const env = { PLATBOOK_CONSOLE_PORT: String(port) }
  const service = await startRunning({ data, workers: 1, console: true, env })
  // The service does not wait for its console.
  const isUp = () => fetch(`http://127.0.0.1:${port}/sign-in`).catch(() => undefined)
  await until(async () => (await isUp()) !== undefined)
  const kinds = ['worker', 'ledger', 'console'] as const
  const pids = [service.pid, ...kinds.flatMap((kind) => service.pids(kind))]
  assert.ok(pids.length >= 4)
  for (const pid of pids) process.kill(pid, 'SIGUSR1')
  assert.equal((await fetch(`${service.address}/healthz`)).status, 200)
  assert.doesNotMatch(service.log(), /[Dd]ebugger/)
  for (const pid of pids) process.kill(pid, 0)
})
