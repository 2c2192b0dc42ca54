/**
 * More than a worker can do: 503 at once, in the shape of every refusal.
 * docs/decisions/overload.md.
 */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { countRequests } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { until } from '../../until.ts'
import { makeRoll } from '../rolls.ts'

const TEXT = 'Too many requests at once; try again shortly'
/** As many are answered of each turn of the loop, however late. */
const TURN_MIN = 32
/** Without a key 401, or 429 after so many of them from one address: floods are repeated. */
const WITHOUT_KEY = [401, 429]

const impatient = await startService('', { patienceMs: 0 })
after(() => impatient.close())

test('a request that waited too long is 503 with Retry-After and its X-Request-Id', async () => {
  const answers = await floodUntilRefused(Array(320).fill('/public/usage/'))
  const answered = answers.filter(({ status }) => WITHOUT_KEY.includes(status))
  assert.ok(answered.length >= TURN_MIN, `${answered.length} answered`)
  const refused = answers.filter(({ status }) => status === 503)
  assert.ok(refused.length > 0)
  for (const { head, body } of refused) {
    assert.equal(body, JSON.stringify({ error: TEXT }))
    assert.match(head, /^retry-after: 1\r$/im)
    assert.match(head, /^content-type: application\/json; charset=utf-8\r$/im)
    assert.match(head, /^cache-control: no-store\r$/im)
  }
  const ids = answers.map(({ head }) => /^x-request-id: (.+)\r$/im.exec(head)?.[1])
  assert.equal(new Set(ids).size, answers.length)
})

for (const path of ['/healthz', '/healthz/', '/healthz?x', '/healthz/?x']) {
  test(`the health check is answered all the same: ${path}`, async () => {
    const paths = Array.from({ length: 320 }, (_, at) => (at % 2 === 0 ? '/public/usage/' : path))
    const answers = await floodUntilRefused(paths)
    assert.ok(answers.some(({ status }) => status === 503))
    for (const { status, body } of answers.filter((_, at) => at % 2 === 1)) {
      assert.equal(status, 200)
      assert.equal(body, '{"status":"ok"}')
    }
  })
}

test('what only begins like the health check is refused as all else', async () => {
  const answers = await floodUntilRefused(Array(320).fill('/healthzy'))
  assert.ok(answers.some(({ status }) => status === 503))
})

test('requests of a connection that was refused are answered after those of others', async () => {
  const order: string[] = []
  let sockets: Socket[] = []
  let at = -1
  for (let attempt = 1; at === -1 && attempt <= 10; attempt += 1) {
    for (const socket of sockets) socket.destroy()
    sockets = await openSockets(impatient.address, 200)
    const answers = await Promise.all(sockets.map((one) => askOver(one, [USAGE])))
    at = answers.findIndex((some) => some.some(({ status }) => status === 503))
  }
  const refused = sockets[at] as Socket
  const next = askOver(refused, [USAGE]).then(([answer]) => {
    order.push('refused connection')
    return answer
  })
  for (let turn = 0; turn < 3; turn += 1) {
    const [answer] = await flood(impatient.address, ['/healthz'])
    order.push(`other ${answer?.status}`)
  }
  assert.ok(WITHOUT_KEY.includes((await next)?.status ?? 0))
  assert.deepEqual(order, ['other 200', 'other 200', 'other 200', 'refused connection'])
  for (const socket of sockets) socket.destroy()
  assert.ok((await countRequests(impatient, 'overload', 503)) > 0)
})

test('requests waiting for a charge are limited; one too many is 503, others succeed', async () => {
  const pending: (() => void)[] = []
  const service = await startService(
    makeRoll([{ ownerName1: 'SMITH JOHN' }]),
    { patienceMs: 60_000, addressShare: 100 },
    (ledger) => ({
      ...ledger,
      noteUses: () => undefined,
      charge: (charge) =>
        new Promise((resolve) => {
          pending.push(() => resolve(ledger.charge(charge)))
        }),
    }),
  )
  try {
    const search = () => service.get('/public/premium/owner/', { state: 'WI', lastName: 'Smith' })
    const asked: ReturnType<typeof search>[] = []
    while (pending.length < 1024) {
      // Few at a time: searches that wait for each other are bounded too.
      asked.push(...Array.from({ length: 64 }, search))
      await until(() => pending.length === asked.length, 0)
    }
    const over = await service.get('/public/usage/')
    assert.equal(over.status, 503)
    assert.equal(over.body.error, TEXT)
    for (const proceed of pending) proceed()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal((await service.get('/public/usage/')).status, 200)
  } finally {
    await service.close()
  }
})

type Raw = { status: number; head: string; body: string }

const USAGE = '/public/usage/'

/** Floods until some are refused: where other programs take the processor, turns are cut short. */
async function floodUntilRefused(paths: string[]): Promise<Raw[]> {
  for (let attempt = 1; ; attempt += 1) {
    const answers = await flood(impatient.address, paths)
    if (attempt === 10 || answers.some(({ status }) => status === 503)) return answers
  }
}

/** Sends all requests in one turn of the event loop, 16 over each connection. */
async function flood(address: string, paths: string[]): Promise<Raw[]> {
  const sockets = await openSockets(address, Math.ceil(paths.length / 16))
  const answers = await Promise.all(
    sockets.map((socket, at) => askOver(socket, paths.slice(at * 16, (at + 1) * 16))),
  )
  for (const socket of sockets) socket.destroy()
  return answers.flat()
}

async function openSockets(address: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(address)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  // A server accepts one connection a turn: each is to be accepted before the flood begins.
  await Promise.all(sockets.map((socket) => askOver(socket, ['/healthz'])))
  return sockets
}

/** Sends requests in one write and reads their answers. */
function askOver(socket: Socket, paths: string[]): Promise<Raw[]> {
  const answers: Raw[] = []
  let text = ''
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    const read = (part: Buffer) => {
      text += part
      for (let next = readFirst(text); next !== undefined; next = readFirst(text)) {
        answers.push(next.answer)
        text = next.rest
      }
      if (answers.length < paths.length) return
      socket.off('data', read)
      resolve(answers)
    }
    socket.on('data', read)
  })
}

function readFirst(text: string): { answer: Raw; rest: string } | undefined {
  const cut = text.indexOf('\r\n\r\n') + 4
  if (cut === 3) return undefined
  const head = text.slice(0, cut)
  const end = cut + Number(/content-length: (\d+)/i.exec(head)?.[1])
  if (text.length < end) return undefined
  const status = Number(head.split(' ')[1])
  return { answer: { status, head, body: text.slice(cut, end) }, rest: text.slice(end) }
}
