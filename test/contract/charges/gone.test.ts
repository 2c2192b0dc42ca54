/** A caller who hangs up before the charge is not charged: docs/ledger.md. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { countRequests } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { until } from '../../until.ts'
import { makeRoll, times } from '../rolls.ts'

/**
 * Finding the last one takes several slices of a walk, between which the service notices
 * disconnects.
 */
const ROLL = makeRoll(
  times(12_000, (number) => ({
    parcelId: `L${number}`,
    ownerName1: 'LONGROW, ABEL',
    ownerName2: 'SHORTROW, CORA',
  })),
)
const LAST = makeRoll([{ parcelId: 'LAST', ownerName1: 'LONGROW, CORA' }])
const long = { state: 'WI', lastName: 'Longrow', nameContains: 'cora' }
const quick = { state: 'WI', lastName: 'Longrow' }

const service = await startService(ROLL, { ownerTimeMs: 60_000 })
after(() => service.close())
await service.importRoll(LAST, { partial: true })

const PATH = '/public/premium/owner/'
const { hostname, port } = new URL(service.address)

function requestOf(key: string, query: Record<string, string>): string {
  const target = `${PATH}?${new URLSearchParams(query)}`
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`
}

/** Callers of whom the service has noticed that they left. */
const left = () => countRequests(service, 'premiumOwnerSearch', 499)

const untilOneMoreLeft = (before: number) => until(async () => (await left()) > before, 0)

test('who waits is answered and charged', async () => {
  const key = await service.keyFor()
  const { status, body } = await service.get(PATH, long, { key })
  assert.deepEqual([status, body.metadata.count], [200, 1])
  assert.equal(await service.charges(key), 1)
})

test('who hangs up during a long search has no row and uses no token', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  for (let count = 0; count < 5; count += 1) {
    const before = await left()
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.end(requestOf(key, long))
    socket.destroySoon()
    await untilOneMoreLeft(before)
  }
  assert.deepEqual(await service.entries(key), [])
  assert.equal((await service.get(PATH, long, { key })).status, 200)
})

test('who has hung up when the request is read has no row, however quick the search', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  for (let count = 0; count < 3; count += 1) {
    const before = await left()
    // The service's process is blocked meanwhile, so request and close have both arrived when it
    // reads.
    const leave = `const socket = require('node:net').connect(${port}, '${hostname}', () => {
      socket.end(${JSON.stringify(requestOf(key, quick))})
      socket.destroySoon()
    })`
    execFileSync(process.execPath, ['-e', leave])
    await untilOneMoreLeft(before)
  }
  assert.deepEqual(await service.entries(key), [])
})

test('a client that closes its sending side counts as gone: no charge, no answer', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  const before = await left()
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  socket.end(requestOf(key, quick))
  await once(socket, 'end')
  await untilOneMoreLeft(before)
  assert.equal(Buffer.concat(parts).toString(), '')
  assert.deepEqual(await service.entries(key), [])
})

test('a caller whose connection is reset during a long search has no row', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  const before = await left()
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(requestOf(key, long), resolve))
  socket.resetAndDestroy()
  await untilOneMoreLeft(before)
  assert.deepEqual(await service.entries(key), [])
})
