import assert from 'node:assert/strict'
import { createServer } from 'node:net'

/** A port of this machine that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}
