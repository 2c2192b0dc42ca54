import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { makeResolveName } from './post.ts'

/** A name server that knows `quick.example`, no other name of `example`, and is else silent. */
async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (asked, { port }) => {
    const name = readName(asked)
    if (!name.endsWith('example')) return
    const question = asked.subarray(12, 12 + name.length + 2 + 4)
    const type = question.readUInt16BE(question.length - 4)
    const isKnown = name === 'quick.example' && type === 1
    const head = Buffer.alloc(12)
    asked.copy(head, 0, 0, 2)
    head.writeUInt16BE(name === 'quick.example' ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(isKnown ? 1 : 0, 6)
    const answer = Buffer.from('c00c000100010000003c0004c6336407', 'hex')
    socket.send(Buffer.concat([head, question, ...(isKnown ? [answer] : [])]), port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

function readName(asked: Buffer): string {
  const labels: string[] = []
  for (let at = 12; asked[at] !== 0; at += (asked[at] ?? 0) + 1) {
    labels.push(asked.subarray(at + 1, at + 1 + (asked[at] ?? 0)).toString())
  }
  return labels.join('.')
}

test('names whose server is silent delay no other name, and never reach the system', async (t) => {
  const { server, close } = await startNameServer()
  t.after(close)
  const asked: string[] = []
  const resolve = makeResolveName([server], async (name) => {
    asked.push(name)
    return ['198.51.100.9']
  })
  let ended = 0
  const slow = Array.from({ length: 100 }, (_, at) =>
    resolve(`n${at}.silent.test`)
      .catch((error: Error) => error.message)
      .finally(() => {
        ended += 1
      }),
  )
  assert.deepEqual(await resolve('quick.example'), ['198.51.100.7'])
  assert.equal(ended, 0)
  assert.deepEqual(await resolve('of-the-hosts-file.example'), ['198.51.100.9'])
  assert.deepEqual(await resolve('localhost'), ['198.51.100.9'])
  assert.equal(ended, 0)
  assert.match(String((await Promise.all(slow))[0]), /ETIMEOUT/)
  assert.deepEqual(asked, ['of-the-hosts-file.example', 'localhost'])
})

test('without a name server the system is asked, which may know the name', async () => {
  const { server, close } = await startNameServer()
  close()
  const resolve = makeResolveName([server], async () => ['198.51.100.9'])
  assert.deepEqual(await resolve('receiver.example'), ['198.51.100.9'])
})

test('the system looks up two names at once, in the order in which they came', async () => {
  const under: { name: string; end: () => void }[] = []
  const resolve = makeResolveName([], (name) => {
    return new Promise((done) => under.push({ name, end: () => done([name]) }))
  })
  const all = ['a', 'b', 'c', 'd'].map(resolve)
  await new Promise(setImmediate)
  assert.deepEqual(
    under.map(({ name }) => name),
    ['a', 'b'],
  )
  for (let at = 0; at < 4; at += 1) {
    under[at]?.end()
    await all[at]
    await new Promise(setImmediate)
  }
  assert.deepEqual(await Promise.all(all), [['a'], ['b'], ['c'], ['d']])
})
