/** A caller who hangs up before the charge is not charged: accounts.md, "The ledger". */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'

/** Finding the last one takes several slices of a walk, between which the service hears of its callers. */
const ROLL = makeRoll([
  ...times(12_000, (number) => ({
    parcelId: `L${number}`,
    ownerName1: 'LONGROW, ABEL',
    ownerName2: 'SHORTROW, CORA',
  })),
])
const LAST = makeRoll([{ parcelId: 'LAST', ownerName1: 'LONGROW, CORA' }])
const query = { state: 'WI', lastName: 'Longrow', nameContains: 'cora' }
const quick = { state: 'WI', lastName: 'Longrow' }

const service = await startService(ROLL, { ownerTimeMs: 60_000 })
after(() => service.close())
await service.importRoll(LAST, { partial: true })

const PATH = '/public/premium/owner/'

/** Sends a whole request and hangs up without waiting. */
async function askAndLeave(key: string, query: Record<string, string>): Promise<void> {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const target = `${PATH}?${new URLSearchParams(query)}`
  socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
  socket.destroySoon()
}

const left = () => service.observe.counts.requests['premiumOwnerSearch 499'] ?? 0

test('who waits is answered and charged', async () => {
  const key = await service.keyFor()
  const { status, body } = await service.get(PATH, query, { key })
  assert.deepEqual([status, body.metadata.count], [200, 1])
  assert.equal(await service.charges(key), 1)
})

test('who is gone before the charge has no row and uses no token', {
  timeout: 30_000,
}, async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  for (const asked of [query, quick, query, quick, quick]) {
    const before = left()
    await askAndLeave(key, asked)
    while (left() === before) await new Promise(setImmediate)
  }
  assert.deepEqual(await service.entries(key), [])
  assert.equal((await service.get(PATH, query, { key })).status, 200)
})
