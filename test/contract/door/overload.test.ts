/** More than a worker can do: 503 at once, in the shape of every refusal. Issue 7.6, decision 085. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const TEXT = 'Too many requests at once; try again shortly'
/** As many are answered of each turn of the loop, however late. */
const TURN_MIN = 32

const impatient = await startService('', { patienceMs: 0 })
after(() => impatient.close())

test('what waited too long behind others is 503 with Retry-After and its own X-Request-Id', async () => {
  const answers = await pipeline(impatient.address, Array(200).fill('/public/usage/'))
  assert.deepEqual(new Set(answers.slice(0, TURN_MIN).map(({ status }) => status)), new Set([401]))
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
    const paths = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? '/public/usage/' : path))
    const answers = await pipeline(impatient.address, paths)
    assert.ok(answers.some(({ status }) => status === 503))
    for (const { status, body } of answers.filter((_, at) => at % 2 === 1)) {
      assert.equal(status, 200)
      assert.equal(body, '{"status":"ok"}')
    }
  })
}

test('what only begins like the health check is refused as all else', async () => {
  const answers = await pipeline(impatient.address, Array(200).fill('/healthzy'))
  assert.ok(answers.some(({ status }) => status === 503))
})

test('a refused connection rests: what it asks next is answered after what others ask later', async () => {
  const order: string[] = []
  let others = Promise.resolve()
  const answers = await pipeline(
    impatient.address,
    Array(TURN_MIN * 4).fill('/public/usage/'),
    '/public/usage/',
    () => {
      others = askOthers()
    },
  )
  order.push('refused connection')
  await others
  assert.ok(answers.some(({ status }) => status === 503))
  assert.deepEqual(order, ['other 200', 'other 200', 'other 200', 'refused connection'])

  async function askOthers() {
    for (let turn = 0; turn < 3; turn += 1) {
      const [answer] = await pipeline(impatient.address, ['/healthz'])
      order.push(`other ${answer?.status}`)
    }
  }
})

test('a refused connection is read again after a moment, and what was refused is counted', async () => {
  const answers = await pipeline(
    impatient.address,
    Array(200).fill('/public/usage/'),
    '/public/usage/',
  )
  assert.ok(answers.some(({ status }) => status === 503))
  assert.equal(answers.at(-1)?.status, 401)
  assert.ok((impatient.observe.counts.requests['overload 503'] ?? 0) > 0)
})

test('requests that wait for their charge are bounded; the one too many is 503, and all others end well', async () => {
  const pending: (() => void)[] = []
  let waiting = () => {}
  const service = await startService(
    makeRoll([{ ownerName1: 'SMITH JOHN' }]),
    { patienceMs: 60_000 },
    (ledger) => ({
      ...ledger,
      noteUses: () => undefined,
      charge: (charge) =>
        new Promise((resolve) => {
          pending.push(() => resolve(ledger.charge(charge)))
          waiting()
        }),
    }),
  )
  try {
    const search = () => service.get('/public/premium/owner/', { state: 'WI', lastName: 'Smith' })
    const asked: ReturnType<typeof search>[] = []
    while (pending.length < 1024) {
      // Few at a time: searches that wait for each other are bounded too.
      const step = new Promise<void>((resolve) => {
        const until = pending.length + 64
        waiting = () => pending.length === until && resolve()
      })
      asked.push(...Array.from({ length: 64 }, search))
      await step
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

/** Sends all requests in one write over one connection, then perhaps one more when all are answered; `sent` says that it is on its way. */
function pipeline(
  address: string,
  paths: string[],
  last?: string,
  sent = () => {},
): Promise<Raw[]> {
  const { hostname, port } = new URL(address)
  const format = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const socket = connect(Number(port), hostname)
  const answers: Raw[] = []
  let text = ''
  let wanted = paths.length
  let more = last
  socket.write(paths.map(format).join(''))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      for (let next = readFirst(text); next !== undefined; next = readFirst(text)) {
        answers.push(next.answer)
        text = next.rest
      }
      if (answers.length < wanted) return
      if (more === undefined) {
        socket.destroy()
        return resolve(answers)
      }
      socket.write(format(more), sent)
      more = undefined
      wanted += 1
    })
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
