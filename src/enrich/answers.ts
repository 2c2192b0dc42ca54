/** Answers lookups from the local store, or from a service in batches. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../base/errors.ts'
import { answerRow, BATCH } from '../operations/batch.ts'
import { makeLocalContext } from '../operations/context.ts'
import { openGuardedParcels } from '../privacy/guarded-parcels.ts'
import { partOfFlat } from '../render/render.ts'
import type { Config } from '../settings/config.ts'
import type { Question } from './questions.ts'

export type Answer = {
  status: number
  match: string | undefined
  /** Number of parcels that the question does not distinguish; 1 when it was certain. */
  alike: number
  /** Text of a refusal. */
  error: string | undefined
  /** A flat record. */
  property: Record<string, unknown> | undefined
}

/** Looks up the rows of a list in the local store or at a running service. */
export type Answers = {
  /** Returns answers in the order of the questions. */
  ask(questions: readonly Question['query'][]): Promise<Answer[]>
  /** Tokens that were charged. */
  charged(): number
  close(): Promise<void>
}

/** Fields of each answer that `run.ts` reads, besides the requested ones. */
const OWN_FIELDS = ['propertyId', 'city', 'zipCode']

/** Answers from the data folder's store, with only some fields of the record. */
export async function answersOfStore(config: Config, fields: readonly string[]): Promise<Answers> {
  // Writing and parsing the other hundred fields took most of the time.
  const layout = partOfFlat(new Set([...fields, ...OWN_FIELDS]))
  const { parcels, close } = await openGuardedParcels(config)
  return {
    async ask(questions) {
      const context = { ...makeLocalContext(await parcels(), config), layout }
      const answers: Answer[] = []
      for (const question of questions) {
        const { body, ...outcome } = await answerRow(question, context.account.facts, context)
        answers.push(readAnswer({ ...JSON.parse(body), ...outcome }))
      }
      return answers
    },
    charged: () => 0,
    close,
  }
}

const TRIES = 6
const ANSWER_MS = 60_000

/** Answers from a service, in batches. A batch sent again within 24 hours is charged once. */
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
  const refusal = JSON.parse(text.startsWith('{') ? text : '{}') as {
    error?: string
    action?: string
  }
  const parts = [refusal.error ?? '', refusal.action ?? ''].filter((part) => part !== '')
  return new CommandError(
    `the service answered ${response.status}: ${parts.join('. ')}; run the command again to go on`,
  )
}

/** Reads a result of a batch; refuses records in the nested layout. */
function readAnswer(result: Record<string, unknown>): Answer {
  const { status, match, alike, error, property, properties } = result
  const [first] = (properties ?? []) as unknown[]
  const record = (property ?? first) as Record<string, unknown> | undefined
  if (record !== undefined && record.propertyIdentification !== undefined) {
    throw new CommandError('the account of the key has nested records; enrich needs flat ones')
  }
  return {
    status: Number(status),
    match: typeof match === 'string' ? match : undefined,
    alike: typeof alike === 'number' ? alike : 1,
    error: typeof error === 'string' ? error : undefined,
    property: record,
  }
}
