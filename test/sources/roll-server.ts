/** A local server of small rolls, each address with a behaviour of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export type RollServer = {
  /** `http://127.0.0.1:PORT`. */
  origin: string
  /** The handler of each path. */
  answers: Map<string, Answer>
  /** Method and path of every request, in order. */
  requests: string[]
  close(): Promise<void>
}

/** Starts it on a free port. A path without an answer is 404. */
export async function startRolls(): Promise<RollServer> {
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    requests.push(`${request.method} ${path}`)
    const answer = answers.get(path)
    if (answer !== undefined) return answer(request, response)
    response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    answers,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

/**
 * Answers with a body and headers: without the body to HEAD, and 304 when `If-None-Match` holds.
 */
export function serve(body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return ({ method, headers: asked }, response) => {
    const isSame = headers.etag !== undefined && asked['if-none-match'] === headers.etag
    response.writeHead(isSame ? 304 : 200, {
      'content-type': 'text/csv',
      'content-length': isSame ? 0 : Buffer.byteLength(body),
      ...headers,
    })
    response.end(method === 'HEAD' || isSame ? undefined : body)
  }
}

/** Rows of an invented roll: `PIN,OWNER,SITUS`. */
export function rollText(parcels: number, street = 'MAPLE ST'): string {
  const rows = Array.from(
    { length: parcels },
    (_, at) => `17-${1000 + at},"ROE, JANE ${at}",${100 + at} ${street}`,
  )
  return `${['PIN,OWNER,SITUS', ...rows].join('\n')}\n`
}
