/** Audit notes that wait to be written with the next group of charges. */
import type { AuditNote } from '../store/audit/audit-store.ts'

/** Longest time that audit notes of free answers wait for a charge's transaction. */
const NOTES_MS = 100
/**
 * Most audit entries kept while the database cannot be written, at most some 8 KB each; further
 * ones are dropped and reported.
 */
const NOTES_MAX = 20_000

/** A queue in order of arrival. `write` is called when its notes have waited for `NOTES_MS`. */
export class WaitingNotes {
  readonly #notes: AuditNote[] = []
  readonly #write: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(write: () => void) {
    this.#write = write
  }

  get count(): number {
    return this.#notes.length
  }

  /** Returns `false` and adds nothing when too many wait. */
  add(more: readonly AuditNote[]): boolean {
    if (this.#notes.length + more.length > NOTES_MAX) return false
    this.#notes.push(...more)
    return true
  }

  /** Returns the first `most` notes, which stay until they are written. */
  first(most: number): AuditNote[] {
    return this.#notes.slice(0, most)
  }

  /** Drops the first `count` notes, which are written. */
  drop(count: number): void {
    this.#notes.splice(0, count)
  }

  /** Has the notes written after `NOTES_MS`, unless a charge's transaction wrote them first. */
  startTimer(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#write()
    }, NOTES_MS)
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
  }
}
