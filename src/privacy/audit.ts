/** The audit of an answer, without name and address, and its searches and verification. */
import { hash, hkdfSync } from 'node:crypto'
import { CommandError } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import { propertyIdOf } from '../record/stored.ts'
import type { AuditMode } from '../settings/config.ts'
import { answersOf } from '../store/audit/answers.ts'
import {
  type AuditAsked,
  type AuditEntry,
  type AuditStore,
  auditHash,
  type Probe,
  SEGMENT_ROWS,
} from '../store/audit/audit-store.ts'
import { FilterKeys, probeAccount, probeParcel } from '../store/audit/filter.ts'
import type { KeySecrets } from '../store/key-secret.ts'
import type { LogHead } from '../store/operator-log.ts'

const PAGE_ROWS = 1000

/** Returns the answers with a parcel, oldest first, each as an entry. */
export function whoSaw(audit: AuditStore, propertyId: string): AsyncGenerator<AuditEntry> {
  const meets = ({ ids }: AuditEntry) => `\n${ids}\n`.includes(`\n${propertyId}\n`)
  return search(audit, probeParcel(propertyId), { propertyId }, meets)
}

/** Returns the answers of an account, oldest first, each as an entry. */
export function listSeenBy(audit: AuditStore, accountId: string): AsyncGenerator<AuditEntry> {
  const isOwn = (entry: AuditEntry) => entry.accountId === accountId
  return search(audit, probeAccount(accountId), { accountId }, isOwn)
}

/** Reads the segments whose filters may have the key, then the newest, which have no filter. */
async function* search(
  audit: AuditStore,
  key: Probe,
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
  /** Number of answers in the entries read. */
  entries: number
  /** Hash of the newest entry, to be kept elsewhere. */
  head: Uint8Array
  /** The first changed entry; null when the audit is unreadable. */
  bad: { id: number | null; problem: string } | undefined
}

/** The end of the chain when it was recorded outside the database, and the place of the record. */
type NotedAudit = { place: string; audit: LogHead }

export const unreadAudit = (problem: string): AuditVerdict => ({
  entries: 0,
  head: new Uint8Array(),
  bad: { id: null, problem },
})

/** Verifies the whole audit on one snapshot: chain, end, filters, and the heads in `noted`. */
export function verifyAudit(
  audit: AuditStore,
  noted: readonly NotedAudit[] = [],
): Promise<AuditVerdict> {
  return audit.snapshot(async () => {
    const { base, newest } = await audit.state()
    const kept = noted
      .map(({ place, audit: one }) => ({ place, ...one }))
      .filter(({ id }) => id > base.id)
    const filteredTo = await audit.filteredTo()
    let [last, head, entries] = [base.id, base.hash, 0]
    let keys = new FilterKeys()
    const fail = (id: number, problem: string) => ({ entries, head, bad: { id, problem } })
    for await (const entry of walk(audit, 0)) {
      const { id, hash } = entry
      if (id !== last + 1) return fail(last + 1, 'entry is missing or moved')
      if (Buffer.compare(auditHash(head, entry), hash) !== 0) {
        return fail(id, 'entry was changed: its hash does not fit')
      }
      const other = kept.find((one) => one.id === id && Buffer.compare(one.hash, hash) !== 0)
      if (other !== undefined) return fail(id, `${other.place} has a different entry with this id`)
      keys.addEntry(entry)
      ;[last, head, entries] = [id, hash, entries + answersOf(entry).length]
      const segment = id / SEGMENT_ROWS
      if (!Number.isInteger(segment)) continue
      if (segment <= filteredTo && !(await hasFilter(audit, segment, keys))) {
        return fail(id, `the filter of segment ${segment} is not that of its entries`)
      }
      keys = new FilterKeys()
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

async function hasFilter(audit: AuditStore, segment: number, keys: FilterKeys): Promise<boolean> {
  const bits = await audit.filterOf(segment)
  return bits !== undefined && Buffer.compare(bits, await keys.makeFilter()) === 0
}

type Operation = { operationId: string }
type Query = { id: string; queryString: string; path?: object | undefined }
type Shown = readonly SeenParcel[]
/** Parcels that an answer shows: a record, or property IDs, a line each. */
export type SeenParcel = { fieldValues: string } | { propertyId: string }

/** Prepares the audit of an answer: a hash of the query, and the parcels shown. */
export type Auditor = ReturnType<typeof openAuditor>

/** Hex digits of a query's hash: 128 bits. */
const HASH_DIGITS = 32

/** Opens the auditor of a process. Throws `CommandError` without a server secret. */
export function openAuditor(mode: AuditMode, [secret]: KeySecrets) {
  if (secret === undefined) throw new CommandError('there is no server secret in the data folder')
  // The key of query hashes.
  const key = Buffer.from(hkdfSync('sha256', secret.value, '', 'platbook audit', 32)).toString(
    'hex',
  )

  function describe({ operationId }: Operation, query: Query, seen: Shown) {
    const path = query.path === undefined ? '' : JSON.stringify(query.path)
    // Of a truncated digest, a key before the text is as safe as HMAC, in a third of the time.
    const digest = hash('sha256', `${key}${operationId}\n${query.queryString}\n${path}`)
    const ids = seen.map((one) =>
      'propertyId' in one ? one.propertyId : propertyIdOf(one.fieldValues),
    )
    return { query: digest.slice(0, HASH_DIGITS), ids: ids.join('\n') }
  }

  return {
    /** Audits every request with a key. */
    all: mode === 'all',
    off: mode === 'off',
    describe,
    note: (operation: Operation, query: Query, { account, keyId }: Caller, seen: Shown) => ({
      ...describe(operation, query, seen),
      accountId: account.id,
      keyId,
      requestId: query.id,
      operation: operation.operationId,
    }),
  }
}
