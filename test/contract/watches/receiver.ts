/** A receiver of events whose answers a test chooses. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { body: string; headers: IncomingHttpHeaders }

export type EventReceiver = {
  url: string
  taken: Received[]
  /** Status of the next answers; `null`: it never answers. */
  status: number | null
  headers: Record<string, string>
  close(): Promise<void>
}

export async function startEventReceiver(port = 0): Promise<EventReceiver> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    receiver.taken.push({ body, headers: request.headers })
    if (receiver.status !== null)
      response.writeHead(receiver.status, receiver.headers).end('thanks')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken: [],
    status: 200,
    headers: {},
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return receiver
}
