/**
 * The listening sockets of a worker: several on one port, each owned by the worker.
 *
 * The event loop accepts one new connection per listening socket and turn, and under load a turn is
 * long. With 320 busy connections on a worker, 200 new ones were not answered before the load ended
 * (docs/decisions/overload.md). Sixteen sockets accept sixteen per turn. The system distributes
 * connections over all sockets of a port (SO_REUSEPORT), and so over the workers.
 */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Place = { host: string; port: number }

/** New connections that a worker takes in one turn of its event loop. */
const SOCKETS = 16

/** Elsewhere the primary accepts connections for all workers, one per turn. */
const CAN_SHARE_PORT = process.platform === 'linux'

/** Opens all listening sockets of a worker; they close with the server. */
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
  // Fastify passes the options to `server.listen`; its types lack this one.
  const shared = { ...place, reusePort: true }
  await fastify.listen(shared)
  for (const one of others) {
    one.listen(shared)
    await once(one, 'listening')
    // For example EMFILE, when no descriptor is left for a new connection. Without a listener the
    // error would end the process.
    one.on('error', (error) => server.emit('error', error))
  }
}

function openOnto(server: HttpServer): Server {
  // The same options as an HTTP server's own socket.
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket)
  })
}

const OTHERS = new WeakMap<HttpServer, Server[]>()

/** Closes all listening sockets of a worker. Resolves when the last connection has ended. */
export async function stopListening(server: HttpServer): Promise<void> {
  const all = [server, ...(OTHERS.get(server) ?? [])]
  await Promise.all(all.map(closeSocket))
}

/** Also accepts a socket that is closed already. */
function closeSocket(listening: Server): Promise<void> {
  return new Promise((resolve) => {
    listening.close(() => resolve())
  })
}

/**
 * Returns the port that workers will share; throws when it is taken. Port 0 becomes a free one.
 *
 * A socket that shares a port does not fail when another program of this user shares it too. A
 * socket that takes the port alone does.
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

export function explainListening(error: NodeJS.ErrnoException, { host, port }: Place): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; choose another with --port`
  if (error.code === 'EACCES') return `this user may not listen on port ${port} of ${host}`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `${host} is not an address of this machine`
  return error.message
}
