/** Retries requests that failed because a server is busy or temporarily broken. */
import { CommandError } from '../../base/errors.ts'
import { PassingFault, type Web, type WebAnswer } from './web.ts'

const FIRST_PAUSE_MS = 1000
const PAUSE_MAX_MS = 60_000
/** If a server asks for a longer pause, the download fails instead of waiting. */
const ASKED_PAUSE_MAX_MS = 600_000

/**
 * Runs `work` up to `tries` times, with pauses of 1 to 60 s or as `Retry-After` says. Only a
 * `PassingFault` is retried; the last one is thrown.
 */
export async function retry<T>(web: Web, work: () => Promise<T>, tries = web.tries): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    refuseStopped(web)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PassingFault) || attempt >= tries) throw error
      const asked = error.retryAfterMs
      if (asked !== undefined && asked > ASKED_PAUSE_MAX_MS) throw error
      const own = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
      await web.pause(asked ?? own * (0.5 + Math.random() / 2))
    }
  }
}

/** Runs `work`; failures of these kinds become a `CommandError` that begins with `what`. */
export async function explainFailed<T>(
  what: string,
  work: () => Promise<T>,
  kinds: readonly (new (text: string) => Error)[] = [PassingFault],
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error
    throw new CommandError(`${what}: ${error.message}`, 1, error)
  }
}

/** Throws when the person has asked to stop; data already received is kept. */
export function refuseStopped(web: Web): void {
  if (!web.isStopped()) return
  throw new CommandError('stopped: nothing was loaded; run the same command to continue')
}

/** Throws a `PassingFault` for a busy or temporarily broken server: 408, 425, 429, 5xx. */
export function refuseBusy(answer: WebAnswer, now: number): void {
  const { status, headers } = answer
  if (status < 500 && ![408, 425, 429].includes(status)) return
  answer.body.destroy()
  throw new PassingFault(`the server answers ${status}`, {
    retryAfterMs: readRetryAfter(headers['retry-after'], now),
  })
}

/** Reads `Retry-After` as milliseconds from now; `undefined` when unreadable. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
