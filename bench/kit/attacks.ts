/**
 * Attacks by connections, from this process to a service on 127.0.0.1 and nowhere else.
 *
 * They come from 127.0.0.2 and up, at most 4,500 each, because the lookups come from 127.0.0.1. A
 * connection that the service closes is opened again.
 */
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
/**
 * Interval in milliseconds at which a connection that reads nothing writes, and so notices that it
 * was closed.
 */
const AGAIN_MS = 1000
/** Fewer than an address may have (`PLATBOOK_ADDRESS_SHARE`). */
const OF_AN_ADDRESS = 4_500

/** Each attack by name; 50 to 9,000 connections. */
export const ATTACKS: Record<string, (address: string) => Promise<Attack>> = {
  /** A few connections that request a large page repeatedly and read nothing. */
  unread: (address) => attack(address, 50, (socket) => writeUnread(socket, DOCUMENT)),
  /**
   * Many connections, each with all that one read takes, written again when the service takes it.
   */
  pipelines: (address) => attack(address, 2000, (socket) => writeUnread(socket, PIPELINE)),
  /** Heads that never end. */
  slowloris: (address) =>
    attack(address, 2000, (socket) => {
      socket.resume().write('GET / HTTP/1.1\r\nHost: a\r\n')
      repeat(socket, DRIP_MS, () => socket.write('X: y\r\n'))
    }),
  /** Bodies that never end, more than a worker has slots. */
  bodies: (address) =>
    attack(address, 1060, (socket, number) => {
      const path = number % 2 === 0 ? '/public/batch/' : '/mcp'
      socket.resume().write(`${post(path, 100)}[`)
    }),
  /** Arrays of messages to MCP, sent again as soon as they are answered. */
  arrays: (address) =>
    attack(address, 400, (socket) => {
      const body = JSON.stringify(Array(100).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
      const text = post('/mcp', body.length) + body
      socket.on('data', () => socket.write(text)).write(text)
    }),
  /** Connections that send nothing. */
  idle: (address) => attack(address, 9000, (socket) => socket.resume()),
}

function post(path: string, length: number): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
    'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n' +
    `Content-Length: ${length}\r\n\r\n`
  )
}

/** Writes whenever the service has taken the previous bytes, and reads nothing. */
function writeUnread(socket: Socket, text: string): void {
  socket.pause().on('drain', () => socket.write(text))
  socket.write(text)
  repeat(socket, AGAIN_MS, () => {
    if (socket.writableLength === 0) socket.write(text)
  })
}

function repeat(socket: Socket, everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs)
  socket.on('close', () => clearInterval(timer))
}

async function attack(
  address: string,
  count: number,
  begin: (socket: Socket, number: number) => void,
): Promise<Attack> {
  const { hostname, port } = new URL(address)
  if (hostname !== '127.0.0.1') throw new Error('attacks go to 127.0.0.1 only')
  const sockets = new Set<Socket>()
  let closed = 0
  let isOver = false
  function open(number: number): void {
    const localAddress = `127.0.0.${2 + Math.floor(number / OF_AN_ADDRESS)}`
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('connect', () => begin(socket, number))
    socket.on('close', () => {
      sockets.delete(socket)
      if (isOver) return
      closed += 1
      setTimeout(AGAIN_MS).then(() => {
        if (!isOver) open(number)
      })
    })
  }
  for (let number = 0; number < count; number += 1) {
    open(number)
    // A backlog holds 512 connections.
    if (number % 200 === 199) await setTimeout(20)
  }
  return {
    closed: () => closed,
    stop() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
