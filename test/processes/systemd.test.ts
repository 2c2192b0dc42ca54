/** Signals and messages of a service manager; the processes are real ones. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-systemd-'))
after(async () => {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
})

test('SIGHUP ends no process; systemd hears READY, RELOADING, STOPPING and the watchdog', {
  skip: process.platform !== 'linux' && 'systemd is of Linux',
}, async () => {
  const log = join(folder, 'log')
  writeFileSync(log, '')
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${log}\n`)
  chmodSync(join(folder, 'systemd-notify'), 0o755)
  const heard = () => readFileSync(log, 'utf8')
  const service = await startRunning({
    data: join(folder, 'data'),
    workers: 1,
    console: true,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      NOTIFY_SOCKET: '/run/none',
      WATCHDOG_USEC: '200000',
      PLATBOOK_CONSOLE_PORT: String(await freePort()),
    },
  })
  await until(() => /^READY=1$/m.test(heard()) && /^WATCHDOG=1$/m.test(heard()))
  const kinds = ['worker', 'ledger', 'console'] as const
  const before = kinds.flatMap((kind) => service.pids(kind))
  for (const pid of [service.pid, ...before]) process.kill(pid, 'SIGHUP')
  await until(() => /^RELOADING=1 MONOTONIC_USEC=\d+$/m.test(heard()))
  assert.equal((await fetch(`${service.address}/readyz`)).status, 200)
  assert.deepEqual(
    kinds.flatMap((kind) => service.pids(kind)),
    before,
  )
  assert.equal(await service.stop(), 0)
  await until(() => /^STOPPING=1$/m.test(heard()))
})
