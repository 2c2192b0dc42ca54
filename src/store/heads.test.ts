import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readHeads } from './heads.ts'

const asked: string[] = []
const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/none': (response) => response.writeHead(404).end(),
  '/moved': (response) => response.writeHead(302, { location: '/none' }).end(),
  '/endless': (response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  },
}
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  ANSWERS[request.url ?? '']?.(response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

test('an anchor without noted rows is empty', async () => {
  assert.equal(await readHeads(at('/none')), undefined)
})

test('a redirect of an anchor is not followed', async () => {
  asked.length = 0
  await assert.rejects(readHeads(at('/moved')), /cannot be read: it answers 302/)
  assert.deepEqual(asked, ['/moved'])
})

test('an answer without an end is not read to its end', async () => {
  await assert.rejects(readHeads(at('/endless')), /larger than 1 MiB/)
})
