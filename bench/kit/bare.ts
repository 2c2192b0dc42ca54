/** The limit of the runtime: a bare `node:http` server that sends the same bytes each time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { ask } from './queries.ts'

export type BareServer = { address: string; pid: number; stop(): Promise<void> }

const BARE = new URL('../bare-server.ts', import.meta.url).pathname
/** Number of answers from which the one of median length is chosen. */
const ANSWERS = 50

/** Returns the service's answer of median length to the first of some paths. */
export async function middleBody(paths: string[], address: string, key: string): Promise<string> {
  const bodies = await Promise.all(
    paths.slice(0, ANSWERS).map(async (path) => (await ask(address, path, key)).text),
  )
  return bodies.sort((a, b) => a.length - b.length)[bodies.length >> 1] ?? ''
}

/** Starts the server in a process of its own. */
export async function startBare(body: string): Promise<BareServer> {
  const child: ChildProcess = fork(BARE, { execArgv: [] })
  child.send(body)
  const [port] = (await once(child, 'message')) as [number]
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
    },
  }
}
