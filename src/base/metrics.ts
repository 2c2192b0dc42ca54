/**
 * The content of `/metrics`: requests, tokens, damaged data, and figures of the runtime. Workers
 * count; the primary adds up. Requests are counted here, because prom-client takes 1 µs for one.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded when first used: the primary needs it only for `/metrics`. */
const prom = (): typeof import('prom-client') => require('prom-client')

/** Upper bounds of the duration buckets, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, Infinity]

/** Values of one process at one moment, as plain data. */
export type MetricValues = object[]

export type Metrics = ReturnType<typeof createMetrics>

/** Answers of an operation: how many by status and by bucket, and the time of all. */
type Answers = { statuses: Map<number, number>; buckets: number[]; ms: number }

export function createMetrics() {
  const { Counter, Registry } = prom()
  const register = new Registry()
  const answers = new Map<string, Answers>()
  const tokens = new Counter({
    name: 'platbook_tokens_charged_total',
    help: 'Tokens charged for delivered answers.',
    registers: [register],
  })
  const damaged = new Counter({
    name: 'platbook_damaged_data_total',
    help: 'Requests that met damaged data and answered 500, over PostgreSQL 503.',
    registers: [register],
  })
  return {
    /** Counts one answered request, with the milliseconds from its first byte to its answer. */
    request(operation: string, status: number, ms: number) {
      const own = answers.getOrInsertComputed(operation, startCounting)
      own.statuses.set(status, (own.statuses.get(status) ?? 0) + 1)
      const bucket = BUCKETS.findIndex((seconds) => ms <= 1000 * seconds)
      own.buckets[bucket] = (own.buckets[bucket] ?? 0) + 1
      own.ms += ms
    },
    charged: (count: number) => tokens.inc(count),
    damaged: () => damaged.inc(),
    read: async () => [
      showStatuses(answers),
      showTimes(answers),
      ...(await register.getMetricsAsJSON()),
    ],
  }
}

function startCounting(): Answers {
  return { statuses: new Map(), buckets: BUCKETS.map(() => 0), ms: 0 }
}

function showStatuses(answers: ReadonlyMap<string, Answers>) {
  const values = [...answers].flatMap(([operation, { statuses }]) =>
    [...statuses].map(([status, value]) => ({ labels: { operation, status }, value })),
  )
  const help = 'Answered requests.'
  return { name: 'platbook_requests_total', help, type: 'counter', aggregator: 'sum', values }
}

function showTimes(answers: ReadonlyMap<string, Answers>) {
  const name = 'platbook_request_seconds'
  const values = [...answers].flatMap(([operation, { buckets, ms }]) => {
    let value = 0
    const upTo = buckets.map((count, at) => {
      value += count
      const le = String(BUCKETS[at]).replace('Infinity', '+Inf')
      return { metricName: `${name}_bucket`, labels: { le, operation }, value }
    })
    const labels = { operation }
    const sum = { metricName: `${name}_sum`, labels, value: ms / 1000 }
    return [...upTo, sum, { metricName: `${name}_count`, labels, value }]
  })
  const help = 'Time from a request to its answer.'
  return { name, help, type: 'histogram', aggregator: 'sum', values }
}

/** A county's roll: when it last changed, in epoch seconds. */
export type RollAge = { state: string; county: string; loadedAt: number }

/**
 * Creates Node's counters of this process, and the ages of the rolls. Reading them lists the open
 * files, which takes milliseconds, so it is done every ten seconds.
 */
export function createRuntimeMetrics(listRolls: () => Promise<RollAge[]>): {
  read(): Promise<MetricValues>
} {
  const { Gauge, Registry, collectDefaultMetrics } = prom()
  const register = new Registry()
  new Gauge({
    name: 'platbook_roll_loaded_timestamp_seconds',
    help: "When a county's roll last changed.",
    labelNames: ['state', 'county'],
    // Every worker reads the same rolls.
    aggregator: 'max',
    registers: [register],
    async collect() {
      const rolls = await listRolls().catch(() => undefined)
      if (rolls === undefined) return
      this.reset()
      for (const { loadedAt, ...labels } of rolls) this.set(labels, loadedAt)
    },
  })
  collectDefaultMetrics({ register })
  // These list every connection, which the descriptors already count.
  for (const name of ['handles', 'requests', 'resources']) {
    register.removeSingleMetric(`nodejs_active_${name}`)
    register.removeSingleMetric(`nodejs_active_${name}_total`)
  }
  return { read: () => register.getMetricsAsJSON() }
}

/** Adds up the values of several processes, as Prometheus reads them (text format 0.0.4). */
export async function showMetrics(all: readonly MetricValues[]): Promise<string> {
  const text = await prom()
    .AggregatorRegistry.aggregate([...all])
    .metrics()
  return text.replaceAll('\n\n', '\n')
}
