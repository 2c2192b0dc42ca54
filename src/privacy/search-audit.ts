/**
 * Asks the audit: who was shown a parcel, what an account was shown, and whether all of it is as it
 * was written.
 */
import { describeUnreadable } from '../store/accounts/unreadable.ts'
import { answersOf } from '../store/audit/answers.ts'
import {
  type AuditAsked,
  type AuditEntry,
  type AuditStore,
  auditHash,
  SEGMENT_ROWS,
} from '../store/audit/audit-store.ts'
import { accountKey, keysOf, makeFilter, parcelKey } from '../store/audit/filter.ts'
import type { LogHead } from '../store/operator-log.ts'

const PAGE_ROWS = 1000

/** The answers that showed a parcel, oldest first, each as an entry of its own. */
export function whoSaw(audit: AuditStore, propertyId: string): AsyncGenerator<AuditEntry> {
  const framed = `\n${propertyId}\n`
  const meets = ({ ids }: AuditEntry) => `\n${ids}\n`.includes(framed)
  return search(audit, parcelKey(propertyId), { propertyId }, meets)
}

/** The answers that an account had, oldest first, each as an entry of its own. */
export function listSeenBy(audit: AuditStore, account: string): AsyncGenerator<AuditEntry> {
  const asked = { accountId: account }
  return search(audit, accountKey(account), asked, ({ accountId }) => accountId === account)
}

/**
 * Reads the segments whose filters may hold the key, then the newest entries, which have no filter
 * yet.
 */
async function* search(
  audit: AuditStore,
  key: string,
  asked: AuditAsked,
  meets: (entry: AuditEntry) => boolean,
): AsyncGenerator<AuditEntry> {
  const filteredTo = await audit.filteredTo()
  for (const segment of await audit.segmentsOf(key)) {
    for (const entry of await audit.entriesOf(segment, asked)) {
      yield* answersOf(entry).filter(meets)
    }
  }
  for await (const entry of walk(audit, filteredTo * SEGMENT_ROWS)) {
    if (meets(entry)) yield* answersOf(entry).filter(meets)
  }
}

async function* walk(audit: AuditStore, from: number): AsyncGenerator<AuditEntry> {
  for (let after = from; ; ) {
    const page = await audit.entriesAfter(after, PAGE_ROWS)
    yield* page
    if (page.length < PAGE_ROWS) return
    after = page.at(-1)?.id ?? after
  }
}

type AuditVerdict = {
  /** Answers that the entries tell of, as far as they were walked. */
  entries: number
  /** Hash of the newest entry, to be kept elsewhere. */
  head: Uint8Array
  /** The first entry that is not as it was written; null: the audit cannot be read at all. */
  bad: { id: number | null; problem: string } | undefined
}

/** Where the chain ended when that was noted outside the database, and where it was noted. */
type NotedAudit = { place: string; audit?: LogHead }

/**
 * The same for whatever opens the store: an audit that is too damaged to be read is a verdict too.
 * Throws what is no damage, such as a store that is out of reach.
 */
export async function judgeAudit(walk: () => Promise<AuditVerdict>): Promise<AuditVerdict> {
  try {
    return await walk()
  } catch (error) {
    const problem = describeUnreadable(error)
    if (problem === undefined) throw error
    return { entries: 0, head: new Uint8Array(), bad: { id: null, problem } }
  }
}

/**
 * Walks the whole audit on one view of it: the chain, its end, the filters by which it is searched,
 * and whether what was `noted` outside the database is in it.
 */
export function verifyAudit(
  audit: AuditStore,
  noted: readonly NotedAudit[] = [],
): Promise<AuditVerdict> {
  return audit.snapshot(async () => {
    const { base, newest } = await audit.state()
    const kept = noted.flatMap(({ place, audit: one }) =>
      one === undefined || one.id <= base.id ? [] : [{ place, ...one }],
    )
    const filteredTo = await audit.filteredTo()
    let [last, head, entries] = [base.id, base.hash, 0]
    let keys = new Set<string>()
    const fail = (id: number, problem: string) => ({ entries, head, bad: { id, problem } })
    for await (const entry of walk(audit, 0)) {
      const { id, hash } = entry
      if (id !== last + 1) return fail(last + 1, 'entry is missing or moved')
      if (Buffer.compare(auditHash(head, entry), hash) !== 0) {
        return fail(id, 'entry was changed: its hash does not fit')
      }
      const other = kept.find((one) => one.id === id && Buffer.compare(one.hash, hash) !== 0)
      if (other !== undefined) return fail(id, `${other.place} noted another entry here`)
      for (const key of keysOf(entry)) keys.add(key)
      ;[last, head, entries] = [id, hash, entries + answersOf(entry).length]
      const segment = id / SEGMENT_ROWS
      if (!Number.isInteger(segment)) continue
      if (segment <= filteredTo && !(await hasFilter(audit, segment, keys))) {
        return fail(id, `the filter of segment ${segment} is not that of its entries`)
      }
      keys = new Set()
    }
    if (last !== newest.id || Buffer.compare(head, newest.hash) !== 0) {
      return fail(last + 1, `entries are cut off: the newest is to be ${newest.id}`)
    }
    const longer = kept.find(({ id }) => id > last)
    if (longer !== undefined) {
      return fail(last + 1, `entries are cut off: ${longer.place} noted entry ${longer.id}`)
    }
    return { entries, head, bad: undefined }
  })
}

async function hasFilter(audit: AuditStore, segment: number, keys: Set<string>): Promise<boolean> {
  const bits = await audit.filterOf(segment)
  return bits !== undefined && Buffer.compare(bits, makeFilter(keys)) === 0
}
