/** Messages between the primary and its child processes. */
import type { FailedAnswer, FailedAsk } from '../accounts/shared-failed-keys.ts'
import type { MetricValues } from '../base/metrics.ts'
import type { Config } from '../settings/config.ts'

/** Environment variable with a worker's order, as JSON. */
export const ORDER = 'PLATBOOK_WORKER_ORDER'

/** Start parameters of a worker. */
export type WorkerOrder = {
  config: Config
  socketPath: string
  metricsHere: boolean
  /** Socket of the billing process; null without one. */
  billingSocket: string | null
}

/** Environment variable with the billing process's order, as JSON. */
export const BILLING_ORDER = 'PLATBOOK_BILLING_ORDER'

/** Start parameters of the billing process. */
export type BillingOrder = { config: Config; socketPath: string }

/** Environment variable with the notifier process's order, as JSON. */
export const NOTIFIER_ORDER = 'PLATBOOK_NOTIFIER_ORDER'

/** Start parameters of the notifier process. */
export type NotifierOrder = { config: Config }

/** Sent by the billing and the notifier process to the primary. */
export type FromChild = { kind: 'ready' | 'alive' } | { kind: 'alarm'; text: string }

/** Sent by a worker to the primary. */
export type FromWorker =
  | { kind: 'listening'; port: number }
  | { kind: 'refused'; text: string }
  | { kind: 'counts'; values: MetricValues }
  | { kind: 'runtime'; values: MetricValues }
  | { kind: 'metrics' }
  | ({ kind: 'failed' } & FailedAsk)

/** Sent by the primary to a worker. */
export type ToWorker =
  | { kind: 'stop' }
  | { kind: 'metrics'; text: string }
  | ({ kind: 'failed' } & FailedAnswer)

/** Start parameters of the console's process. */
export type ConsoleOrder = {
  config: Config
  /** Address of the API: `http://127.0.0.1:8080`. */
  service: string
}

/** Sent by the console's process to the primary. */
export type FromConsole =
  | { kind: 'listening'; address: string }
  | { kind: 'alive' }
  | { kind: 'refused'; text: string }
