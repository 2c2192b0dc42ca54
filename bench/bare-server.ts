/**
 * A `node:http` server that answers every request with the same bytes and does nothing else. It
 * shows the upper limit of the runtime.
 */
import { createServer } from 'node:http'

process.on('message', (body: string) => {
  const bytes = Buffer.from(body)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  }
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : 0)
  })
})
process.on('disconnect', () => process.exit(0))
