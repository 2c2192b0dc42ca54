/** The stored audit of answers: who received which parcels, as a hash chain. */
import { hash } from 'node:crypto'
import { type AccountDatabase, openTable, run } from '../accounts/database.ts'
import { readerOf } from '../accounts/table-rows.ts'
import type { LogHead } from '../operator-log.ts'

/** A worker's note of one answer, or of several free ones together (`answers.ts`). */
export type AuditNote = {
  accountId: string
  keyId: string
  requestId: string
  /** `operationId`. */
  operation: string
  /** Keyed hash of the query, 32 hex digits; equal queries have equal hashes. */
  query: string
  /** The `propertyId` of each parcel in the answer, parted by line feeds, which none has. */
  ids: string
}

export type AuditEntry = AuditNote & {
  /** 1, 2, 3 … in the order of commits. */
  id: number
  /** Epoch milliseconds. */
  at: number
  /** SHA-256 over the previous entry's hash, as hex digits, and all fields of this one. */
  hash: Uint8Array
}

/** `base`: the last trimmed entry. `newest`: the end of the chain. */
type AuditState = { base: LogHead; newest: LogHead }

/** Entries per filter: 1 to 1,000, 1,001 to 2,000 and so on. They are trimmed together. */
export const SEGMENT_ROWS = 1000

export type AuditAsked = { propertyId: string } | { accountId: string }

/** Returns the hash of an entry that follows `previous`; no two entries give the same text. */
export function auditHash(previous: Uint8Array, entry: Omit<AuditEntry, 'hash'>): Uint8Array {
  const { id, at, accountId, keyId, requestId, operation, query, ids } = entry
  const fields = [id, at, accountId, keyId, requestId, operation, query, ids]
  // Hashing one text in one call takes half as long as joining bytes first.
  const before = Buffer.from(previous.buffer, previous.byteOffset, previous.length).toString('hex')
  return hash('sha256', before + JSON.stringify(fields), 'buffer')
}

/** Builds the entries of notes that follow a head, in order. */
export function chainNotes(notes: readonly AuditNote[], head: LogHead, at: number): AuditEntry[] {
  let before = head
  return notes.map((note) => {
    const entry = { ...note, id: before.id + 1, at }
    before = { id: entry.id, hash: auditHash(before.hash, entry) }
    return { ...entry, hash: before.hash }
  })
}

const readAudit = readerOf<AuditEntry>('audit')

export function readAuditState(row: Record<string, unknown>): AuditState {
  return {
    base: { id: Number(row.base_id), hash: row.base_hash as Uint8Array },
    newest: { id: Number(row.newest_id), hash: row.newest_hash as Uint8Array },
  }
}

export const AUDIT_STATE = 'SELECT base_id, base_hash, newest_id, newest_hash FROM audit_state'

/** Positions of a key's bits in a filter: `(first + probe × step) % size`, for probes from 0. */
export type Probe = { first: number; step: number }

/** Segments whose filter may contain a key (see `filter.ts`), ascending. */
export type FindSegments = (key: Probe) => Promise<number[]>

/** `segmentsOf`: finds filters in the database's own way. */
export function createAuditStore(
  { ask, transact, snapshot, dialect }: AccountDatabase,
  segmentsOf: FindSegments,
) {
  const { all } = openTable(ask, 'audit', readAudit)
  return {
    state: async () => readAuditState((await ask(AUDIT_STATE))[0] ?? {}),
    /** Entries with a greater id, ascending. */
    entriesAfter: (id: number, limit: number) =>
      all('WHERE id > $1 ORDER BY id LIMIT $2', [id, limit]),
    /** Entries of a segment with a parcel, or of an account; ascending. */
    entriesOf(segment: number, asked: AuditAsked) {
      const to = segment * SEGMENT_ROWS
      const [condition, values] =
        'accountId' in asked
          ? ['account_id = $3', [asked.accountId]]
          : [`${dialect.find}($4 || ids || $4, $3) > 0`, [`\n${asked.propertyId}\n`, '\n']]
      const text = `WHERE id > $1 AND id <= $2 AND ${condition} ORDER BY id`
      return all(text, [to - SEGMENT_ROWS, to, ...values])
    },
    /** The last segment with a filter; 0 for none. Later segments are searched row by row. */
    async filteredTo() {
      const [row] = await ask(
        `SELECT coalesce((SELECT max(segment) FROM audit_filter), base_id / ${SEGMENT_ROWS})
          AS segment FROM audit_state`,
      )
      return Number(row?.segment)
    },
    segmentsOf,
    async filterOf(segment: number) {
      const [row] = await ask('SELECT bits FROM audit_filter WHERE segment = $1', [segment])
      return row?.bits as Uint8Array | undefined
    },
    /** Stores the filter of the next segment; does nothing when it exists. */
    putFilter: (segment: number, bits: Uint8Array) =>
      transact(function* () {
        const text = 'INSERT INTO audit_filter (segment, bits) VALUES ($1, $2)'
        yield* run(`${text} ON CONFLICT DO NOTHING`, [segment, bits])
      }),
    /** Removes the oldest segment if all of it is older than `before`; returns whether it did. */
    trim: (before: number) =>
      transact(function* () {
        const [state = {}] = yield* run(`${AUDIT_STATE}${dialect.forUpdate}`)
        const last = readAuditState(state).base.id + SEGMENT_ROWS
        const [row] = yield* run('SELECT at, hash FROM audit WHERE id = $1', [last])
        if (row === undefined || Number(row.at) >= before) return false
        yield [
          {
            text: 'UPDATE audit_state SET base_id = $1, base_hash = $2',
            values: [last, row.hash],
          },
          { text: 'DELETE FROM audit WHERE id <= $1', values: [last] },
          {
            text: 'DELETE FROM audit_filter WHERE segment <= $1',
            values: [last / SEGMENT_ROWS],
          },
        ]
        return true
      }),
    snapshot,
  }
}

export type AuditStore = ReturnType<typeof createAuditStore>
