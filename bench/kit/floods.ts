/**
 * Hostile callers for the soak. Each sends one kind of flood until it is stopped, without a key.
 */
import { connect, type Socket } from 'node:net'

export type Flood = { name: string; stop(): void }

const SOCKETS = 200
const AGAIN_MS = 100

/** What each flood writes on a new socket, and whether it reads the answers. */
const FLOODS: Record<string, { open: string; again: string; reads: boolean }> = {
  idle: { open: '', again: '', reads: true },
  slowloris: { open: 'GET /healthz HTTP/1.1\r\nHost: a\r\n', again: 'X-A: b\r\n', reads: true },
  unread: { open: request('/openapi.json').repeat(50), again: '', reads: false },
  pipelines: {
    open: request('/public/property/search/?state=WI').repeat(500),
    again: request('/public/property/search/?state=WI').repeat(100),
    reads: false,
  },
  garbage: { open: '\0\x01\x02 nothing that HTTP knows\r\n\r\n', again: '\xff\xfe', reads: true },
}

export const FLOOD_NAMES = Object.keys(FLOODS)

/**
 * Starts a flood by its name over 200 sockets. A socket that the service closes is opened again.
 */
export function startFlood(name: string, address: string): Flood {
  const { open, again, reads } = FLOODS[name] ?? { open: '', again: '', reads: true }
  const { hostname, port } = new URL(address)
  const sockets = new Set<Socket>()
  const fill = () => {
    while (sockets.size < SOCKETS) {
      // The lookups come from 127.0.0.1.
      const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' })
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      if (reads) socket.resume()
      else socket.pause()
      socket.write(open, 'latin1')
    }
    // Bytes that a socket does not take are not queued here either.
    if (again !== '') for (const one of sockets) if (one.writableLength === 0) one.write(again)
  }
  fill()
  const timer = setInterval(fill, AGAIN_MS)
  return {
    name,
    stop() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
}
