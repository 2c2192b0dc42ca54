/** Shows an import's progress: a redrawn line on a terminal, else a line every few seconds. */
import { CommandError } from '../../base/errors.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { StagedParcel } from '../../store/store.ts'
import { OutsideCounter } from './outside.ts'
import { UnplacedShapes } from './unplaced.ts'

/** Where progress is shown: a terminal's line, or lines of a log. */
export type ProgressSink = {
  terminal: boolean
  /** Writes a whole line. */
  report(line: string): void
  /** Epoch milliseconds. */
  now(): number
  /** Redraws the current line; only on a terminal. */
  draw(text: string): void
  /** Whether the person has asked to stop. */
  isStopped?(): boolean
}

/** Milliseconds between two lines. */
const EVERY = { terminal: 200, plain: 2000 }

/** Shows rows, rate and time left: five times a second on a terminal, else every two seconds. */
export class Progress {
  rows = 0
  /** Bytes read, of `bytesTotal`. */
  bytes = 0
  #county = ''
  /** Rows whose shape has no place. */
  readonly unplaced = new UnplacedShapes()
  readonly outside = new OutsideCounter()
  /** Doubtful points about the files, a sentence each. */
  readonly doubts: string[] = []
  readonly #sink: ProgressSink
  readonly #bytesTotal: number
  readonly #started: number
  #reportedAt: number
  #drawn = false

  constructor(sink: ProgressSink, bytesTotal: number) {
    this.#sink = sink
    this.#bytesTotal = bytesTotal
    this.#started = sink.now()
    this.#reportedAt = this.#started
  }

  /** Notes where the parcels are. `unchanged`: how many more are as in the last import. */
  see(parcels: readonly StagedParcel[], unchanged: number): void {
    this.outside.see(parcels, unchanged)
    const county = countyByFips(parcels.at(-1)?.fips ?? 0)
    if (county !== undefined) this.#county = `${county.name}, ${county.state}`
  }

  /** Shows the position when an update is due. Throws `CommandError` when it is to stop. */
  reading(): void {
    this.#checkStop()
    if (!this.#due()) return
    const seconds = this.seconds()
    const share = this.#bytesTotal === 0 ? 1 : Math.min(1, this.bytes / this.#bytesTotal)
    const left = share > 0.01 ? `, about ${duration((seconds * (1 - share)) / share)} left` : ''
    const rate = Math.round(this.rows / Math.max(seconds, 0.001))
    const place = this.#county === '' ? '' : `, ${this.#county}`
    this.#tell(
      `${this.rows.toLocaleString('en-US')} rows, ${rate.toLocaleString('en-US')} ` +
        `rows/s, ${Math.floor(share * 100)} %${left}${place}`,
    )
  }

  /** Shows a step other than reading when an update is due. Throws as `reading` does. */
  step(what: string, share?: number): void {
    this.#checkStop()
    this.stepAfterCommit(what, share)
  }

  /** Shows a step of a roll that is loaded already, so that the import can no longer be stopped. */
  stepAfterCommit(what: string, share?: number): void {
    if (!this.#due()) return
    this.#tell(share === undefined ? what : `${what}, ${Math.floor(share * 100)} %`)
  }

  warn(text: string): void {
    this.end()
    if (this.doubts.includes(text)) return
    this.doubts.push(text)
    this.#sink.report(`warning: ${text}`)
  }

  seconds(): number {
    return (this.#sink.now() - this.#started) / 1000
  }

  /** Clears the drawn line. */
  end(): void {
    if (this.#drawn) this.#sink.draw('')
    this.#drawn = false
  }

  /** Throws while rows are read or written: the writer discards all, and nothing changes. */
  #checkStop(): void {
    if (this.#sink.isStopped?.() !== true) return
    throw new CommandError(
      'stopped: nothing was loaded, and the previous roll is still served; the same ' +
        'command begins again',
    )
  }

  #due(): boolean {
    const every = this.#sink.terminal ? EVERY.terminal : EVERY.plain
    return this.#sink.now() - this.#reportedAt >= every
  }

  #tell(text: string): void {
    this.#reportedAt = this.#sink.now()
    if (!this.#sink.terminal) {
      this.#sink.report(text)
      return
    }
    this.#drawn = true
    this.#sink.draw(text)
  }
}

/** `40 s`, `3 min`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
