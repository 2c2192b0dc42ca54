/**
 * Prepares the audit of an answer: a hash of the query, and the parcels shown. No name and no
 * address.
 */
import { hash, hkdfSync } from 'node:crypto'
import type { Caller } from '../base/model/account.ts'
import { propertyIdOf } from '../record/stored.ts'
import type { AuditMode } from '../settings/config.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'

type Query = { id: string; queryString: string; path?: object | undefined }
type Shown = readonly { fieldValues: string }[]

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

/** `secret`: the server secret, from which the query hash key is derived. */
export function createAuditor(mode: AuditMode, secret: Uint8Array): Auditor {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'platbook audit', 32)).toString('hex')

  function describe(
    { operationId }: { operationId: string },
    query: Query,
    seen: Shown,
  ): Described {
    const path = query.path === undefined ? '' : JSON.stringify(query.path)
    // With a truncated digest, a key before the text is as safe as HMAC and takes a third of the
    // time.
    const digest = hash('sha256', `${key}${operationId}\n${query.queryString}\n${path}`)
    const ids = seen.map(({ fieldValues }) => propertyIdOf(fieldValues))
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
