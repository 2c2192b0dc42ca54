/**
 * Prepares the audit of an answer: a hash of the query, and the parcels shown. No name and no
 * address.
 */
import { hash, hkdfSync } from 'node:crypto'
import { CommandError } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import { propertyIdOf } from '../record/stored.ts'
import type { AuditMode } from '../settings/config.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'
import type { KeySecrets } from '../store/key-secret.ts'

type Query = { id: string; queryString: string; path?: object | undefined }
type Shown = readonly SeenParcel[]
/** A parcel that an answer shows: its record, or its property ID. */
export type SeenParcel = { fieldValues: string } | { propertyId: string }

export type Auditor = {
  /** Audits every request with a key. */
  all: boolean
  off: boolean
  describe(operation: { operationId: string }, query: Query, seen: Shown): Described
  note(operation: { operationId: string }, query: Query, caller: Caller, seen: Shown): AuditNote
}

type Described = Pick<AuditNote, 'query' | 'ids'>

/** Hex digits of a query's hash: 128 bits. */
const HASH_DIGITS = 32

/** Opens the auditor of a process. Throws `CommandError` without a server secret. */
export function openAuditor(mode: AuditMode, [secret]: KeySecrets): Auditor {
  if (secret === undefined) throw new CommandError('there is no server secret in the data folder')
  // The key of query hashes.
  const key = Buffer.from(hkdfSync('sha256', secret.value, '', 'platbook audit', 32)).toString(
    'hex',
  )

  function describe(
    { operationId }: { operationId: string },
    query: Query,
    seen: Shown,
  ): Described {
    const path = query.path === undefined ? '' : JSON.stringify(query.path)
    // With a truncated digest, a key before the text is as safe as HMAC and takes a third of the
    // time.
    const digest = hash('sha256', `${key}${operationId}\n${query.queryString}\n${path}`)
    const ids = seen.map((one) =>
      'propertyId' in one ? one.propertyId : propertyIdOf(one.fieldValues),
    )
    return { query: digest.slice(0, HASH_DIGITS), ids: ids.join('\n') }
  }

  return {
    all: mode === 'all',
    off: mode === 'off',
    describe,
    note: (operation, query, { account, keyId }, seen) => ({
      accountId: account.id,
      keyId,
      requestId: query.id,
      operation: operation.operationId,
      ...describe(operation, query, seen),
    }),
  }
}
