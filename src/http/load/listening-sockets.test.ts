import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, Server, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { until } from '../../../test/until.ts'
import type { Connections } from './connections.ts'
import { explainListening, findPort, openListeningSockets } from './listening-sockets.ts'
import { stopServer } from './stop.ts'

const HOST = '127.0.0.1'
const REQUEST = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`
const skip = process.platform !== 'linux' && 'one port is shared so on Linux only'

async function startWorker(answer: () => Promise<string> = async () => 'here') {
  const fastify = Fastify()
  // The service answers like this while closing; otherwise callers would keep their connections.
  fastify.get('/', async (_request, reply) => {
    const text = await answer()
    return fastify.server.listening ? text : reply.header('connection', 'close').send(text)
  })
  fastify.server.maxConnections = 10_000
  const port = await findPort({ host: HOST, port: 0 })
  await openListeningSockets(fastify, { host: HOST, port })
  return { fastify, port }
}

/** Opens a connection that requests again after each answer, and counts the answers. */
function keepAsking(port: number): { socket: Socket; answers: number } {
  const one = { socket: connect(port, HOST), answers: 0 }
  one.socket.on('error', () => undefined)
  one.socket.on('data', () => {
    one.answers += 1
    one.socket.write(REQUEST)
  })
  one.socket.write(REQUEST)
  return one
}

test('newcomers are taken several a turn, however many connections are busy', {
  skip,
}, async (t) => {
  const { fastify, port } = await startWorker()
  const busy = Array.from({ length: 100 }, () => keepAsking(port))
  t.after(async () => {
    for (const { socket } of busy) socket.destroy()
    await fastify.close()
  })
  await until(() => busy.every(({ answers }) => answers >= 10), 0)
  const before = busy.map(({ answers }) => answers)
  const newcomers = Array.from({ length: 200 }, async () => {
    const socket = connect(port, HOST)
    socket.write(REQUEST)
    await once(socket, 'data')
    socket.destroy()
  })
  await Promise.all(newcomers)
  // A turn answers each busy connection once; one new connection per turn would be 200.
  const meanwhile = Math.max(...busy.map(({ answers }, at) => answers - (before[at] as number)))
  assert.ok(meanwhile < 100, `${meanwhile} turns`)
})

test('closing finishes the requests of every listening socket, and takes no new ones', {
  skip,
}, async () => {
  const release = Promise.withResolvers<string>()
  let inWork = 0
  const { fastify, port } = await startWorker(() => {
    inWork += 1
    return release.promise
  })
  const replies = Array.from({ length: 60 }, async () =>
    (await fetch(`http://${HOST}:${port}/`)).text(),
  )
  await until(() => inWork >= 60)
  const closing = fastify.close()
  await new Promise(setImmediate)
  release.resolve('here')
  assert.deepEqual([...new Set(await Promise.all(replies))], ['here'])
  await closing
  await assert.rejects(fetch(`http://${HOST}:${port}/`))
})

test('a stop takes the connections that came while its process did not run', {
  skip,
}, async () => {
  const { fastify, port } = await startWorker()
  const connections = { closeUnused: () => undefined } as Connections
  const stopped = stopServer(fastify, connections, 10, () => undefined)
  const answers = Array.from({ length: 20 }, async () => {
    const socket = connect(port, HOST)
    socket.end(REQUEST)
    return String(await once(socket, 'data')).slice(0, 15)
  })
  // They have connected by the next tick, and the drain is over when the loop turns again.
  await new Promise(process.nextTick)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']))
  await stopped
})

test('a port in use by another program is refused with a sentence', async () => {
  const other = createServer().listen(0, HOST)
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await assert.rejects(
    async () => {
      await findPort({ host: HOST, port })
      // Without a port chosen first, opening it is refused.
      await openListeningSockets(Fastify(), { host: HOST, port })
    },
    (error: NodeJS.ErrnoException) =>
      explainListening(error, { host: HOST, port }).includes('is in use'),
  )
  other.close()
})

test('a port that another Platbook shares among its workers is taken', { skip }, async () => {
  const { fastify, port } = await startWorker()
  await assert.rejects(findPort({ host: HOST, port }), { code: 'EADDRINUSE' })
  await fastify.close()
})

test('an error of any listening socket is reported to the server and ends nothing', {
  skip,
}, async (t) => {
  const { fastify, port } = await startWorker()
  t.after(() => fastify.close())
  const heard: unknown[] = []
  fastify.server.on('error', (error) => heard.push(error))
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  const sockets = handles.filter((one): one is Server => {
    const address = one instanceof Server ? one.address() : null
    return typeof address === 'object' && address?.port === port
  })
  assert.equal(sockets.length, 16)
  for (const socket of sockets) socket.emit('error', new Error('EMFILE'))
  assert.equal(heard.length, 16)
})
