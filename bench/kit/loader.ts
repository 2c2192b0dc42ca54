/**
 * The process of `load.ts`: sends HTTP over bare sockets, with as little work per request as
 * possible.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { LoadPlan, LoadResult } from './load.ts'
import { LoadTally } from './load-tally.ts'

const TICK_MS = 1
/** Milliseconds between searches for late requests. */
const SWEEP_MS = 100
/** Milliseconds between looks whether the last requests are answered. */
const END_MS = 10
/** Connections opened at once. */
const OPENING = 50

type Connection = {
  socket: Socket
  /** When the pending request was due, by `performance.now()`; 0: none is pending. */
  sentAt: number
  /** Bytes of the answer being read, while its head is incomplete. */
  head: string
  /** Number of bytes of the answer still to come. */
  left: number
  status: string
}

process.once('message', (plan: LoadPlan) => {
  new LoadRun(plan).run().then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))

/** One run: its connections, and the requests that they send in turn. */
class LoadRun {
  readonly #plan: LoadPlan
  readonly #hostname: string
  readonly #port: number
  readonly #texts: string[]
  /** Each answer triggers the next request, instead of a fixed rate. */
  readonly #isClosed: boolean
  readonly #tally = new LoadTally()
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []
  #startedAt = 0
  #isOver = false

  constructor(plan: LoadPlan) {
    const { hostname, port } = new URL(plan.address)
    this.#plan = plan
    this.#hostname = hostname
    this.#port = Number(port)
    this.#texts = plan.paths.map(
      (path) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${plan.key}\r\n\r\n`,
    )
    this.#isClosed = plan.rate === undefined
  }

  async run(): Promise<LoadResult> {
    await this.#openAll()
    this.#startedAt = performance.now()
    this.#tally.begin(this.#startedAt)
    await this.#sendUntilEnd()
    this.#isOver = true
    await this.#awaitPending()
    this.#closeLate(Number.POSITIVE_INFINITY)
    for (const { socket } of this.#all) socket.destroy()
    return this.#tally.result()
  }

  /**
   * Opens connections beforehand, some at a time, because the rate of new connections is not
   * measured here.
   */
  async #openAll(): Promise<void> {
    const { connections } = this.#plan
    for (let count = 0; count < connections; count += OPENING) {
      const length = Math.min(OPENING, connections - count)
      const opened = Array.from({ length }, () => this.#open())
      await Promise.all(opened.map(({ socket }) => once(socket, 'connect')))
      this.#idle.push(...opened)
    }
  }

  #open(): Connection {
    const socket = connect({ port: this.#port, host: this.#hostname, noDelay: true })
    const connection: Connection = { socket, sentAt: 0, head: '', left: 0, status: '' }
    this.#all.add(connection)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!this.#all.delete(connection) || this.#isOver) return
      if (connection.sentAt !== 0) this.#tally.counts.broken += 1
      if (this.#isClosed) setTimeout(() => this.#send(this.#open(), performance.now()), 10)
    })
    socket.on('data', (part) => this.#read(connection, part as Buffer))
    return connection
  }

  async #sendUntilEnd(): Promise<void> {
    const endsAt = this.#startedAt + this.#plan.seconds * 1000
    if (this.#isClosed) {
      for (const connection of this.#idle.splice(0)) this.#send(connection, this.#startedAt)
    }
    let sweptAt = this.#startedAt
    for (;;) {
      const now = performance.now()
      if (now >= endsAt) return
      if (!this.#isClosed) this.#sendDue(now)
      if (now - sweptAt > SWEEP_MS) {
        this.#closeLate(now)
        sweptAt = now
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
  }

  #sendDue(now: number): void {
    const { rate = 0, connections } = this.#plan
    const { counts } = this.#tally
    for (;;) {
      const dueAt = this.#startedAt + ((counts.sent + counts.unsent) * 1000) / rate
      if (dueAt > now) return
      // Takes the connection that was idle longest, so that connections take turns, as those of
      // many callers do.
      let connection = this.#idle.shift()
      while (connection?.socket.destroyed) connection = this.#idle.shift()
      // One that was closed is replaced.
      if (connection === undefined && this.#all.size < connections) connection = this.#open()
      if (connection === undefined) counts.unsent += 1
      else this.#send(connection, dueAt)
    }
  }

  #send(connection: Connection, dueAt: number): void {
    const { sent } = this.#tally.counts
    connection.sentAt = dueAt
    connection.socket.write(this.#texts[sent % this.#texts.length] as string)
    this.#tally.noteSent(performance.now() - dueAt)
  }

  #read(connection: Connection, part: Buffer): void {
    if (connection.left > 0) {
      connection.left -= part.length
      if (connection.left === 0) this.#finish(connection, part)
      return
    }
    connection.head += part.toString('latin1')
    const end = connection.head.indexOf('\r\n\r\n')
    if (end === -1) return
    const { head } = connection
    connection.status = head.slice(9, 12)
    const length = Number(/content-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
    connection.left = end + 4 + length - head.length
    if (connection.left === 0) this.#finish(connection, part)
  }

  #finish(connection: Connection, lastPart: Buffer): void {
    const { status, head, sentAt } = connection
    this.#tally.note(status, head, lastPart, sentAt)
    const seconds = this.#plan.obedient ? Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 0) : 0
    connection.sentAt = 0
    connection.head = ''
    if (this.#isOver) return
    if (seconds > 0) setTimeout(() => this.#release(connection), seconds * 1000)
    else this.#release(connection)
  }

  #release(connection: Connection): void {
    if (this.#isOver || connection.socket.destroyed) return
    if (this.#isClosed) this.#send(connection, performance.now())
    else this.#idle.push(connection)
  }

  #closeLate(now: number): void {
    for (const connection of this.#all) {
      if (connection.sentAt === 0 || now - connection.sentAt < this.#plan.timeoutMs) continue
      this.#tally.counts.late += 1
      connection.sentAt = 0
      connection.socket.destroy()
    }
  }

  /** Requests in progress at the end are still counted. */
  async #awaitPending(): Promise<void> {
    const until = performance.now() + this.#plan.timeoutMs
    while (performance.now() < until && [...this.#all].some(({ sentAt }) => sentAt !== 0)) {
      await new Promise((resolve) => setTimeout(resolve, END_MS))
    }
  }
}
