/**
 * Sends short statements over a few pipelining connections, in a third of a pool's processor time
 * (docs/decisions/postgresql.md). Statements of one turn are one write, and lookups of one kind one
 * statement. Of lookups with many questions only a few are under way; the others wait here and are
 * combined (docs/decisions/request-scheduling.md).
 */
import type { Client } from 'pg'
import { Refusal, refuse } from '../../../base/errors.ts'
import { shareTurnEnd } from '../../../base/event-loop.ts'
import type { ConnectionConfig } from './connection.ts'
import { asDriverError, asRefusal, endsConnection } from './errors.ts'
import { gatherWrites, Line, type Listening } from './line.ts'

/** Most unanswered questions per connection, some 30 ms of work; more are refused at once. */
const OWED_MAX = 500
/** More distinct statements than callers produce; further ones are prepared on each use. */
const NAMED_MAX = 300

/** Most questions in one statement: some 5 ms of work. */
const TOGETHER_MAX = 100

/** Most unanswered low-priority questions; with one more statement some 5 ms of work. */
const YIELDING_MAX = 128

/** Longest time that a question waits to be sent. */
const WAIT_MAX_MS = 1000

export type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>

/**
 * A statement for one question, and one for many of a state: after the state, each value is an
 * array. A row's `place` is its question's number, from 1. `yields`: has low priority.
 */
export type Lookup = { one: string; many: string; yields: boolean }
type AskTogether = <Row>(lookup: Lookup, state: string, values: unknown[]) => Promise<Row[]>

type Question = { values: unknown[]; resolve(rows: unknown[]): void; reject(error: unknown): void }
type Group = {
  name: string
  lookup: Lookup
  state: string
  questions: Question[]
  begunAt: number
}

/** Combines the lookups of one turn into statements over pipelining connections. */
export class LookupQueue {
  readonly #lines: Line[]
  readonly #names = new Map<string, string>()
  /** Groups that still accept questions, by state and kind. */
  readonly #groups = new Map<string, Group>()
  /** Groups not yet sent, in the order of their creation. */
  #gathered: Group[] = []
  #yielding = 0
  readonly #turnEnd = shareTurnEnd()

  /** `connections`: with two, a slow statement delays only half of the others. */
  constructor(config: ConnectionConfig, connections: number, listening?: Listening) {
    this.#lines = Array.from({ length: connections }, (_, at) =>
      at === 0 ? new Line(config, listening) : new Line(config),
    )
  }

  /** Returns the rows of a statement. Throws *unavailable* without an answer in time. */
  ask: Ask = async <Row>(text: string, values: unknown[]): Promise<Row[]> => {
    await this.#turnEnd.wait()
    return this.#send(text, values, 1)
  }

  /** The same for a lookup that may be combined with others of its kind. */
  askTogether: AskTogether = <Row>(lookup: Lookup, state: string, values: unknown[]) =>
    new Promise<Row[]>((resolve, reject) => {
      const name = `${state} ${lookup.one}`
      let group = this.#groups.get(name)
      if (group === undefined || group.questions.length >= TOGETHER_MAX) {
        group = { name, lookup, state, questions: [], begunAt: performance.now() }
        this.#groups.set(name, group)
        this.#gathered.push(group)
        void this.#turnEnd.wait().then(() => this.#sendGathered())
      }
      group.questions.push({ values, resolve: resolve as Question['resolve'], reject })
    })

  /** Sends the groups; low-priority ones wait for capacity and accept more questions meanwhile. */
  #sendGathered(): void {
    const gathered = this.#gathered
    this.#gathered = []
    const tooLate = performance.now() - WAIT_MAX_MS
    for (const group of gathered) {
      if (group.begunAt < tooLate) this.#refuse(group)
      else if (group.lookup.yields && this.#yielding >= YIELDING_MAX) this.#gathered.push(group)
      else void this.#sendGroup(group)
    }
  }

  /** Refuses a group that no server answers, so that those behind it do not wait longer. */
  #refuse(group: Group): void {
    this.#forget(group)
    const error = refuse.unavailable('Service temporarily unavailable')
    for (const { reject } of group.questions) reject(error)
  }

  #forget(group: Group): void {
    if (this.#groups.get(group.name) === group) this.#groups.delete(group.name)
  }

  async #sendGroup(group: Group): Promise<void> {
    const { lookup, questions } = group
    this.#forget(group)
    const weight = lookup.yields ? questions.length : 0
    this.#yielding += weight
    await this.#answer(group)
    this.#yielding -= weight
    if (this.#gathered.length > 0) void this.#turnEnd.wait().then(() => this.#sendGathered())
  }

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
      // An error caused by one question must not fail the others, so each is retried alone.
      const retried = error instanceof Refusal ? undefined : alone
      for (const question of questions) {
        if (retried === undefined) question.reject(error)
        else retried(question).then(question.resolve, question.reject)
      }
    }
  }

  /** `weight`: number of questions that it answers. */
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

  /** Gives up the connections on which questions wait; these throw *unavailable*. */
  abandon(): void {
    for (const line of this.#lines) line.abandon()
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.close()))
  }

  /** Returns the line with the fewest unanswered questions, among connected ones with room. */
  #choose(): Line {
    const up = this.#lines.filter((line) => line.isUp)
    const lines = up.length > 0 ? up : this.#lines
    const best = lines.reduce((least, line) => (line.owed < least.owed ? line : least))
    // The next connects in the background once questions wait; an import or a command needs one.
    const next = best.owed > 0 ? this.#lines.find((line) => !line.isUp) : undefined
    next?.client().catch(() => undefined)
    return best.owed >= OWED_MAX && next !== undefined ? next : best
  }
}

/** Returns a statement with a short name, under which the server keeps it prepared. */
export function named(names: Map<string, string>, text: string): { text: string; name?: string } {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMED_MAX) return { text }
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  return { text, name }
}
