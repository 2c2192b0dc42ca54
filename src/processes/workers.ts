/** The workers of the service: starts them, restarts those that die, and stops them. */
import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { createFailedKeys } from '../accounts/failed-keys.ts'
import type { FailedAsk } from '../accounts/shared-failed-keys.ts'
import { type MetricValues, showMetrics } from '../base/metrics.ts'
import { closeLostConnections } from '../http/load/lost-connections.ts'
import { WITHOUT_SETTINGS } from '../settings/least-environment.ts'
import { passOrder } from './child.ts'
import type { FromWorker, ToWorker, WorkerOrder } from './messages.ts'
import { type Supervised, supervise } from './supervise.ts'

const PROGRAM = new URL('worker.ts', import.meta.url)

/** Starts `count` workers. `showMore`: returns the metrics that no worker counts. */
export function startWorkers(
  order: WorkerOrder,
  count: number,
  report: (line: string) => void,
  showMore: () => Promise<string>,
) {
  // By process. The counts of ended workers are kept.
  const counts = new Map<ChildProcess, MetricValues>()
  const runtimes = new Map<ChildProcess, MetricValues>()
  const metrics = async () => {
    const all = showMetrics([...counts.values(), ...runtimes.values()])
    return (await all) + (await showMore())
  }
  const failedKeys = createFailedKeys(() => performance.now())
  const ports: number[] = []
  cluster.setupPrimary({ exec: PROGRAM.pathname, execArgv: [], args: [] })
  const workers: Supervised[] = Array.from({ length: count }, () =>
    supervise<FromWorker>({ name: (pid) => `worker ${pid}`, start, isNeeded: true, hear }, report),
  )

  function start(): ChildProcess {
    const worker = cluster.fork({ ...WITHOUT_SETTINGS, ...passOrder(order) })
    closeLostConnections(worker)
    worker.process.on('exit', () => runtimes.delete(worker.process))
    return worker.process
  }

  function hear(message: FromWorker, worker: ChildProcess): void {
    if (message.kind === 'ready') ports.push(message.port)
    else if (message.kind === 'counts') counts.set(worker, message.values)
    else if (message.kind === 'runtime') runtimes.set(worker, message.values)
    else if (message.kind === 'metrics') void answerMetrics(worker)
    else if (message.kind === 'failedKeys') answerFailed(worker, message)
  }

  function answerFailed(worker: ChildProcess, { number, counts: asked }: FailedAsk): void {
    const grants = asked.map(([address, requests]) => failedKeys.take(address, requests))
    send(worker, { kind: 'failedKeys', number, grants })
  }

  async function answerMetrics(worker: ChildProcess): Promise<void> {
    send(worker, { kind: 'metrics', text: await metrics() })
  }

  function beginStop(): void {
    for (const worker of workers) worker.beginStop()
  }

  return {
    /** Ports of the workers, once all of them answer. Rejects when one cannot start. */
    ready: Promise.all(workers.map(({ started }) => started)).then(() => ports),
    metrics,
    /** Restarts no worker from now on. */
    beginStop,
    /** Stops all workers; kills those that need more than `withinMs`. */
    async stop(withinMs: number) {
      beginStop()
      await Promise.all(workers.map((worker) => worker.stop(withinMs)))
    },
  }
}

function send(worker: ChildProcess, message: ToWorker): void {
  // A dying worker may not read it; its exit is handled elsewhere.
  if (worker.connected) worker.send(message, () => undefined)
}
