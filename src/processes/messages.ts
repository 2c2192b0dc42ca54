/** What the primary and its workers say to each other. */
import type { Config } from '../config.ts'
import type { MetricValues } from '../metrics.ts'

/** Environment variable through which a worker gets its order, as JSON. */
export const ORDER = 'PLATBOOK_WORKER_ORDER'

/** What a worker is started with. */
export type WorkerOrder = {
  config: Config
  socketPath: string
  metricsHere: boolean
  /** Of the billing process; null: there is none. */
  billingSocket: string | null
}

/** Environment variable through which the billing process gets its order, as JSON. */
export const BILLING_ORDER = 'PLATBOOK_BILLING_ORDER'

/** What the billing process is started with. */
export type BillingOrder = { config: Config; socketPath: string }

/** Environment variable through which the notifier process gets its order, as JSON. */
export const NOTIFIER_ORDER = 'PLATBOOK_NOTIFIER_ORDER'

/** What the notifier process is started with. */
export type NotifierOrder = { config: Config }

/** What the billing and the notifier process tell the primary. */
export type FromChild = { kind: 'ready' | 'alive' } | { kind: 'alarm'; text: string }

/** What a worker tells the primary. */
export type FromWorker =
  | { kind: 'listening'; port: number }
  | { kind: 'refused'; text: string }
  | { kind: 'counts'; values: MetricValues }
  | { kind: 'runtime'; values: MetricValues }
  | { kind: 'metrics' }

/** What the primary tells a worker. */
export type ToWorker = { kind: 'stop' } | { kind: 'metrics'; text: string }

/** What the console's process is started with. */
export type ConsoleOrder = {
  config: Config
  /** Where the API answers: `http://127.0.0.1:8080`. */
  service: string
}

/** What the console's process tells the primary. */
export type FromConsole = { kind: 'listening'; address: string } | { kind: 'refused'; text: string }
