/** The primary: starts the other processes, restarts those that die, and stops all cleanly. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { takeLock } from '../base/lock.ts'
import { createServer } from '../base/network/node-http.ts'
import { explainListening, findPort } from '../http/load/listening-sockets.ts'
import { openTls } from '../http/tls.ts'
import { addNotice, makeNotice } from '../notify/notice.ts'
import type { Config } from '../settings/config.ts'
import { leastConfig } from '../settings/least-environment.ts'
import { ledgerPlace, makeFolder } from '../store/data-folder.ts'
import { headsPlaces } from '../store/heads.ts'
import { prepareData } from '../store/open.ts'
import type { BillingOrder, NotifierOrder, WorkerOrder } from './messages.ts'
import { forkChild, type Supervised, supervise } from './supervise.ts'
import { superviseLedger } from './supervise-ledger.ts'
import { startWorkers } from './workers.ts'

/** Longer than any request; the drain is added to it. */
const STOP_MS = 15_000
/** The same for a process that no caller waits for. */
const CHILD_STOP_MS = 5000

type Report = (line: string) => void

type Service = {
  address: string
  /** Finishes requests under way and stops every process. */
  stop(): Promise<void>
}

/**
 * Starts the whole service and resolves when every worker answers. `consoleAddress`: where callers
 * of this machine reach the console. Throws `CommandError` when one cannot start.
 */
export async function startService(
  config: Config,
  report: Report,
  consoleAddress: string | null = null,
): Promise<Service> {
  // Checked before any process starts, because each would fail on the same files repeatedly.
  openTls(config)
  if (config.notifyUrl !== null && config.notifySecret === null) {
    throw new CommandError(
      'PLATBOOK_NOTIFY_URL needs PLATBOOK_NOTIFY_SECRET, which signs what is sent',
    )
  }
  const unlock = lockData(config)
  try {
    return await startLocked(config, report, { unlock, consoleAddress })
  } catch (error) {
    unlock()
    throw error
  }
}

/** Takes the data folder: two services on its files would each allow an account's whole rate. */
function lockData({ data, databaseUrl }: Config): () => void {
  if (databaseUrl !== null) return () => undefined
  makeFolder(data)
  const unlock = takeLock(join(data, 'service.lock'))
  if (unlock !== undefined) return unlock
  throw new CommandError(`another service runs on the data folder ${data}; stop that one first`)
}

async function startLocked(
  config: Config,
  report: Report,
  { unlock, consoleAddress }: { unlock: () => void; consoleAddress: string | null },
): Promise<Service> {
  await prepareData(config)
  const port = await findPort(config).catch((error) => {
    throw new CommandError(explainListening(error, config), 1, error)
  })
  const ledger = superviseLedger(
    ledgerPlace(config),
    { report, onFault: (text) => noticeFault(config, text, report) },
    { heads: headsPlaces(config), auditDays: config.auditDays },
  )
  const metricsHere = config.adminPort === null
  const billingSocket =
    config.stripeKey === null ? null : join(dirname(ledger.socketPath), 'billing.sock')
  const notifierSocket = join(dirname(ledger.socketPath), 'notifier.sock')
  const order: WorkerOrder = {
    config: leastConfig({ ...config, port }, 'worker'),
    socketPath: ledger.socketPath,
    metricsHere,
    billingSocket,
    notifierSocket,
    consoleAddress,
  }
  const children: Supervised[] = []
  if (billingSocket !== null) {
    const own = leastConfig(config, 'billing')
    children.push(startOptional('billing.ts', { config: own, socketPath: billingSocket }, report))
  }
  const workers = startWorkers(order, config.workers, report, async () => {
    const { showMachine } = await import('./machine-metrics.ts')
    return showMachine(config, ledger.health())
  })
  let admin: Server | undefined

  async function openAdmin(): Promise<void> {
    if (!metricsHere) admin = await listenAdmin(config.adminPort ?? 0, workers.metrics)
  }
  const opening = openAdmin()

  async function stop(): Promise<void> {
    workers.beginStop()
    await opening.catch(() => undefined)
    admin?.close()
    await workers.stop(STOP_MS + 2 * config.drainMs)
    await Promise.all(children.map((child) => child.stop(CHILD_STOP_MS)))
    await ledger.stop()
    unlock()
  }

  try {
    // Workers wait for the ledger themselves, so that all processes start in parallel.
    const [ports] = await Promise.all([workers.ready, ledger.started, opening])
    // Requests to watches wait for it; no other needs it.
    const own = leastConfig(config, 'notifier')
    const sockets = { socketPath: notifierSocket, ledgerSocket: ledger.socketPath }
    children.push(startOptional('notifier.ts', { config: own, ...sockets }, report))
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    const scheme = config.tlsCert === null ? 'http' : 'https'
    return { address: `${scheme}://${host}:${ports[0] ?? port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts a process that the service can answer without. */
function startOptional(
  file: string,
  order: BillingOrder | NotifierOrder,
  report: Report,
): Supervised {
  const name = () => `the ${file.replace(/\..*/, '')} process`
  const start = () => forkChild(file, order)
  return supervise({ name, start, isNeeded: false }, report)
}

function noticeFault(config: Config, text: string, report: Report): void {
  if (config.notifyUrl === null) return
  try {
    addNotice(config.data, makeNotice('chain_broken', text, { text }, Date.now()))
  } catch (error) {
    report(`notices: a broken chain could not be noted: ${(error as Error).message}`)
  }
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
