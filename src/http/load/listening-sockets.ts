/**
 * The listening sockets of a worker: several on one port, each the worker's own.
 *
 * The event loop accepts one new connection a listening socket and turn, and under load a turn is
 * long. With 320 busy connections on a worker, 200 new ones were not answered before the load ended
 * (docs/decisions/overload.md). Sixteen sockets accept sixteen a turn. The system spreads
 * connections over all sockets of a port (SO_REUSEPORT), so it spreads them over workers too.
 */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Place = { host: string; port: number }

/** New connections that a worker takes in one turn of its event loop. */
const SOCKETS = 16

/**
 * Elsewhere one port cannot be shared so: there the primary takes connections for all, one a turn.
 */
const CAN_SHARE_PORT = process.platform === 'linux'

/** Opens all of a worker's sockets; they close with the server. */
export async function openListeningSockets(fastify: FastifyInstance, place: Place): Promise<void> {
  if (!CAN_SHARE_PORT) {
    await fastify.listen(place)
    return
  }
  const { server } = fastify
  const others = Array.from({ length: SOCKETS - 1 }, () => openOnto(server))
  const most = Math.ceil(server.maxConnections / SOCKETS)
  for (const one of [server, ...others]) one.maxConnections = most
  OTHERS.set(server, others)
  let closed: Promise<unknown> | undefined
  fastify.addHook('preClose', async () => {
    closed = Promise.all(others.map(closeSocket))
  })
  fastify.addHook('onClose', async () => {
    await closed
  })
  // Fastify hands the options on to `server.listen`, and does not know this one by its types.
  const shared = { ...place, reusePort: true }
  await fastify.listen(shared)
  for (const one of others) {
    one.listen(shared)
    await once(one, 'listening')
    // Such as EMFILE, when no descriptor is left for a new connection. Without a listener it would
    // end the process.
    one.on('error', (error) => server.emit('error', error))
  }
}

function openOnto(server: HttpServer): Server {
  // As an HTTP server makes its own socket.
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket)
  })
}

const OTHERS = new WeakMap<HttpServer, Server[]>()

/** Closes all of a worker's listening sockets. Resolves when the last connection has ended. */
export async function stopListening(server: HttpServer): Promise<void> {
  const all = [server, ...(OTHERS.get(server) ?? [])]
  await Promise.all(all.map(closeSocket))
}

/** Also of a socket that is closed already. */
function closeSocket(listening: Server): Promise<void> {
  return new Promise((resolve) => {
    listening.close(() => resolve())
  })
}

/**
 * The port that workers are to share; throws when it is taken. A port of 0 becomes one that is
 * free.
 *
 * A socket that shares a port does not fail when another program of this user shares it too; a
 * socket that asks for the port alone does.
 */
export async function findPort({ host, port }: Place): Promise<number> {
  if (!CAN_SHARE_PORT) return port
  const probe = createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  const address = probe.address()
  await closeSocket(probe)
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Why a port cannot be listened on, in a sentence. */
export function explainListening(error: NodeJS.ErrnoException, { host, port }: Place): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; choose another with --port`
  if (error.code === 'EACCES') return `this user may not listen on port ${port} of ${host}`
  if (error.code === 'EADDRNOTAVAIL') return `${host} is no address of this machine`
  return error.message
}
