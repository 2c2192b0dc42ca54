/**
 * The content of `/metrics`: requests, tokens and damaged data, and the runtime's figures (event
 * loop, heap, garbage collection). Each worker counts; the primary adds the counts up.
 *
 * Counting a request with prom-client takes 1 µs (measured under other load), which is accepted
 * for a library that Prometheus users know.
 */
import { createRequire } from 'node:module'
import type { MetricObject, Registry } from 'prom-client'

const require = createRequire(import.meta.url)

/** Loaded when first used: the primary needs it only for `/metrics`. */
const prom = (): typeof import('prom-client') => require('prom-client')

/** Upper bounds of the duration buckets, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Values of one process at one moment, as plain data. */
export type MetricValues = MetricObject[]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const { Counter, Histogram, Registry } = prom()
  const register = new Registry()
  const registers = [register]
  const requests = new Counter({
    name: 'platbook_requests_total',
    help: 'Answered requests.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'platbook_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  })
  const tokens = new Counter({
    name: 'platbook_tokens_charged_total',
    help: 'Tokens charged for delivered answers.',
    registers,
  })
  const damaged = new Counter({
    name: 'platbook_damaged_data_total',
    help: 'Requests that met damaged data and answered 500, over PostgreSQL 503.',
    registers,
  })
  return {
    /** Counts one answered request, with the milliseconds from its first byte to its answer. */
    request(operation: string, status: number, ms: number) {
      requests.inc({ operation, status })
      seconds.observe({ operation }, ms / 1000)
    },
    charged: (count: number) => tokens.inc(count),
    damaged: () => damaged.inc(),
    read: () => readValues(register),
  }
}

/** A county's roll: when it last changed, in epoch seconds. */
export type RollAge = { state: string; county: string; loadedAt: number }

/**
 * Creates Node's counters of this process, and the ages of the rolls. Reading them lists the open
 * files, which takes some milliseconds with thousands of connections, so it is done every ten
 * seconds.
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
  return { read: () => readValues(register) }
}

/** Adds up the values of several processes, as Prometheus reads them (text format 0.0.4). */
export async function showMetrics(all: readonly MetricValues[]): Promise<string> {
  const text = await prom()
    .AggregatorRegistry.aggregate([...all])
    .metrics()
  return text.replaceAll('\n\n', '\n')
}

async function readValues(register: Registry): Promise<MetricValues> {
  return (await register.getMetricsAsJSON()) as unknown as MetricValues
}
