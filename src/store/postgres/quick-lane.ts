/**
 * Short statements share a few connections: each is sent at once, behind those that wait for their answers already. That costs a
 * third of the processor time of a pool that sends one at a time (decision 080), and what is short keeps nobody waiting. All that is asked
 * in one turn of the event loop leaves in one write, and lookups of one kind in one statement.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import { Refusal, refuse } from '../../errors.ts'
import { connect } from './connection.ts'
import { asDriverError, asRefusal, ConnectionLost, endsConnection } from './errors.ts'

/** Answers that one connection may owe: some 30 ms of work. One more is refused rather than kept waiting. */
const OWED_MAX = 500
/** While the server is out of reach it is tried again this often, milliseconds; a caller meanwhile is refused at once. */
const RETRY_MS = [50, 100, 250, 500] as const
/** More shapes of statements than callers make; further ones are prepared anew each time. */
const NAMED_MAX = 300

/** Questions that one statement may answer together: some 5 ms of work. */
const TOGETHER_MAX = 100

export type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>

/**
 * A statement for one question, and the same for many of one state: that takes an array for each value behind the state, and gives each row
 * the `place` of its question in them, counted from 1.
 */
export type Lookup = { one: string; many: string }
export type AskTogether = <Row>(lookup: Lookup, state: string, values: unknown[]) => Promise<Row[]>

type Question = { values: unknown[]; resolve(rows: unknown[]): void; reject(error: unknown): void }
type Group = { lookup: Lookup; state: string; questions: Question[] }

/** What the server tells without being asked: `heard` is called for each message, and when some may have been missed. */
export type Listening = { channel: string; heard: () => void }

/** One connection that makes itself anew when it is lost. */
class Line {
  readonly #config: ClientConfig
  readonly #listening: Listening | undefined
  #client: Client | undefined
  #opening: Promise<Client> | undefined
  #failures = 0
  #closed = false
  owed = 0

  constructor(config: ClientConfig, listening?: Listening) {
    this.#config = { ...config, pipeline: true }
    this.#listening = listening
  }

  get isUp(): boolean {
    return this.#client !== undefined
  }

  /** The connection; waits for the first attempt to make it, not for further ones. */
  async client(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    if (this.#closed) throw new ConnectionLost('the store was closed')
    if (this.#failures > 0 && this.#opening !== undefined) {
      throw new ConnectionLost('the database is out of reach')
    }
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** After an error that leaves the connection of no use; statements that wait on it fail with it. */
  drop(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    // Nothing is sent to a server that does not answer: `end` alone would wait for it.
    destroy(client)
    if (!this.#closed) this.#opening ??= this.#open()
    this.#opening?.catch(() => undefined)
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
    if (this.#listening === undefined) return
    const { channel, heard } = this.#listening
    client.on('notification', heard)
    // A standby does not listen; whoever needs to know for certain asks anyway.
    client.query(`LISTEN ${channel}`).then(heard, () => undefined)
  }

  async #retry(): Promise<Client> {
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] ?? 0
    await sleep(wait, undefined, { ref: false })
    if (this.#closed) throw new ConnectionLost('the store was closed')
    return this.#open()
  }
}

export class QuickLane {
  readonly #lines: Line[]
  readonly #names = new Map<string, string>()
  #groups = new Map<string, Group>()
  #turn: Promise<void> | undefined

  /** `connections`: two let one statement that is a little longer keep only every other one waiting. */
  constructor(config: ClientConfig, connections: number, listening?: Listening) {
    this.#lines = Array.from({ length: connections }, (_, at) =>
      at === 0 ? new Line(config, listening) : new Line(config),
    )
  }

  /** Rows of a statement; throws *unavailable* when the server does not answer it in time. */
  ask: Ask = async <Row>(text: string, values: unknown[]): Promise<Row[]> => {
    await this.#endOfTurn()
    return this.#send(text, values, 1)
  }

  /** The same for a lookup that goes together with others of its kind. */
  askTogether: AskTogether = <Row>(lookup: Lookup, state: string, values: unknown[]) =>
    new Promise<Row[]>((resolve, reject) => {
      const name = `${state} ${lookup.one}`
      let group = this.#groups.get(name)
      if (group === undefined || group.questions.length >= TOGETHER_MAX) {
        const made: Group = { lookup, state, questions: [] }
        group = made
        this.#groups.set(name, made)
        void this.#endOfTurn().then(() => {
          this.#groups.delete(name)
          return this.#answer(made)
        })
      }
      group.questions.push({ values, resolve: resolve as Question['resolve'], reject })
    })

  async #answer({ lookup, state, questions }: Group): Promise<void> {
    const alone = ({ values }: Question) => this.#send(lookup.one, [state, ...values], 1)
    const [first] = questions as [Question]
    if (questions.length === 1) return alone(first).then(first.resolve, first.reject)
    const columns = first.values.map((_, at) => questions.map(({ values }) => values[at]))
    try {
      const rows = await this.#send<{ place: number }>(
        lookup.many,
        [state, ...columns],
        questions.length,
      )
      const found = questions.map((): object[] => [])
      for (const { place, ...row } of rows) found[place - 1]?.push(row)
      questions.forEach(({ resolve }, at) => {
        resolve(found[at] as object[])
      })
    } catch (error) {
      // What the server refuses for one question's sake is no fault of the others.
      const retried = error instanceof Refusal ? undefined : alone
      for (const question of questions) {
        if (retried === undefined) question.reject(error)
        else retried(question).then(question.resolve, question.reject)
      }
    }
  }

  /** `weight`: questions that it answers. */
  async #send<Row>(text: string, values: unknown[], weight: number): Promise<Row[]> {
    const line = this.#choose()
    if (line.owed >= OWED_MAX) throw refuse.unavailable('Service temporarily unavailable')
    line.owed += weight
    let client: Client | undefined
    try {
      client = await line.client()
      gatherWrites(client)
      const result = await client.query({ ...named(this.#names, text), values })
      return result.rows as Row[]
    } catch (caught) {
      const error = asDriverError(caught)
      if (client !== undefined && endsConnection(error)) line.drop(client)
      throw asRefusal(error)
    } finally {
      line.owed -= weight
    }
  }

  /** When the loop has heard everybody who has something to ask now. */
  #endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined
        resolve()
      })
    })
    return this.#turn
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.close()))
  }

  /** The line that owes least, of those that are up if one is. */
  #choose(): Line {
    const up = this.#lines.filter((line) => line.isUp)
    const lines = up.length > 0 ? up : this.#lines
    for (const line of this.#lines) {
      // One that is down is made anew beside the others.
      if (!line.isUp) line.client().catch(() => undefined)
    }
    return lines.reduce((best, line) => (line.owed < best.owed ? line : best))
  }
}

/** A statement under a short name, by which the server knows it again. */
export function named(names: Map<string, string>, text: string): { text: string; name?: string } {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMED_MAX) return { text }
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  return { text, name }
}

type Wire = { cork(): void; uncork(): void; destroy(): void; writableCorked: number }

/** All statements of one turn of the loop go to the server in one write: they are sent in the promises that its end resolves. */
function gatherWrites(client: Client): void {
  const wire = wireOf(client)
  if (wire.writableCorked > 0) return
  wire.cork()
  process.nextTick(() => wire.uncork())
}

function destroy(client: Client): void {
  wireOf(client).destroy()
}

/** The driver's own socket, which its types do not show. */
function wireOf(client: Client): Wire {
  return (client as unknown as { connection: { stream: Wire } }).connection.stream
}
