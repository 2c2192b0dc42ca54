/** Messages between the primary and its child processes, and their orders. */
import type { FailedAnswer, FailedAsk } from '../accounts/shared-failed-keys.ts'
import type { MetricValues } from '../base/metrics.ts'
import type { Config } from '../settings/config.ts'

export type WorkerOrder = {
  config: Config
  socketPath: string
  metricsHere: boolean
  /** Socket of the billing process; null without one. */
  billingSocket: string | null
  /** Socket of the notifier process, which keeps watches. */
  notifierSocket: string
  /** Where callers of this machine reach the console; null without one. */
  consoleAddress: string | null
}

export type LedgerOrder = {
  socketPath: string
  /** The ledger's location (`openLedger` in store/open.ts). */
  place: string
  /** Where the newest rows are recorded (`headsPlaces` in store/heads.ts). */
  heads: readonly string[]
  /** How long the audit is kept. */
  auditDays: number
}

export type BillingOrder = { config: Config; socketPath: string }

export type NotifierOrder = { config: Config; socketPath: string; ledgerSocket: string }

export type ConsoleOrder = {
  config: Config
  /** Address of the API: `http://127.0.0.1:8080`. */
  service: string
}

/** Sent by a worker to the primary, besides what every child sends (`supervise.ts`). */
export type FromWorker =
  | { kind: 'ready'; port: number }
  | { kind: 'counts'; values: MetricValues }
  | { kind: 'runtime'; values: MetricValues }
  | { kind: 'metrics' }
  | ({ kind: 'failedKeys' } & FailedAsk)

/** Sent by the primary to a worker. */
export type ToWorker = { kind: 'metrics'; text: string } | ({ kind: 'failedKeys' } & FailedAnswer)
