/**
 * The process of `load.ts`: sends HTTP over bare sockets, with as little work per request as
 * possible.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { LoadPlan, LoadResult, StatusResult } from './load.ts'
import { quantile, round } from './numbers.ts'

const TICK_MS = 1
const SERIES_MS = 100
const OPENING = 50

type Connection = {
  socket: Socket
  /** When the pending request was due, by `performance.now()`; 0: none is pending. */
  sentAt: number
  /**
   * The answer being read: its bytes while the head is incomplete, then the number of bytes still
   * to come.
   */
  head: string
  left: number
  status: string
}

process.once('message', (plan: LoadPlan) => {
  run(plan).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))

async function run(plan: LoadPlan): Promise<LoadResult> {
  const { hostname, port } = new URL(plan.address)
  const texts = plan.paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${plan.key}\r\n\r\n`,
  )
  const result: LoadResult = {
    sent: 0,
    unsent: 0,
    late: 0,
    broken: 0,
    statuses: {},
    withoutRetryAfter: 0,
    shortPages: 0,
    series: [],
  }
  const times = new Map<string, number[]>()
  const all = new Set<Connection>()
  const idle: Connection[] = []
  let startedAt = 0
  const closed = plan.rate === undefined
  let over = false

  function open(): Connection {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true })
    const connection: Connection = { socket, sentAt: 0, head: '', left: 0, status: '' }
    all.add(connection)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!all.delete(connection)) return
      if (connection.sentAt !== 0 && !over) result.broken += 1
      if (closed && !over) setTimeout(() => send(open(), performance.now()), 10)
    })
    socket.on('data', (part) => read(connection, part as Buffer))
    return connection
  }

  function send(connection: Connection, dueAt: number): void {
    connection.sentAt = dueAt
    connection.socket.write(texts[result.sent % texts.length] as string)
    result.sent += 1
  }

  function read(connection: Connection, part: Buffer): void {
    if (connection.left > 0) {
      connection.left -= part.length
      if (connection.left === 0) finish(connection, part)
      return
    }
    connection.head += part.toString('latin1')
    const end = connection.head.indexOf('\r\n\r\n')
    if (end === -1) return
    const { head } = connection
    connection.status = head.slice(9, 12)
    const length = Number(/content-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
    connection.left = end + 4 + length - head.length
    if (connection.status === '503' && !/retry-after: \d/i.test(head)) result.withoutRetryAfter += 1
    if (connection.left === 0) finish(connection, part)
  }

  function finish(connection: Connection, lastPart: Buffer): void {
    const now = performance.now()
    const { status, head } = connection
    const found = times.get(status)
    if (found === undefined) times.set(status, [now - connection.sentAt])
    else found.push(now - connection.sentAt)
    note(status, now)
    if (status === '200') noteShortPage(lastPart)
    const wait = plan.obedient ? Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 0) * 1000 : 0
    connection.sentAt = 0
    connection.head = ''
    if (over) return
    if (wait > 0) setTimeout(() => release(connection), wait)
    else release(connection)
  }

  function release(connection: Connection): void {
    if (over || connection.socket.destroyed) return
    if (closed) send(connection, performance.now())
    else idle.push(connection)
  }

  function note(status: string, now: number): void {
    const at = Math.floor((now - startedAt) / SERIES_MS)
    while (result.series.length <= at) result.series.push({ ok: 0, refused: 0 })
    const slot = result.series[at]
    if (slot === undefined) return
    if (status === '200') slot.ok += 1
    else slot.refused += 1
  }

  function noteShortPage(lastPart: Buffer): void {
    const tail = lastPart.toString('latin1', Math.max(0, lastPart.length - 200))
    const match = /"limit":(\d+),"count":(\d+),"nextCursor":"/.exec(tail)
    if (match !== null && Number(match[2]) < Number(match[1])) result.shortPages += 1
  }

  function sendDue(now: number): void {
    const rate = plan.rate ?? 0
    for (;;) {
      const dueAt = startedAt + ((result.sent + result.unsent) * 1000) / rate
      if (dueAt > now) return
      // Takes the connection that was idle longest, so that connections take turns, as those of
      // many callers do.
      let connection = idle.shift()
      while (connection?.socket.destroyed) connection = idle.shift()
      // One that was closed is replaced.
      if (connection === undefined && all.size < plan.connections) connection = open()
      if (connection === undefined) result.unsent += 1
      else send(connection, dueAt)
    }
  }

  function closeLate(now: number): void {
    for (const connection of all) {
      if (connection.sentAt === 0 || now - connection.sentAt < plan.timeoutMs) continue
      result.late += 1
      connection.sentAt = 0
      connection.socket.destroy()
    }
  }

  // Connections are opened beforehand, some at a time, because the rate of new connections is not
  // measured here.
  for (let count = 0; count < plan.connections; count += OPENING) {
    const opened = Array.from({ length: Math.min(OPENING, plan.connections - count) }, open)
    await Promise.all(opened.map(({ socket }) => once(socket, 'connect')))
    idle.push(...opened)
  }
  startedAt = performance.now()
  const endsAt = startedAt + plan.seconds * 1000
  if (closed) for (const connection of idle.splice(0)) send(connection, startedAt)
  let sweptAt = startedAt
  for (;;) {
    const now = performance.now()
    if (now >= endsAt) break
    if (!closed) sendDue(now)
    if (now - sweptAt > SERIES_MS) {
      closeLate(now)
      sweptAt = now
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  over = true
  // Requests in progress are still counted.
  for (const until = performance.now() + plan.timeoutMs; performance.now() < until; ) {
    if (![...all].some(({ sentAt }) => sentAt !== 0)) break
    await new Promise((resolve) => setTimeout(resolve, SERIES_MS / 10))
  }
  closeLate(Number.POSITIVE_INFINITY)
  for (const { socket } of all) socket.destroy()
  for (const [status, list] of times) result.statuses[status] = summarize(list)
  return result
}

function summarize(times: number[]): StatusResult {
  return {
    count: times.length,
    p50Ms: round(quantile(times, 0.5), 2),
    p99Ms: round(quantile(times, 0.99), 2),
    maxMs: round(quantile(times, 1), 1),
  }
}
