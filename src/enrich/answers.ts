/** Where lookups are answered: the local store, or a service by batches. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { answerRow, BATCH } from '../operations/batch.ts'
import { makeLocalContext } from '../operations/local-context.ts'
import { openGuardedParcels } from '../privacy/guarded-parcels.ts'
import { FLAT_SCHEMA } from '../record/schema.ts'
import type { Question } from './questions.ts'

/** What a lookup found. */
export type Answer = {
  status: number
  match: string | undefined
  /** Text of a refusal. */
  error: string | undefined
  /** A flat record. */
  property: Record<string, unknown> | undefined
}

/** Asks the lookups for the rows of a list: the local store or a running service. */
export type Answers = {
  /** Answers in the order of the questions. */
  ask(questions: readonly Question['query'][]): Promise<Answer[]>
  /** Tokens that were charged. */
  charged(): number
  close(): Promise<void>
}

/** Answers from the store of the data folder, with no fields of the record but some. */
export async function answersOfStore(config: Config, fields: readonly string[]): Promise<Answers> {
  // In the record's own order, so that one pass over its text finds them all.
  const all = new Set([...fields, 'propertyId', 'city', 'zipCode'])
  const wanted = Object.keys(FLAT_SCHEMA.properties as object).filter((name) => all.has(name))
  const { parcels, close } = await openGuardedParcels(config)
  return {
    async ask(questions) {
      const context = makeLocalContext(await parcels(), config)
      const answers: Answer[] = []
      for (const question of questions) {
        const { status, body, match } = await answerRow(question, context.account.facts, context)
        const found = status === 200 ? { property: pick(body, wanted) } : JSON.parse(body)
        answers.push(readAnswer({ ...found, status, match }))
      }
      return answers
    },
    charged: () => 0,
    close,
  }
}

/**
 * Some fields of the first record of an answer, in the record's own order, without parsing the
 * others, which took most of the time.
 *
 * A field's first occurrence is the record's own: lists of objects stand behind all fields
 * (`answers.test.ts`). A quote inside of a text is escaped, so a text cannot hold a field's name.
 */
export function pick(body: string, fields: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  let from = 0
  for (const field of fields) {
    const name = `"${field}":`
    const at = body.indexOf(name, from)
    if (at === -1) continue
    record[field] = readValue(body, at + name.length)
    from = at
  }
  return record
}

const SCALAR = /"(?:[^"\\]|\\.)*"|null|true|false|-?\d[\d.eE+-]*/y

/** The JSON value that begins at a place of a text. */
function readValue(text: string, at: number): unknown {
  SCALAR.lastIndex = at
  const [scalar] = SCALAR.exec(text) ?? []
  if (scalar !== undefined) return JSON.parse(scalar)
  // A list or an object: rare among the fields asked for.
  const whole = JSON.parse(text) as Record<string, unknown>
  const record = (whole.property ?? (whole.properties as unknown[])[0]) as Record<string, unknown>
  const name = text.slice(text.lastIndexOf('"', at - 3) + 1, at - 2)
  return record[name]
}

const TRIES = 6
const ANSWER_MS = 60_000

/**
 * Answers from a service, one batch at a time.
 *
 * The idempotency key follows from the run and the batch, so a batch that is sent again, after a
 * lost answer or by a resumed run within 24 hours, is not paid twice. `run` names the run.
 */
export function answersOfService(url: string, key: string, run: string): Answers {
  let charged = 0
  return {
    async ask(questions) {
      if (questions.length === 0) return []
      const body = JSON.stringify(questions)
      const idempotency = createHash('sha256').update(`${run}\n${body}`).digest('hex')
      const response = await send(`${url}${BATCH.path}`, body, {
        authorization: key,
        'content-type': 'application/json',
        'idempotency-key': idempotency,
      })
      charged += Number(response.headers.get('x-tokens-charged') ?? 0)
      const { results } = (await response.json()) as { results: Record<string, unknown>[] }
      return results.map(readAnswer)
    },
    charged: () => charged,
    close: async () => {},
  }
}

async function send(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  for (let tried = 1; ; tried += 1) {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const response = await fetch(url, { method: 'POST', body, headers, signal }).catch(
      (error: Error) => error,
    )
    if (response instanceof Response && response.ok) return response
    const passing = response instanceof Error || response.status === 429 || response.status >= 500
    if (!passing || tried === TRIES) throw await explain(response)
    const after = response instanceof Response ? response.headers.get('retry-after') : null
    await wait(Math.min(60, Number(after ?? 2 ** tried / 4)) * 1000)
  }
}

async function explain(response: Response | Error): Promise<CommandError> {
  if (response instanceof Error) {
    const cause = response.cause instanceof Error ? response.cause.message : response.message
    return new CommandError(
      `the service cannot be reached: ${cause}; run the command again to go on`,
    )
  }
  const text = await response.text()
  const told = JSON.parse(text.startsWith('{') ? text : '{}') as { error?: string; action?: string }
  const parts = [told.error ?? '', told.action ?? ''].filter((part) => part !== '')
  return new CommandError(
    `the service answered ${response.status}: ${parts.join('. ')}; run the command again to go on`,
  )
}

/** A result of a batch; records of an account with nested ones are refused. */
function readAnswer(result: Record<string, unknown>): Answer {
  const { status, match, error, property, properties } = result
  const [first] = (properties ?? []) as unknown[]
  const record = (property ?? first) as Record<string, unknown> | undefined
  if (record !== undefined && record.propertyIdentification !== undefined) {
    throw new CommandError('the account of the key has nested records; enrich needs flat ones')
  }
  return {
    status: Number(status),
    match: typeof match === 'string' ? match : undefined,
    error: typeof error === 'string' ? error : undefined,
    property: record,
  }
}
