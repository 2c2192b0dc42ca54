/** Counts what a load run sends and receives. */
import type { LoadResult, StatusResult } from './load.ts'
import { quantile, round } from './numbers.ts'

const SERIES_MS = 100

/** The counts of one run. Times are in milliseconds, by `performance.now()`. */
export class LoadTally {
  /** Requests, late ones and broken connections are counted by the sender. */
  readonly counts = { sent: 0, unsent: 0, late: 0, broken: 0 }
  readonly #times = new Map<string, number[]>()
  readonly #lags: number[] = []
  readonly #series: LoadResult['series'] = []
  #withoutRetryAfter = 0
  #shortPages = 0
  #startedAt = 0

  begin(startedAt: number): void {
    this.#startedAt = startedAt
  }

  /** Counts a request that is sent so many milliseconds after it was due. */
  noteSent(lagMs: number): void {
    this.counts.sent += 1
    this.#lags.push(lagMs)
  }

  /**
   * Counts an answer. `sentAt`: when its request was due. `lastPart`: the last bytes received, in
   * which the cursor of a list stands.
   */
  note(status: string, head: string, lastPart: Buffer, sentAt: number): void {
    const now = performance.now()
    const times = this.#times.get(status)
    if (times === undefined) this.#times.set(status, [now - sentAt])
    else times.push(now - sentAt)
    this.#noteInSeries(status, now)
    if (status === '200' && isShortPage(lastPart)) this.#shortPages += 1
    if (status === '503' && !/retry-after: \d/i.test(head)) this.#withoutRetryAfter += 1
  }

  #noteInSeries(status: string, now: number): void {
    const at = Math.floor((now - this.#startedAt) / SERIES_MS)
    while (this.#series.length <= at) this.#series.push({ ok: 0, refused: 0 })
    const slot = this.#series[at]
    if (slot === undefined) return
    if (status === '200') slot.ok += 1
    else slot.refused += 1
  }

  result(): LoadResult {
    const statuses = [...this.#times].map(([status, times]) => [status, summarize(times)])
    return {
      ...this.counts,
      lag: summarize(this.#lags),
      statuses: Object.fromEntries(statuses),
      withoutRetryAfter: this.#withoutRetryAfter,
      shortPages: this.#shortPages,
      series: this.#series,
    }
  }
}

function isShortPage(lastPart: Buffer): boolean {
  const tail = lastPart.toString('latin1', Math.max(0, lastPart.length - 200))
  const match = /"limit":(\d+),"count":(\d+),"nextCursor":"/.exec(tail)
  return match !== null && Number(match[2]) < Number(match[1])
}

function summarize(times: number[]): StatusResult {
  return {
    count: times.length,
    p50Ms: round(quantile(times, 0.5), 2),
    p99Ms: round(quantile(times, 0.99), 2),
    maxMs: round(quantile(times, 1), 1),
  }
}
