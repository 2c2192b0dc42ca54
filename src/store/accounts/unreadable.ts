/** Distinguishes damaged data from data that is temporarily unreadable. */
import { CommandError, Refusal } from '../../base/errors.ts'
import { SQLITE, sqliteCode } from '../sqlite/connection.ts'

const SQLITE_DAMAGE = new Set<number | undefined>([SQLITE.CORRUPT, SQLITE.NOTADB])
/** data_corrupted and index_corrupted. */
const POSTGRES_DAMAGE = new Set<unknown>(['XX001', 'XX002'])

/** Returns the verdict of a walk, or what `unread` makes of damage. Throws other errors. */
export async function judge<Verdict>(
  walk: () => Promise<Verdict>,
  unread: (problem: string) => Verdict,
): Promise<Verdict> {
  try {
    return await walk()
  } catch (error) {
    const problem = describeUnreadable(error)
    if (problem === undefined) throw error
    return unread(problem)
  }
}

/**
 * Explains why a pass over accounts, ledger or audit failed, if damage is the cause, which may
 * appear as any error. `undefined`: the store is busy, unreachable or missing, or an operator's
 * mistake.
 */
function describeUnreadable(error: unknown): string | undefined {
  const { cause } = error as Error
  if (error instanceof Refusal || error instanceof CommandError) {
    for (let one = cause; one instanceof Error; one = one.cause as Error) {
      if (
        SQLITE_DAMAGE.has(sqliteCode(one)) ||
        POSTGRES_DAMAGE.has((one as { code?: unknown }).code)
      ) {
        return `it cannot be read: ${one.message}`
      }
    }
    return undefined
  }
  return `it cannot be read: ${((cause ?? error) as Error).message}`
}
