/** A connection that reconnects when it is lost, for pipelined statements. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { type ConnectionConfig, connect } from './connection.ts'
import { ConnectionLost } from './errors.ts'
import { keepsSession } from './pooler.ts'

/** Milliseconds between attempts to reconnect. Callers meanwhile are refused at once. */
const RETRY_MS = [50, 100, 250, 500] as const
/** A channel. `onMessage` is called for each message, and when some may have been missed. */
export type Listening = { channel: string; onMessage: () => void }

export class Line {
  readonly #config: ConnectionConfig
  readonly #listening: Listening | undefined
  #client: Client | undefined
  #opening: Promise<Client> | undefined
  #failures = 0
  #closed = false
  /** Number of questions awaiting its answer. */
  owed = 0

  constructor(config: ConnectionConfig, listening?: Listening) {
    this.#config = { ...config, pipeline: true }
    this.#listening = listening
  }

  get isUp(): boolean {
    return this.#client !== undefined
  }

  /** Returns the connection; waits for the first attempt to connect, not for further ones. */
  async client(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    if (this.#closed) throw new ConnectionLost('the store was closed')
    if (this.#failures > 0 && this.#opening !== undefined) {
      throw new ConnectionLost('the database is out of reach')
    }
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** Drops an unusable connection; waiting statements fail with it. */
  drop(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    // Destroys the socket, because `end` would wait for a server that does not answer.
    destroy(client)
    if (!this.#closed) this.#opening ??= this.#open()
    this.#opening?.catch(() => undefined)
  }

  /** Drops the connection if questions wait on it. */
  abandon(): void {
    if (this.#client !== undefined && this.owed > 0) this.drop(this.#client)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  async #open(): Promise<Client> {
    try {
      const client = await connect(this.#config)
      client.on('error', () => this.drop(client))
      client.on('end', () => this.drop(client))
      this.#failures = 0
      this.#opening = undefined
      if (this.#closed) {
        client.end().catch(() => undefined)
        throw new ConnectionLost('the store was closed')
      }
      this.#client = client
      this.#listen(client)
      return client
    } catch (error) {
      this.#failures += 1
      this.#opening = this.#closed ? undefined : this.#retry()
      this.#opening?.catch(() => undefined)
      throw error
    }
  }

  #listen(client: Client): void {
    if (this.#listening === undefined || !keepsSession(client)) return
    const { channel, onMessage } = this.#listening
    client.on('notification', onMessage)
    // A standby cannot listen; callers that need certainty poll anyway.
    client.query(`LISTEN ${channel}`).then(onMessage, () => undefined)
  }

  async #retry(): Promise<Client> {
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] ?? 0
    await sleep(wait, undefined, { ref: false })
    if (this.#closed) throw new ConnectionLost('the store was closed')
    return this.#open()
  }
}

type Wire = { cork(): void; uncork(): void; destroy(): void; writableCorked: number }

/** Sends all statements of one turn in one write, by corking the socket until the next tick. */
export function gatherWrites(client: Client): void {
  const wire = wireOf(client)
  if (wire.writableCorked > 0) return
  wire.cork()
  process.nextTick(() => wire.uncork())
}

/** Closes a connection at once, whatever waits on it. */
export function destroy(client: Client): void {
  wireOf(client).destroy()
}

/** The driver's socket, which its types do not expose. */
function wireOf(client: Client): Wire {
  return (client as unknown as { connection: { stream: Wire } }).connection.stream
}
