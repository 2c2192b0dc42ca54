/** Tells data that cannot be read for its damage from data that cannot be read just now. */
import { CommandError, Refusal } from '../../errors.ts'
import { sqlState } from '../postgres/pool/errors.ts'
import { SQLITE, sqliteCode } from '../sqlite/connection.ts'

const SQLITE_DAMAGE = new Set<number | undefined>([SQLITE.CORRUPT, SQLITE.NOTADB])
/** data_corrupted and index_corrupted. */
const POSTGRES_DAMAGE = new Set<string | undefined>(['XX001', 'XX002'])

/**
 * Says why a walk over accounts, ledger or audit failed, when damage is why.
 *
 * Damaged rows may show as an error of any kind, such as a number that is too large or malformed
 * JSON. `undefined`: the store is busy, out of reach or missing, or an operator's mistake.
 */
export function describeUnreadable(error: unknown): string | undefined {
  const { cause } = error as Error
  if (error instanceof Refusal || error instanceof CommandError) {
    for (let one = cause; one instanceof Error; one = one.cause as Error) {
      if (SQLITE_DAMAGE.has(sqliteCode(one)) || POSTGRES_DAMAGE.has(sqlState(one))) {
        return `it cannot be read: ${one.message}`
      }
    }
    return undefined
  }
  return `it cannot be read: ${((cause ?? error) as Error).message}`
}
