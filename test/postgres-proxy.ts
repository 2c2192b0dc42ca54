/**
 * A proxy in front of a PostgreSQL server's socket that can close connections, drop bytes without
 * notice, or delay them.
 */
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

export type Proxy = {
  port: number
  /**
   * `open`: all bytes pass; `silent`: bytes are dropped without notice; `cut`: connections end, and
   * new ones are refused.
   */
  set(wire: 'open' | 'silent' | 'cut'): void
  /** Delay of the bytes that pass, milliseconds. */
  delay(ms: number): void
  /** Passes the next commit on, and closes the connection instead of returning its reply. */
  dropAfterCommit(): void
  close(): Promise<void>
}

/** `folder`: where the server's socket is. */
export async function startProxy(folder: string): Promise<Proxy> {
  let wire: 'open' | 'silent' | 'cut' = 'open'
  let delayMs = 0
  let cutting = false
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'))
    let cut = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    if (wire === 'cut') near.destroy()
    const pass = (bytes: Buffer | string, to: Socket) => {
      if (wire !== 'open') return
      if (delayMs === 0) to.write(bytes)
      else setTimeout(() => to.write(bytes), delayMs)
    }
    near.on('data', (bytes) => {
      if (cutting && bytes.includes('COMMIT')) {
        cutting = false
        cut = true
      }
      pass(bytes, far)
    })
    far.on('data', (bytes) => {
      // The server has committed; the client does not receive the answer.
      if (!cut) pass(bytes, near)
      else if (bytes.includes('COMMIT')) near.destroy()
    })
    near.on('close', () => far.end())
    far.on('close', () => near.end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const bound = proxy.address()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
    set(next) {
      wire = next
      if (next === 'cut') endAll()
    },
    delay(ms) {
      delayMs = ms
    },
    dropAfterCommit() {
      cutting = true
    },
    async close() {
      endAll()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
