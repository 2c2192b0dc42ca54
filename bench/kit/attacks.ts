/** Connections that mean harm, made from this process to a service on 127.0.0.1 and nowhere else. */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export type Attack = {
  /** Connections that the service has closed. */
  closed(): number
  stop(): void
}

const PIPELINE = 'GET /public/usage/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1500)
const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000)
/** How often a slow head grows by a header, milliseconds. */
const DRIP_MS = 1000

/** Each attack by name; 1 to 9,000 connections. */
export const ATTACKS: Record<string, (address: string) => Promise<Attack>> = {
  /** Few connections that ask for a large page again and again and read nothing. */
  unread: (address) => attack(address, 50, (socket) => socket.pause().write(DOCUMENT)),
  /** Many connections, each with all that one read takes, written again when the service takes it. */
  pipelines: (address) =>
    attack(address, 2000, (socket) => {
      socket.pause().on('drain', () => socket.write(PIPELINE))
      socket.write(PIPELINE)
    }),
  /** Heads that never end. */
  slowloris: (address) =>
    attack(address, 2000, (socket) => {
      socket.resume().write('GET / HTTP/1.1\r\nHost: a\r\n')
      const drip = setInterval(() => socket.write('X: y\r\n'), DRIP_MS)
      socket.on('close', () => clearInterval(drip))
    }),
  /** Connections that ask nothing. */
  idle: (address) => attack(address, 9000, (socket) => socket.resume()),
}

async function attack(
  address: string,
  count: number,
  begin: (socket: Socket) => void,
): Promise<Attack> {
  const { hostname, port } = new URL(address)
  if (hostname !== '127.0.0.1') throw new Error('attacks go to 127.0.0.1 only')
  const sockets: Socket[] = []
  let closed = 0
  for (let number = 1; number <= count; number += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed += 1
    })
    socket.on('connect', () => begin(socket))
    sockets.push(socket)
    // A backlog holds 512 connections.
    if (number % 200 === 0) await setTimeout(20)
  }
  return {
    closed: () => closed,
    stop() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
