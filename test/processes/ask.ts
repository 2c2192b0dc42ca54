/**
 * Requests to a running service, each over a connection of its own, so that any worker may get it.
 */
import { get } from 'node:http'
import { connect } from 'node:net'

export type Reply = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape
  body: any
  requestId: string
}

/** Longer than any answer takes, the ledger's own limit among them. */
const ANSWER_MS = 30_000

/** One request; rejects when no answer arrives whole. */
export function ask(address: string, path: string, key?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { connection: 'close', ...(key !== undefined && { authorization: key }) }
    const request = get(`${address}${path}`, { agent: false, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(parts).toString()),
          requestId: String(response.headers['x-request-id']),
        }),
      )
    })
    request.on('error', reject)
    // An answer that does not come is an error, not a test that hangs.
    request.setTimeout(ANSWER_MS, () =>
      request.destroy(new Error(`${path.split('?')[0]}: no answer`)),
    )
  })
}

/** Returns the worker that answered: request ids begin with random characters of the process. */
export function workerOf({ requestId }: Reply): string {
  return requestId.split('-')[0] ?? ''
}

/** The same request until two different workers have answered it; their first answers. */
export async function askBothWorkers(
  address: string,
  path: string,
  key?: string,
): Promise<Reply[]> {
  const replies = new Map<string, Reply>()
  for (let tries = 0; replies.size < 2 && tries < 200; tries += 1) {
    const reply = await ask(address, path, key)
    if (!replies.has(workerOf(reply))) replies.set(workerOf(reply), reply)
  }
  if (replies.size < 2) throw new Error('only one worker answers')
  return [...replies.values()]
}

/** Whether a new connection is refused. */
export function isRefused(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}
