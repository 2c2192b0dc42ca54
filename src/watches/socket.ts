/** Asks the desk over a Unix socket: a worker's side and the notifier's. */
import { rmSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, type RefusalKind, refuse } from '../base/errors.ts'
import { request as ask, createServer } from '../base/network/node-http.ts'
import type { DeskQuestion, WatchDesk } from '../operations/watches/draft.ts'

/** Longer than the timeout of a receiver, which a test event waits for. */
const ANSWER_MS = 25_000
/** A process that starts, or is started again, answers sooner. */
const START_MS = 5000
const AGAIN_MS = 20

/** An answer, or a refusal with its kind. Anything else is a defect. */
type Sent = { answer: Record<string, unknown> } | { refusal: RefusalKind; text: string }

/** Serves the desk on a socket path. `fail` is called with defects. */
export function serveDesk(
  socketPath: string,
  desk: WatchDesk,
  fail: (error: unknown) => void,
): Server {
  const server = createServer(async (request, response) => {
    const sent = await answer(request).catch((error: unknown): Sent => {
      if (error instanceof Refusal && error.kind !== 'unavailable') {
        return { refusal: error.kind, text: error.message }
      }
      fail(error instanceof Refusal ? (error.cause ?? error) : error)
      return { refusal: 'unavailable', text: AWAY }
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(sent))
  })
  async function answer(request: IncomingMessage): Promise<Sent> {
    return { answer: await desk((await json(request)) as DeskQuestion) }
  }
  // A killed process has left its socket file.
  rmSync(socketPath, { force: true })
  return server.listen(socketPath)
}

const AWAY = 'Service temporarily unavailable'

/**
 * Returns the desk behind a socket. Throws *unavailable* when its process ends meanwhile, or is not
 * there within `startMs`.
 */
export function connectDesk(socketPath: string, startMs = START_MS): WatchDesk {
  return async (question) => {
    const sent = await exchange(socketPath, JSON.stringify(question), startMs)
    if ('answer' in sent) return sent.answer
    throw new Refusal(sent.refusal, sent.text)
  }
}

async function exchange(socketPath: string, body: string, startMs: number): Promise<Sent> {
  for (const until = performance.now() + startMs; ; await sleep(AGAIN_MS)) {
    try {
      return await send(socketPath, body)
    } catch (error) {
      if (!isNotThere(error) || performance.now() > until) throw refuse.unavailable(AWAY, error)
    }
  }
}

/** Nothing was sent, so that asking again does nothing twice. */
function isNotThere(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(String((error as NodeJS.ErrnoException).code))
}

function send(socketPath: string, body: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(body) }
    const asked = ask({ socketPath, method: 'POST', headers, timeout: ANSWER_MS })
    asked.on('timeout', () => asked.destroy(new Error('the notifier process does not answer')))
    asked.on('error', reject)
    asked.on('response', (response) => {
      json(response).then((sent) => resolve(sent as Sent), reject)
    })
    asked.end(body)
  })
}
