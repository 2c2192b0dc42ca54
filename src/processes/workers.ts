/** The workers of the service: starts them, restarts those that die, and stops them. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createFailedKeys } from '../accounts/failed-keys.ts'
import type { FailedAsk } from '../accounts/shared-failed-keys.ts'
import { CommandError } from '../base/errors.ts'
import { watchLiveness } from '../base/liveness.ts'
import { type MetricValues, showMetrics } from '../base/metrics.ts'
import { closeLostConnections } from '../http/load/lost-connections.ts'
import { WITHOUT_SETTINGS } from '../settings/least-environment.ts'
import { showMachine } from './machine-metrics.ts'
import { type FromWorker, ORDER, type ToWorker, type WorkerOrder } from './messages.ts'

const PROGRAM = new URL('worker.ts', import.meta.url)
/** A worker that dies within this time after its start is restarted only after the same time. */
const STEADY_MS = 1000

type Workers = {
  /** Ports of the workers, once all of them answer. Rejects when one cannot start. */
  ready: Promise<number[]>
  /** Returns the Prometheus text of all workers together. */
  metrics(): Promise<string>
  /** Restarts no worker from now on. */
  beginStop(): void
  /** Stops all workers; kills those that need more than `withinMs`. */
  stop(withinMs: number): Promise<void>
}

/** Starts `count` workers. `report` is called with what an operator should know. */
export function startWorkers(
  order: WorkerOrder,
  count: number,
  report: (line: string) => void,
): Workers {
  // By worker. The counts of ended workers are kept.
  const counts = new Map<number, MetricValues>()
  const runtimes = new Map<number, MetricValues>()
  const metrics = async () => {
    const all = showMetrics([...counts.values(), ...runtimes.values()])
    return (await all) + (await showMachine(order.config.data))
  }
  const failedKeys = createFailedKeys(() => performance.now())
  let stopping = false
  cluster.setupPrimary({ exec: PROGRAM.pathname, execArgv: [], args: [] })
  const ready = Promise.all(Array.from({ length: count }, startWorker))

  function startWorker(): Promise<number> {
    const worker = cluster.fork({ ...WITHOUT_SETTINGS, [ORDER]: JSON.stringify(order) })
    const startedAt = performance.now()
    closeLostConnections(worker)
    const liveness = watchLiveness(() => {
      if (stopping) return
      report(`worker ${worker.process.pid} did not answer for 5 s; replacing it`)
      worker.process.kill('SIGKILL')
    })
    worker.on('exit', (code, signal) => {
      liveness.stop()
      runtimes.delete(worker.id)
      if (stopping) return
      report(`worker ${worker.process.pid} died (${signal ?? code}); starting another`)
      const wait = performance.now() - startedAt > STEADY_MS ? 0 : STEADY_MS
      setTimeout(() => {
        if (!stopping) startWorker().catch((error) => report((error as Error).message))
      }, wait)
    })
    return new Promise((resolve, reject) => {
      worker.on('exit', () => reject(new CommandError('a worker ended before it answered')))
      worker.on('message', (message: FromWorker) => {
        liveness.heard()
        if (message.kind === 'counts') counts.set(worker.id, message.values)
        else if (message.kind === 'runtime') runtimes.set(worker.id, message.values)
        else if (message.kind === 'metrics') void answerMetrics(worker)
        else if (message.kind === 'failed') answerFailed(worker, message)
        else if (message.kind === 'refused') reject(new CommandError(message.text))
        else resolve(message.port)
      })
    })
  }

  function answerFailed(worker: Worker, { number, counts: asked }: FailedAsk): void {
    const grants = asked.map(([address, requests]) => failedKeys.take(address, requests))
    send(worker, { kind: 'failed', number, grants })
  }

  async function answerMetrics(worker: Worker): Promise<void> {
    send(worker, { kind: 'metrics', text: await metrics() })
  }

  return {
    ready,
    metrics,
    beginStop() {
      stopping = true
    },
    async stop(withinMs) {
      stopping = true
      const running = Object.values(cluster.workers ?? {}) as Worker[]
      await Promise.all(running.map((worker) => stopWorker(worker, withinMs)))
    },
  }
}

async function stopWorker(worker: Worker, withinMs: number): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  send(worker, { kind: 'stop' })
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(killing)
}

function send(worker: Worker, message: ToWorker): void {
  // A dying worker may not read it; its exit is handled elsewhere.
  if (worker.isConnected()) worker.send(message, undefined, () => undefined)
}
