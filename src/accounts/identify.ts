/** Identifies the sender of a request: the 401 of the pipeline. Texts: docs/api.md. */
import { refuse } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import { KEY_START } from './api-key.ts'
import type { KeyDirectory } from './directory.ts'

/** Removes the scheme `Bearer`, unless more than a key follows: such a header is refused. */
export function withoutBearer(header: string | undefined): string | undefined {
  // Nearly all callers send the key alone.
  if (header?.startsWith(KEY_START)) return header
  return header?.replace(/^\s*bearer\s+(\S+)\s*$/i, '$1')
}

/**
 * Returns the caller of an `Authorization` header, or throws *unauthenticated*. Only the header
 * holds the key: no text, cause or log contains it.
 */
export async function identify(
  header: string | undefined,
  directory: KeyDirectory,
  now: number,
): Promise<Caller> {
  const key = header?.trim() ?? ''
  if (key === '') throw refuse.unauthenticated('Unauthorized: Missing API key')
  // A word before the key, such as `Token`; a key has digits or `_`, and is never repeated.
  const word = /^(?:(bearer)$|([a-z]{1,16}):?\s)/i.exec(key)
  if (word !== null) {
    const sent = word[1] ?? word[2]
    throw refuse.unauthenticated(
      `Unauthorized: Send the API key alone as the Authorization header, without "${sent}"`,
    )
  }
  const caller = await directory.find(key, now)
  if (caller === undefined) throw refuse.unauthenticated('Unauthorized: Invalid API key')
  return caller
}
