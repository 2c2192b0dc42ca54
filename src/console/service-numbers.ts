/** The service's present numbers: metrics, response time, memory. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { ConsoleContext } from './context.ts'

const ANSWER_MS = 2000

type ServiceNumbers = {
  /** `null`: it does not answer. */
  healthMs: number | null
  /** Counters since the service started. */
  requests: number
  /** By status number. */
  statuses: Record<string, number>
  tokens: number
  /** 99th percentile of the event-loop delay in milliseconds; `null`: unknown. */
  loopDelayMs: number | null
  /** Cumulative counts by upper bound in seconds; the last is `+Inf`. */
  buckets: [bound: string, count: number][]
  /** Resident memory of its processes in bytes; `null` when the system does not report it. */
  memory: number | null
}

export async function readService({ service, config }: ConsoleContext): Promise<ServiceNumbers> {
  const admin = config.adminPort === null ? service : `http://127.0.0.1:${config.adminPort}`
  const started = performance.now()
  const health = await fetchText(`${service}/healthz`)
  const healthMs = health === undefined ? null : Math.round((performance.now() - started) * 10) / 10
  const metrics = (await fetchText(`${admin}/metrics`)) ?? ''
  return { healthMs, ...readMetrics(metrics), memory: readMemory(process.ppid) }
}

/** Sums Prometheus lines over all operations. */
function readMetrics(text: string): Omit<ServiceNumbers, 'healthMs' | 'memory'> {
  const statuses: Record<string, number> = {}
  const buckets = new Map<string, number>()
  let [requests, tokens] = [0, 0]
  let loopDelayMs: number | null = null
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = '0'] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const count = Number(value)
    if (name === 'platbook_requests_total') {
      const status = /status="(\d+)"/.exec(labels)?.[1] ?? '0'
      statuses[status] = (statuses[status] ?? 0) + count
      requests += count
    } else if (name === 'platbook_request_seconds_bucket') {
      const bound = /le="([^"]*)"/.exec(labels)?.[1] ?? ''
      buckets.set(bound, (buckets.get(bound) ?? 0) + count)
    } else if (name === 'platbook_tokens_charged_total') tokens = count
    else if (name === 'nodejs_eventloop_lag_p99_seconds') loopDelayMs = count * 1000
  }
  return { requests, statuses, tokens, loopDelayMs, buckets: [...buckets] }
}

async function fetchText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return await response.text()
  } catch {
    return undefined
  }
}

/** Reads the memory of a process and its children from `/proc` on Linux. */
function readMemory(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return [String(pid), ...children].reduce((sum, one) => sum + residentOf(one), 0)
  } catch {
    return null
  }
}

function residentOf(pid: string): number {
  if (pid === '') return 0
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}
