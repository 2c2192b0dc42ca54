/** Responses that a sandbox key requests by the header `X-Sandbox`: docs/sandbox.md. */
import { setTimeout as wait } from 'node:timers/promises'
import { GATE } from '../accounts/billing-gate.ts'
import { type Refusal, refuse } from '../base/errors.ts'
import { notFoundText } from './openapi/openapi.ts'

/** Longest wait of `slow=` in milliseconds, and most waiting requests per process. */
const SLOW_MAX_MS = 30_000
const WAITING_MAX = 100

let waiting = 0

/** Executes the header: waits, or throws the named refusal. Does nothing without a header. */
export async function provoke(header: string | undefined, operationId: string): Promise<void> {
  const asked = header?.trim().toLowerCase() ?? ''
  if (asked === '') return
  const slow = /^slow=(\d{1,5})$/.exec(asked)
  if (slow !== null) return waitFor(Number(slow[1]))
  throw refusalOf(asked, operationId) ?? refuse.badRequest(UNKNOWN)
}

/** Values for the headers of a provoked 429. */
const RATE = { policy: 'account', quota: 60, windowMs: 60_000, retryMs: 1000 } as const

const SLOW = `slow=MILLISECONDS up to ${SLOW_MAX_MS}`
const UNKNOWN = `X-Sandbox takes 401, 403/CODE, 404, 429, 500, 503 or ${SLOW}`

function refusalOf(asked: string, operationId: string): Refusal | undefined {
  const code = GATE.find((row) => asked === `403/${row.code}`)?.code
  if (code !== undefined) return refuse.blocked(code)
  if (asked === '401') return refuse.unauthenticated('Unauthorized: Invalid API key')
  if (asked === '404') return refuse.notFound(notFoundText(operationId))
  if (asked === '429') return refuse.tooMany('Too many requests; try again shortly', RATE)
  if (asked === '500') return refuse.provoked('Internal server error')
  if (asked === '503') return refuse.unavailable('Service temporarily unavailable')
  return undefined
}

async function waitFor(ms: number): Promise<void> {
  if (ms > SLOW_MAX_MS) throw refuse.badRequest(UNKNOWN)
  if (waiting >= WAITING_MAX) throw refuse.unavailable('Service temporarily unavailable')
  waiting += 1
  await wait(ms).finally(() => {
    waiting -= 1
  })
}
