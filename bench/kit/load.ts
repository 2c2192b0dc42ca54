/**
 * Sends load from a process of its own (`loader.ts`). Open load has a fixed rate, independent of
 * the answers; in closed load each answer triggers the next request.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export type LoadPlan = {
  address: string
  key: string
  /** Requested in turn. */
  paths: string[]
  /** Maximum number of connections. They are opened as needed. */
  connections: number
  /**
   * Requests a second, independent of the answers; `undefined`: each connection sends the next
   * request when it is answered.
   */
  rate?: number
  seconds: number
  /** A request not answered by then counts as *late*, and its connection is closed. */
  timeoutMs: number
  /** Wait as long as `Retry-After` says before the connection is used again. */
  obedient?: boolean
}

export type LoadResult = {
  sent: number
  /** Due, but every connection was waiting for an answer. */
  unsent: number
  /** How long after they were due requests were sent: what the sender itself was late. */
  lag: StatusResult
  late: number
  broken: number
  statuses: Record<string, StatusResult>
  /** 503 without `Retry-After`. */
  withoutRetryAfter: number
  /** Lists with a cursor whose count is below their limit. */
  shortPages: number
  /** Answers in each tenth of a second. */
  series: { ok: number; refused: number }[]
}

export type StatusResult = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

export type Load = {
  /** Of the process that sends the load. */
  pid: number
  result: Promise<LoadResult>
}

const LOADER = new URL('./loader.ts', import.meta.url).pathname

export function startLoad(plan: LoadPlan): Load {
  const child = fork(LOADER, { execArgv: [] })
  child.send(plan)
  return { pid: child.pid ?? 0, result: resultOf(child) }
}

export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return startLoad(plan).result
}

async function resultOf(child: ChildProcess): Promise<LoadResult> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('the load ended without a result')
  })
  const [result] = (await Promise.race([once(child, 'message'), gone])) as [LoadResult]
  gone.catch(() => undefined)
  child.disconnect()
  return result
}
