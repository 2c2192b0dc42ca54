/**
 * The primary: starts the ledger process and the workers, restarts those that die, and stops all of
 * them cleanly.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { CommandError } from '../errors.ts'
import { explainListening, findPort } from '../http/load/listening-sockets.ts'
import { closeLostConnections } from '../http/load/lost-connections.ts'
import { openTls } from '../http/tls.ts'
import { WITHOUT_SETTINGS } from '../least-environment.ts'
import { type LedgerEvent, superviseLedger } from '../ledger/supervisor.ts'
import { watchLiveness } from '../liveness.ts'
import { type MetricValues, showMetrics } from '../metrics.ts'
import { makeNotice } from '../notify/notice.ts'
import { addNotice } from '../notify/outbox.ts'
import { ledgerPlace, parcelsPlace } from '../store/data-folder.ts'
import { headsPlaces } from '../store/heads.ts'
import { prepareData } from '../store/open.ts'
import { leastConfig } from './least-config.ts'
import {
  BILLING_ORDER,
  type FromWorker,
  NOTIFIER_ORDER,
  ORDER,
  type ToWorker,
  type WorkerOrder,
} from './messages.ts'
import type { PlaceFilling } from './place-filling.ts'
import { tendDatabases } from './state-databases.ts'
import { type ChildSupervisor, superviseChild } from './supervise-child.ts'

const PROGRAM = new URL('worker.ts', import.meta.url)
/** A worker that dies within this time after its start is restarted only after the same time. */
const STEADY_MS = 1000
/** Longer than any request; the drain is added to it. */
const STOP_MS = 15_000

type Service = {
  /** `http://127.0.0.1:8080` */
  address: string
  /** Finishes requests under way and stops every process. */
  stop(): Promise<void>
}

/**
 * Starts the whole service and resolves when every worker answers. Throws `CommandError` when one
 * cannot.
 */
export async function startService(
  config: Config,
  report: (line: string) => void,
): Promise<Service> {
  // Checked before any process starts, because each would fail on the same files repeatedly.
  openTls(config)
  if (config.notifyUrl !== null && config.notifySecret === null) {
    throw new CommandError(
      'PLATBOOK_NOTIFY_URL needs PLATBOOK_NOTIFY_SECRET, which signs what is sent',
    )
  }
  const waiting = await prepareData(config)
  const port = await findPort(config).catch((error) => {
    throw new CommandError(explainListening(error, config), 1, error)
  })
  const ledger = superviseLedger(
    ledgerPlace(config),
    (event) => hearLedger(config, event, report),
    headsPlaces(config),
    config.auditDays,
  )
  const metricsHere = config.adminPort === null
  const billingSocket =
    config.stripeKey === null ? null : join(dirname(ledger.socketPath), 'billing.sock')
  const order: WorkerOrder = {
    config: leastConfig({ ...config, port }, 'worker'),
    socketPath: ledger.socketPath,
    metricsHere,
    billingSocket,
  }
  const children = startChildren(config, billingSocket, report)
  // By worker. The counts of ended workers are kept.
  const counts = new Map<number, MetricValues>()
  const runtimes = new Map<number, MetricValues>()
  const metrics = () => showMetrics([...counts.values(), ...runtimes.values()])
  let stopping = false
  cluster.setupPrimary({ exec: PROGRAM.pathname, execArgv: [], args: [] })

  const ready = Array.from({ length: config.workers }, startWorker)
  let admin: Server | undefined
  let filling: PlaceFilling | undefined

  async function openAdmin(): Promise<void> {
    if (!metricsHere) admin = await listenAdmin(config.adminPort ?? 0, metrics)
  }
  const opening = openAdmin()

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
        else if (message.kind === 'refused') reject(new CommandError(message.text))
        else resolve(message.port)
      })
    })
  }

  async function answerMetrics(worker: Worker): Promise<void> {
    tell(worker, { kind: 'metrics', text: await metrics() })
  }

  async function stop(): Promise<void> {
    stopping = true
    await opening.catch(() => undefined)
    admin?.close()
    const workers = Object.values(cluster.workers ?? {}) as Worker[]
    await filling?.stop()
    await Promise.all(workers.map((worker) => stopWorker(worker, STOP_MS + 2 * config.drainMs)))
    await Promise.all(children.map((child) => child.stop()))
    await ledger.stop()
  }

  try {
    // Workers wait for the ledger themselves, so that all processes start in parallel.
    const [, , bound = port] = await Promise.all([ledger.started, opening, ...ready])
    filling = await tendDatabases(parcelsPlace(config), waiting, report)
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    const scheme = config.tlsCert === null ? 'http' : 'https'
    return { address: `${scheme}://${host}:${bound}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Processes that the service can answer without. */
function startChildren(
  config: Config,
  billingSocket: string | null,
  report: (line: string) => void,
): ChildSupervisor[] {
  const start = (name: string, program: string, variable: string, order: object) => {
    const env = { [variable]: JSON.stringify(order) }
    return superviseChild({ name, program: new URL(program, import.meta.url), env }, report)
  }
  const children: ChildSupervisor[] = []
  if (billingSocket !== null) {
    const order = { config: leastConfig(config, 'billing'), socketPath: billingSocket }
    children.push(start('billing', 'billing.ts', BILLING_ORDER, order))
  }
  if (config.notifyUrl !== null) {
    const order = { config: leastConfig(config, 'notifier') }
    children.push(start('notifier', 'notifier.ts', NOTIFIER_ORDER, order))
  }
  return children
}

/** Sends a notice of a broken chain to the operator's address too. */
function hearLedger(config: Config, event: LedgerEvent, report: (line: string) => void): void {
  report(describeEvent(event))
  if (event.kind !== 'fault' || config.notifyUrl === null) return
  try {
    const { text } = event
    addNotice(config.data, makeNotice('chain_broken', text, { text }, Date.now()))
  } catch (error) {
    report(`notices: a broken chain could not be noted: ${(error as Error).message}`)
  }
}

function describeEvent(event: LedgerEvent): string {
  if (event.kind === 'silent') return 'the ledger process did not answer for 5 s; replacing it'
  if (event.kind !== 'died') return event.text
  return `the ledger process died (${event.signal ?? event.code}); starting it again`
}

async function stopWorker(worker: Worker, withinMs: number): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  tell(worker, { kind: 'stop' })
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(killing)
}

function tell(worker: Worker, message: ToWorker): void {
  // A dying worker may not read it; its exit is handled elsewhere.
  if (worker.isConnected()) worker.send(message, undefined, () => undefined)
}

async function listenAdmin(port: number, metrics: () => Promise<string>) {
  const server = createServer(async (request, response) => {
    const known = request.method === 'GET' && request.url === '/metrics'
    const text = known ? await metrics() : 'only GET /metrics is here\n'
    response.writeHead(known ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
    response.end(text)
  })
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    throw new CommandError(`the admin port ${port} cannot be opened`, 1, error)
  }
  return server
}
