/** Charges that a worker has sent and that have no outcome yet. */
import { type ChargeOutcome, UNAVAILABLE } from './ledger.ts'
import { ticks } from './protocol.ts'

type Pending = { until: number; resolve(outcome: ChargeOutcome): void }

/** Charges by number, in order of age; all have the same timeout. */
export class PendingCharges {
  readonly #pending = new Map<number, Pending>()
  readonly #answerMs: number
  #count = 0

  /** `answerMs`: milliseconds after which a charge is given up. */
  constructor(answerMs: number) {
    this.#answerMs = answerMs
  }

  /** Adds a charge. `until`: the tick at which it is given up; the ledger process compares it. */
  add(resolve: (outcome: ChargeOutcome) => void): { number: number; until: number } {
    this.#count += 1
    const until = ticks() + this.#answerMs
    this.#pending.set(this.#count, { until, resolve })
    return { number: this.#count, until }
  }

  settle(number: number, outcome: ChargeOutcome): void {
    this.#pending.get(number)?.resolve(outcome)
    this.#pending.delete(number)
  }

  settleAll(reason: string): void {
    for (const { resolve } of this.#pending.values()) resolve(unavailable(reason))
    this.#pending.clear()
  }

  /** Gives up the charges whose time is over. */
  settleLate(): void {
    const now = ticks()
    for (const [number, { until, resolve }] of this.#pending) {
      if (until > now) return
      this.#pending.delete(number)
      resolve(unavailable(UNAVAILABLE.late))
    }
  }
}

/** Returns the outcome of a charge that was not written, or of which that is not known. */
export function unavailable(reason: string): ChargeOutcome {
  return { kind: 'unavailable', reason }
}

/** Charges that were not written are one line in this time. */
const LINE_MS = 60_000

/**
 * Returns a function that takes a failure and how many charges it lost. It reports the first at
 * once, and the others in one line a minute. `later`: runs work after so many milliseconds.
 */
export function countUnwritten(
  report: (text: string) => void,
  now: () => number,
  later: (work: () => void, ms: number) => void = (work, ms) => void setTimeout(work, ms).unref(),
): (charges: number, why: string) => void {
  let [charges, told, isWaiting] = [0, Number.NEGATIVE_INFINITY, false]
  let last = ''
  const tell = () => {
    report(`${charges} charges not written: ${last}`)
    ;[charges, told, isWaiting] = [0, now(), false]
  }
  return (lost, why) => {
    charges += lost
    last = why
    if (isWaiting) return
    const wait = told + LINE_MS - now()
    if (wait <= 0) return tell()
    isWaiting = true
    later(tell, wait)
  }
}
