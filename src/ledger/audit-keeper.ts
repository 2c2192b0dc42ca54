/** Keeps the audit searchable and within its days: builds filters and trims old segments. */
import { DAY_MS } from '../base/days.ts'
import { nextTurn } from '../base/event-loop.ts'
import { type AuditEntry, type AuditStore, SEGMENT_ROWS } from '../store/audit/audit-store.ts'
import { FilterKeys } from '../store/audit/filter.ts'

export type AuditKeeper = ReturnType<typeof createAuditKeeper>

type Filling = { rows: number; keys: FilterKeys }

type KeeperWorld = {
  days: number
  /** Epoch milliseconds. */
  now(): number
  onError(error: unknown): void
}

/** Rows read per turn of the event loop: some 1 ms, so that charges continue. */
const SLICE_ROWS = 25
/** Segments whose keys are kept while written; others are read again, which takes longer. */
const SEGMENTS_MAX = 2
const TRIM_MS = 3_600_000

/** No answer or charge waits for this; what fails is tried again with the next entries. */
export function createAuditKeeper(audit: AuditStore, world: KeeperWorld) {
  const filling = new Map<number, Filling>()
  let newest = 0
  let filteredTo: number | undefined
  let trimmedAt = Number.NEGATIVE_INFINITY
  let closed = false
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    try {
      let done: number = filteredTo ?? (await audit.filteredTo())
      while (!closed && newest >= (done + 1) * SEGMENT_ROWS) {
        const known = filling.get(done + 1)
        filling.delete(done + 1)
        const isWhole = known?.rows === SEGMENT_ROWS
        const bits = await (isWhole ? known.keys.makeFilter() : filterSegment(audit, done + 1))
        await audit.putFilter(done + 1, bits)
        done += 1
      }
      filteredTo = done
      await trim()
    } catch (error) {
      filteredTo = undefined
      world.onError(error)
    }
    working = undefined
  }

  function remember(entry: AuditEntry): void {
    const segment = Math.ceil(entry.id / SEGMENT_ROWS)
    let own = filling.get(segment)
    if (own === undefined) {
      // Filters cannot be written at the moment; the entries will be read again.
      if (filling.size === SEGMENTS_MAX) filling.clear()
      own = { rows: 0, keys: new FilterKeys() }
      filling.set(segment, own)
    }
    own.rows += 1
    own.keys.addEntry(entry)
  }

  async function trim(): Promise<void> {
    if (world.now() - trimmedAt < TRIM_MS) return
    trimmedAt = world.now()
    const before = world.now() - world.days * DAY_MS
    while (!closed && (await audit.trim(before))) await nextTurn()
  }

  return {
    /** Called with appended entries. Takes some 2 µs per entry. */
    grew(entries: readonly AuditEntry[]) {
      for (const entry of entries) remember(entry)
      newest = entries.at(-1)?.id ?? newest
      const isFull = filteredTo === undefined || newest >= (filteredTo + 1) * SEGMENT_ROWS
      if (!closed && (isFull || world.now() - trimmedAt >= TRIM_MS)) working ??= work()
    },
    /** Resolves when work under way has ended. */
    async close() {
      closed = true
      await working
    },
  }
}

async function filterSegment(audit: AuditStore, segment: number): Promise<Uint8Array> {
  const keys = new FilterKeys()
  const end = segment * SEGMENT_ROWS
  for (let after = end - SEGMENT_ROWS; after < end; after += SLICE_ROWS) {
    for (const entry of await audit.entriesAfter(after, SLICE_ROWS)) keys.addEntry(entry)
    await nextTurn()
  }
  return keys.makeFilter()
}
