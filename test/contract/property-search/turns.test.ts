/**
 * Pages keep no lookup waiting (docs/decisions/request-scheduling.md). Judged by the order in which
 * they are done, not by the clock.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { countRequests } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { until } from '../../until.ts'
import { makeRoll, times } from '../rolls.ts'
import { PATH } from './roll.ts'

/** As many as may wait, over connections of which each may have 32 requests in progress. */
const SOCKETS = 6
const PAGES = 120
const ROUNDS = 5
const ROLL = makeRoll(
  times(100, (number) => ({ parcelId: `P${number}`, address: `${number} MAIN ST` })),
)

const service = await startService(ROLL)
after(() => service.close())

test('a lookup after many pages of 100 is answered before the last of them', async () => {
  const key = await service.keyFor()
  // On a busy machine all pages of a round may be done before the lookup is sent.
  for (let round = 1; round <= ROUNDS; round += 1) {
    if ((await countPagesBefore(key)) < PAGES) return
  }
  assert.fail(`all ${PAGES} pages came first, ${ROUNDS} times`)
})

/** Returns the number of pages that were done when a lookup, sent after the first, was answered. */
async function countPagesBefore(key: string): Promise<number> {
  const { hostname, port } = new URL(service.address)
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, () => openSocket(Number(port), hostname)),
  )
  const format =
    `GET ${PATH}?state=WI&limit=100&cursor= HTTP/1.1\r\nHost: x\r\nAuthorization: ` +
    `${key}\r\n\r\n`
  const earlier = await countRequests(service, 'propertySearch', 200)
  const pagesDone = async () => (await countRequests(service, 'propertySearch', 200)) - earlier
  for (const socket of sockets) socket.write(format.repeat(PAGES / SOCKETS))
  await until(async () => (await pagesDone()) > 0, 0)
  const query = { state: 'WI', county: 'Dane', parcelId: 'P1' }
  const { status } = await service.get('/public/property/parcelId/', query)
  const before = await pagesDone()
  await until(async () => (await pagesDone()) >= PAGES)
  for (const socket of sockets) socket.destroy()
  assert.equal(status, 200)
  return before
}

async function openSocket(port: number, hostname: string): Promise<Socket> {
  const socket = connect(port, hostname)
  // Answers are taken and thrown away.
  socket.resume()
  await once(socket, 'connect')
  return socket
}
