/** What happens when a process of the service hangs, or loses its socket. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeRoll } from '../contract/rolls.ts'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { until } from '../until.ts'
import { ask } from './ask.ts'
import { makeCustomer, operate } from './operator.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-hung-'))
after(async () => {
  await endAll()
  rmSync(data, { recursive: true, force: true })
})

const roll = join(data, 'roll.csv')
writeFileSync(roll, makeRoll([{ address: '1 MAIN ST', ownerName1: 'VAREK, MARA' }]))
await operate(data, 'import', roll, '--mapping', 'platbook')
const { key } = await makeCustomer(data)
const OWNER = '/public/premium/owner/?state=WI&lastName=Varek'
/** The service's folder for temporary files, where its socket is. */
const temporary = join(data, 'tmp')
mkdirSync(temporary)
const env = { TMPDIR: temporary }
const service = await startRunning({ data, workers: 2, env })

test('a stopped worker is replaced, and every request ends meanwhile', async () => {
  const [stopped] = service.pids('worker')
  assert.ok(stopped !== undefined)
  process.kill(stopped, 'SIGSTOP')
  // Some of these connections are the stopped worker's; they end when it is killed.
  const ends = await Promise.all(
    Array.from({ length: 20 }, () =>
      ask(service.address, OWNER, key).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code,
      ),
    ),
  )
  assert.deepEqual(
    [...new Set(ends)].filter((end) => end !== '200' && end !== 'ECONNRESET'),
    [],
  )
  await until(
    () => service.pids('worker').length === 2 && !service.pids('worker').includes(stopped),
  )
  await until(() =>
    service.log().includes(`worker ${stopped} did not answer for 5 s; replacing it`),
  )
})

test('a stopped ledger process is replaced, and charges go on', async () => {
  const [stopped] = service.pids('ledger')
  assert.ok(stopped !== undefined)
  process.kill(stopped, 'SIGSTOP')
  await until(() => {
    const [now] = service.pids('ledger')
    return now !== undefined && now !== stopped
  })
  await until(async () => (await ask(service.address, OWNER, key)).status === 200)
  await until(() => /the ledger process did not answer for 5 s; replacing it/.test(service.log()))
})

test('a socket that vanished is made again, and a new worker reaches it', async () => {
  const [folder] = socketFolders()
  assert.ok(folder !== undefined)
  rmSync(folder, { recursive: true })
  await until(() => existsSync(join(folder, 'ledger.sock')))
  await until(() => /ledger\.sock vanished; making it again/.test(service.log()))
  const workers = service.pids('worker')
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  await until(() => service.pids('worker').filter((pid) => !workers.includes(pid)).length === 2)
  const charged = () =>
    ask(service.address, OWNER, key).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(charged)
})

test('the folder of a service that was killed is removed at the next start', async () => {
  await service.killAll()
  const [left] = socketFolders()
  assert.ok(left !== undefined, 'the kill left it behind')
  const again = await startRunning({ data, workers: 1, env })
  await until(() => !existsSync(left))
  assert.equal(await again.stop(), 0)
  assert.deepEqual(socketFolders(), [])
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

function socketFolders(): string[] {
  const names = readdirSync(temporary).filter((name) => name.startsWith('platbook-ledger-'))
  return names.map((name) => join(temporary, name))
}
