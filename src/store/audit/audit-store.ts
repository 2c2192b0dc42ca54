/** The audit of answers as it is kept: who was shown which parcels, as a chain of hashes. */
import { hash } from 'node:crypto'
import type { LogHead } from '../operator-log.ts'

/** What a worker tells of one answer, or of several free ones together (`answers.ts`). */
export type AuditNote = {
  accountId: string
  keyId: string
  requestId: string
  /** `operationId`. */
  operation: string
  /** Keyed hash of the query, 32 hex digits; equal queries have equal ones. */
  query: string
  /**
   * The `propertyId` of each parcel of the answer, with line feeds between them. No ID holds a tab
   * or a line feed.
   */
  ids: string
}

export type AuditEntry = AuditNote & {
  /** 1, 2, 3 … in the order of commits. */
  id: number
  /** Epoch milliseconds. */
  at: number
  /** SHA-256 over the hash of the entry before, as hex digits, and all fields of this one. */
  hash: Uint8Array
}

/** `base`: the last entry that was trimmed; `newest`: where the chain ends. */
type AuditState = { base: LogHead; newest: LogHead }

/** Entries that share a filter: 1 to 1,000, 1,001 to 2,000 and so on. Trimmed together. */
export const SEGMENT_ROWS = 1000

/** A parcel by its `propertyId`, or an account. */
export type AuditAsked = { propertyId: string } | { accountId: string }

export type AuditStore = {
  state(): Promise<AuditState>
  /** Entries with a greater id, ascending. */
  entriesAfter(id: number, limit: number): Promise<AuditEntry[]>
  /** Entries of a segment that showed a parcel, or that are of an account; ascending. */
  entriesOf(segment: number, asked: AuditAsked): Promise<AuditEntry[]>
  /** The last segment that has a filter; 0: none. Those behind it are searched row by row. */
  filteredTo(): Promise<number>
  /** Segments whose filter may hold a key (see `filter.ts`), ascending. */
  segmentsOf(key: string): Promise<number[]>
  filterOf(segment: number): Promise<Uint8Array | undefined>
  /** Keeps the filter of the segment behind the last one; nothing happens when it is there. */
  putFilter(segment: number, bits: Uint8Array): Promise<void>
  /**
   * Removes the oldest segment if all its entries are older than `before`; gives whether it did.
   * Epoch milliseconds.
   */
  trim(before: number): Promise<boolean>
  /** Runs `work` on one unchanging view of the data. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result>
}

/** The hash of an entry that follows `previous`. No two different entries have the same text. */
export function auditHash(previous: Uint8Array, entry: Omit<AuditEntry, 'hash'>): Uint8Array {
  const { id, at, accountId, keyId, requestId, operation, query, ids } = entry
  const fields = [id, at, accountId, keyId, requestId, operation, query, ids]
  // One text in one call: bytes that are joined first cost twice as much.
  const before = Buffer.from(previous.buffer, previous.byteOffset, previous.length).toString('hex')
  return hash('sha256', before + JSON.stringify(fields), 'buffer')
}

/** The entries of notes that follow a head, in their order. */
export function chainNotes(notes: readonly AuditNote[], head: LogHead, at: number): AuditEntry[] {
  let before = head
  return notes.map((note) => {
    const entry = { ...note, id: before.id + 1, at }
    before = { id: entry.id, hash: auditHash(before.hash, entry) }
    return { ...entry, hash: before.hash }
  })
}

/** Reads a row of either store. */
export function readAudit(row: Record<string, unknown>): AuditEntry {
  return {
    id: Number(row.id),
    at: Number(row.at),
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    requestId: String(row.request_id),
    operation: String(row.operation),
    query: String(row.query),
    ids: String(row.ids),
    hash: row.hash as Uint8Array,
  }
}

export function readAuditState(row: Record<string, unknown>): AuditState {
  return {
    base: { id: Number(row.base_id), hash: row.base_hash as Uint8Array },
    newest: { id: Number(row.newest_id), hash: row.newest_hash as Uint8Array },
  }
}
