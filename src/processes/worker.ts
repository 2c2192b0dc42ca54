/**
 * A worker: a process that serves HTTP on the port that all workers share. The primary stops it and
 * handles a terminal's signals.
 */
import { shareFailedKeys } from '../accounts/shared-failed-keys.ts'
import { buildApp } from '../app.ts'
import { BEAT_MS } from '../base/liveness.ts'
import { keepDefect } from '../base/logs/defect-log.ts'
import { createRuntimeMetrics } from '../base/metrics.ts'
import { createObserve } from '../base/observe.ts'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { watchDescriptors } from '../http/load/descriptor-watch.ts'
import { explainListening, openListeningSockets } from '../http/load/listening-sockets.ts'
import { openTraces } from '../http/traces.ts'
import { connectLedger } from '../ledger/client.ts'
import { connectDesk } from '../watches/socket.ts'
import { endBy, fail, sayReady, takeOrder } from './child.ts'
import type { FromWorker, ToWorker, WorkerOrder } from './messages.ts'

const { config, socketPath, metricsHere, billingSocket, notifierSocket, consoleAddress } =
  takeOrder<WorkerOrder>(() => process.exit(1))
/** Milliseconds between reads of the runtime's figures, which take milliseconds. */
const RUNTIME_MS = 10_000

const send = (message: FromWorker) => process.send?.(message)

const observe = createObserve((line) => {
  process.stderr.write(`${line}\n`)
  keepDefect(config.data, line)
}, Date.now)
const ledger = connectLedger(socketPath)
const waiting: ((text: string) => void)[] = []
const traces =
  config.tracesUrl === null
    ? undefined
    : await openTraces({
        url: config.tracesUrl,
        share: config.tracesShare,
        version: PROGRAM_VERSION,
      })
const failedKeys = shareFailedKeys(
  () => performance.now(),
  (question) => send({ kind: 'failedKeys', ...question }),
)
const app = buildApp(config, {
  ledger,
  observe,
  traces,
  now: Date.now,
  failedKeys,
  watches: connectDesk(notifierSocket),
  consoleAddress,
  ...(billingSocket !== null && { billingSocket }),
  ...(metricsHere && { metrics: requestMetrics }),
})

const runtime = createRuntimeMetrics(app.listRolls)
endBy(app.close)
process.on('message', (message: ToWorker) => {
  if (message.kind === 'failedKeys') failedKeys.hear(message)
  if (message.kind !== 'metrics') return
  for (const resolve of waiting.splice(0)) resolve(message.text)
})
// The primary replaces a worker that stops sending these.
setInterval(sendCounts, BEAT_MS).unref()
setInterval(sendRuntime, RUNTIME_MS).unref()
watchDescriptors((error) => observe.failure('', 'listen', error))

try {
  // Waits without limit: the primary knows whether the ledger can start.
  await ledger.ready()
  await openListeningSockets(app.server.fastify, config)
  const address = app.server.fastify.server.address()
  await sendRuntime()
  sayReady({ port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
} catch (error) {
  await fail(new Error(explainListening(error as NodeJS.ErrnoException, config)))
}

async function sendCounts(): Promise<void> {
  send({ kind: 'counts', values: await observe.read() })
}

async function sendRuntime(): Promise<void> {
  send({ kind: 'runtime', values: await runtime.read() })
}

async function requestMetrics(): Promise<string> {
  await sendCounts()
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) send({ kind: 'metrics' })
  })
}
