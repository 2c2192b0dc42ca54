/**
 * What the service tells of itself: counts for `/metrics`, and one line per event for the log.
 *
 * No key and no query ever reaches this file: an owner's name in a log would be a leak
 * (docs/accounts.md, "Keys").
 */

import { DamagedData } from './errors.ts'

/** Upper bounds of the duration buckets, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Failures alike are one line in as many milliseconds: an outage under load would fill the disk
 * with lines that say the same.
 */
const ALIKE_MS = 1000
/** Kinds of failure remembered. */
const KINDS_MAX = 1000

/** What the log line of damaged data asks the operator to do. */
const ALARM =
  'stored data is damaged: run platbook check, then load the roll again or restore a backup'

/** Counts of one process; plain data, so that processes can be added up. */
export type Counts = {
  /** `operation status` → requests. */
  requests: Record<string, number>
  /** `operation` → counts per bucket (the last one: longer), and the sum of seconds. */
  durations: Record<string, { buckets: number[]; sum: number }>
  tokens: number
  /** Requests that met damaged data. */
  damaged: number
}

export type Observe = {
  counts: Counts
  /** One answered request: its operation, status, and milliseconds from first to last. */
  request(operation: string, status: number, ms: number): void
  charged(tokens: number): void
  /**
   * A defect of ours, or an outage: goes to the log with the request's id; of those alike one a
   * second, which counts the others.
   */
  failure(requestId: string, operation: string, cause: unknown): void
}

/** Starts counting; `write` takes one log line. */
export function createObserve(write: (line: string) => void, now: () => number): Observe {
  const counts: Counts = { requests: {}, durations: {}, tokens: 0, damaged: 0 }
  /** When each kind of failure was last written, and how many like it were not. */
  const told = new Map<string, { at: number; unsaid: number }>()
  return {
    counts,
    request(operation, status, ms) {
      const key = keyOf(operation, status)
      counts.requests[key] = (counts.requests[key] ?? 0) + 1
      let duration = counts.durations[operation]
      if (duration === undefined) {
        duration = { buckets: Array<number>(BUCKETS.length + 1).fill(0), sum: 0 }
        counts.durations[operation] = duration
      }
      const seconds = ms / 1000
      const at = BUCKETS.findIndex((bound) => seconds <= bound)
      const bucket = at === -1 ? BUCKETS.length : at
      duration.buckets[bucket] = (duration.buckets[bucket] ?? 0) + 1
      duration.sum += seconds
    },
    charged(tokens) {
      counts.tokens += tokens
    },
    failure(requestId, operation, cause) {
      const alarm = cause instanceof DamagedData ? { alarm: ALARM } : {}
      if (cause instanceof DamagedData) counts.damaged += 1
      const kind = `${operation} ${cause instanceof Error ? cause.message : cause}`
      const last = told.get(kind)
      if (last !== undefined && Math.abs(now() - last.at) < ALIKE_MS) {
        last.unsaid += 1
        return
      }
      if (told.size >= KINDS_MAX) told.clear()
      told.set(kind, { at: now(), unsaid: 0 })
      const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      const at = new Date(now()).toISOString()
      const unsaid = last === undefined || last.unsaid === 0 ? {} : { alikeBefore: last.unsaid }
      write(JSON.stringify({ at, requestId, operation, ...alarm, error, ...unsaid }))
    },
  }
}

/**
 * Texts made once: a text that is made anew has to be found among all names before it can be one.
 */
const KEYS = new Map<string, Map<number, string>>()

function keyOf(operation: string, status: number): string {
  const ofOperation = KEYS.get(operation) ?? new Map<number, string>()
  const known = ofOperation.get(status)
  if (known !== undefined) return known
  const key = `${operation} ${status}`
  KEYS.set(operation, ofOperation.set(status, key))
  return key
}

/** Adds up the counts of several processes. */
export function addCounts(all: Counts[]): Counts {
  const sum: Counts = { requests: {}, durations: {}, tokens: 0, damaged: 0 }
  for (const { requests, durations, tokens, damaged } of all) {
    sum.tokens += tokens
    sum.damaged += damaged
    for (const [key, count] of Object.entries(requests)) {
      sum.requests[key] = (sum.requests[key] ?? 0) + count
    }
    for (const [key, duration] of Object.entries(durations)) {
      const known = sum.durations[key]
      sum.durations[key] = {
        buckets: duration.buckets.map((count, at) => count + (known?.buckets[at] ?? 0)),
        sum: duration.sum + (known?.sum ?? 0),
      }
    }
  }
  return sum
}

/** Counts as Prometheus reads them (text exposition format 0.0.4). */
export function showMetrics(counts: Counts): string {
  const lines = [
    '# HELP platbook_requests_total Answered requests.',
    '# TYPE platbook_requests_total counter',
  ]
  for (const [key, count] of Object.entries(counts.requests).sort()) {
    const [operation, status] = key.split(' ')
    lines.push(`platbook_requests_total{operation="${operation}",status="${status}"} ${count}`)
  }
  lines.push(
    '# HELP platbook_request_seconds Time from a request to its answer.',
    '# TYPE platbook_request_seconds histogram',
  )
  for (const [operation, { buckets, sum }] of Object.entries(counts.durations).sort()) {
    let total = 0
    buckets.forEach((count, at) => {
      total += count
      const bound = BUCKETS[at] ?? '+Inf'
      lines.push(`platbook_request_seconds_bucket{operation="${operation}",le="${bound}"} ${total}`)
    })
    lines.push(
      `platbook_request_seconds_sum{operation="${operation}"} ${sum}`,
      `platbook_request_seconds_count{operation="${operation}"} ${total}`,
    )
  }
  lines.push(
    '# HELP platbook_tokens_charged_total Tokens charged for delivered answers.',
    '# TYPE platbook_tokens_charged_total counter',
    `platbook_tokens_charged_total ${counts.tokens}`,
    '# HELP platbook_damaged_data_total Requests that met damaged data and answered 500.',
    '# TYPE platbook_damaged_data_total counter',
    `platbook_damaged_data_total ${counts.damaged}`,
  )
  return `${lines.join('\n')}\n`
}
