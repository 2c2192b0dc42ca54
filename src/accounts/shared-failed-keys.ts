/**
 * A worker's side of the limit of requests without a valid key. It asks the primary once a turn of
 * the event loop, so that an address has one allowance. Without an answer it counts alone.
 */
import {
  createFailedKeys,
  type FailedGrant,
  type FailedKeys,
  tooManyFailed,
} from './failed-keys.ts'

/** Requests without a valid key by address; `number` identifies the answer. */
export type FailedAsk = { number: number; counts: [address: string, count: number][] }

/** The answer to the question with that number: grants in its order. */
export type FailedAnswer = { number: number; grants: FailedGrant[] }

type SharedFailedKeys = FailedKeys & {
  /** Passes the primary's answer to the requests that wait for it. */
  hear(answer: FailedAnswer): void
}

type Waiting = { resolve(): void; reject(refusal: Error): void }

/** Requests by address, in their order. */
type Batch = Map<string, Waiting[]>

/** Milliseconds to wait for the primary. */
const PATIENCE_MS = 500
/** At this size, addresses that are refused for now are forgotten; the primary still knows them. */
const REFUSED_MAX = 10_000

/** Creates the counter. `ask`: sends a question to the primary. */
export function shareFailedKeys(
  steadyMs: () => number,
  ask: (question: FailedAsk) => void,
): SharedFailedKeys {
  const own = createFailedKeys(steadyMs)
  const asked = new Map<number, Batch>()
  /** Until when an address is refused without asking. */
  const refusedUntil = new Map<string, number>()
  let batch: Batch = new Map()
  let number = 0

  function askNow(): void {
    number += 1
    const counts = Array.from(batch, ([address, { length }]): [string, number] => [address, length])
    asked.set(number, batch)
    setTimeout(countAlone, PATIENCE_MS, number).unref()
    batch = new Map()
    ask({ number, counts })
  }

  function countAlone(late: number): void {
    const waiting = asked.get(late)
    asked.delete(late)
    for (const [address, requests] of waiting ?? []) {
      settle(address, requests, own.take(address, requests.length))
    }
  }

  function settle(address: string, requests: Waiting[], { granted, retryMs }: FailedGrant): void {
    for (const { resolve } of requests.slice(0, granted)) resolve()
    if (granted === requests.length) return
    if (refusedUntil.size >= REFUSED_MAX) refusedUntil.clear()
    refusedUntil.set(address, steadyMs() + retryMs)
    for (const { reject } of requests.slice(granted)) reject(tooManyFailed(retryMs))
  }

  function refusedMs(address: string): number | undefined {
    const until = refusedUntil.get(address)
    if (until === undefined) return undefined
    const leftMs = until - steadyMs()
    if (leftMs > 0) return leftMs
    refusedUntil.delete(address)
    return undefined
  }

  return {
    note(address) {
      const leftMs = refusedMs(address)
      if (leftMs !== undefined) throw tooManyFailed(leftMs)
      return new Promise((resolve, reject) => {
        if (batch.size === 0) setImmediate(askNow)
        batch.getOrInsertComputed(address, () => []).push({ resolve, reject })
      })
    },
    hear({ number: answered, grants }) {
      const waiting = asked.get(answered)
      asked.delete(answered)
      let at = 0
      for (const [address, requests] of waiting ?? []) {
        const grant = grants[at]
        at += 1
        settle(address, requests, grant ?? { granted: 0, retryMs: 0 })
      }
    },
  }
}
