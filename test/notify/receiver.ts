/** A receiver of notices that can be slow, broken or away. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Notice } from '../../src/notify/notice.ts'

export type Taken = { body: string; notice: Notice; signature: string }

export type TestReceiver = {
  url: string
  taken: Taken[]
  /** The status of the answer to a notice; `null`: it never answers. */
  answer: (notice: Notice) => number | null
  close(): Promise<void>
}

/** Starts the receiver, on a given port or any free one. */
export async function startReceiver(port = 0): Promise<TestReceiver> {
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const notice = JSON.parse(body) as Notice
    const signature = String(request.headers['platbook-signature'])
    receiver.taken.push({ body, notice, signature })
    const status = receiver.answer(notice)
    if (status !== null) response.writeHead(status).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken: [],
    answer: () => 200,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return receiver
}
