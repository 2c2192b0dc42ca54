/**
 * Counts and logs events of the service: values for `/metrics`, and a log line per event. Keys and
 * queries never reach this file, since an owner's name in a log would be a leak (docs/accounts.md).
 */
import { DamagedData } from './errors.ts'
import { createMetrics } from './metrics.ts'

/** Milliseconds for which equal failures share one line, so that an outage fills no disk. */
const ALIKE_MS = 1000
/** Kinds of failure remembered. */
const KINDS_MAX = 1000

/** Instruction to the operator in the log line of damaged data. */
const ALARM =
  'stored data is damaged: run platbook check, then load the roll again or restore a backup'

export type Observe = ReturnType<typeof createObserve>

/** Starts counting; `write` takes one log line. */
export function createObserve(write: (line: string) => void, now: () => number) {
  const { damaged, ...metrics } = createMetrics()
  /** When each kind of failure was last logged, and how many were not logged since. */
  const reported = new Map<string, { at: number; unsaid: number }>()
  return {
    ...metrics,
    /** Logs a defect or an outage; of equal ones, one per second with a count of the others. */
    failure(requestId: string, operation: string, cause: unknown) {
      const alarm = cause instanceof DamagedData ? { alarm: ALARM } : {}
      if (cause instanceof DamagedData) damaged()
      const kind = `${operation} ${cause instanceof Error ? cause.message : cause}`
      const last = reported.get(kind)
      if (last !== undefined && Math.abs(now() - last.at) < ALIKE_MS) {
        last.unsaid += 1
        return
      }
      if (reported.size >= KINDS_MAX) reported.clear()
      reported.set(kind, { at: now(), unsaid: 0 })
      const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      const at = new Date(now()).toISOString()
      const unsaid = last === undefined || last.unsaid === 0 ? {} : { alikeBefore: last.unsaid }
      write(JSON.stringify({ at, requestId, operation, ...alarm, error, ...unsaid }))
    },
  }
}
