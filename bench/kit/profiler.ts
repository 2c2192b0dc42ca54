/**
 * A profile of a running process of Node, taken from outside: by its signal SIGUSR1 it opens its
 * inspector.
 */
import type { Profiler } from 'node:inspector'
import { setTimeout } from 'node:timers/promises'
import { round } from './numbers.ts'

/** Microseconds between samples. */
const INTERVAL_US = 100
const INSPECTOR = 'http://127.0.0.1:9229/json/list'
const TRIES = 50
const TRY_MS = 100

/** Profiles a process while `work` runs. */
export async function profileWhile(pid: number, work: () => Promise<unknown>) {
  const ask = await openInspector(pid)
  try {
    await ask('Profiler.enable')
    await ask('Profiler.setSamplingInterval', { interval: INTERVAL_US })
    await ask('Profiler.start')
    await work()
    const { profile } = (await ask('Profiler.stop')) as { profile: Profiler.Profile }
    return profile
  } finally {
    ask.close()
  }
}

type Ask = {
  (method: string, params?: Record<string, unknown>): Promise<unknown>
  close(): void
}

async function openInspector(pid: number): Promise<Ask> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await findTarget())
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('the inspector cannot be reached'))
  })
  const waiting = new Map<number, (answer: { result?: unknown }) => void>()
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  }
  let count = 0
  const ask = (method: string, params = {}) => {
    count += 1
    const id = count
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => waiting.set(id, ({ result }) => resolve(result)))
  }
  return Object.assign(ask, { close: () => socket.close() })
}

async function findTarget(): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[]
      if (target !== undefined) return target.webSocketDebuggerUrl
    } catch (error) {
      if (attempt >= TRIES) throw error
    }
    await setTimeout(TRY_MS)
  }
}

/** Microseconds that each node of a profile took itself, by its id. */
export function ownTimes({ samples = [], timeDeltas = [] }: Profiler.Profile): Map<number, number> {
  const own = new Map<number, number>()
  samples.forEach((id, at) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0))
  })
  return own
}

/**
 * Microseconds by part, of one of `count` rows or requests. `partOf` says which part a frame
 * belongs to, given that of its caller; the last of `parts` is where it begins.
 */
export function sumParts(
  profile: Profiler.Profile,
  parts: readonly string[],
  count: number,
  partOf: (frame: { functionName: string; url: string }, above: string) => string,
): Record<string, number> {
  const own = ownTimes(profile)
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const sums = new Map(parts.map((part) => [part, 0]))
  const walk = (node: Profiler.ProfileNode | undefined, above: string) => {
    if (node === undefined) return
    const part = partOf(node.callFrame, above)
    sums.set(part, (sums.get(part) ?? 0) + (own.get(node.id) ?? 0))
    for (const id of node.children ?? []) walk(nodes.get(id), part)
  }
  walk(profile.nodes[0], parts.at(-1) ?? '')
  return Object.fromEntries([...sums].map(([part, us]) => [part, round(us / count, 1)]))
}
