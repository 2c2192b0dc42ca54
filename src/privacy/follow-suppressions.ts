/** Applies suppressions that are added while an import runs, after it has read their list. */
import { setTimeout as sleep } from 'node:timers/promises'
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import type { Suppression } from '../base/model/suppression.ts'
import type { Config } from '../settings/config.ts'
import { openAccounts } from '../store/open.ts'
import { enforce } from './suppress.ts'

/** `now`: epoch milliseconds. */
type World = { config: Config; now(): number }

/** Longer than serving processes take to notice a change, in milliseconds. */
const NOTICED_MS = 400

/** The two steps by which an import never shows people who are suppressed after its start. */
export type NewerSuppressions = {
  /** Filters answers by them; called just before the import writes. */
  filter(): Promise<void>
  /**
   * Applies them to stored records and ends the filter; called after the import. If it fails or is
   * not called, the filter stays until the next import. A failure is a `CommandError` that says
   * that the roll is loaded.
   */
  enforce(): Promise<void>
}

/** Called at the start of an import. */
export function followSuppressions(world: World): NewerSuppressions {
  const startedAt = world.now()
  const mark = async (newer: Suppression[], as: 'pending' | 'settled') => {
    await using accounts = closing(await openAccounts(world.config))
    const ids = newer.map(({ id }) => id)
    await accounts.admin.markSuppressions(ids, as)
  }
  return {
    async filter() {
      const newer = await listNewer(world, startedAt)
      if (newer.length === 0) return
      await mark(newer, 'pending')
      await sleep(NOTICED_MS)
    },
    async enforce() {
      const newer = await listNewer(world, startedAt)
      if (newer.length === 0) return
      await enforce(world.config, newer, world.now()).catch((error: unknown) => {
        if (!(error instanceof CommandError)) throw error
        const stay =
          newer.length === 1 ? 'one suppression stays' : `${newer.length} suppressions stay`
        const what = `the roll is loaded; ${stay} a filter of answers until the next import`
        throw new CommandError(`${what}, because ${error.message}`, 1, error)
      })
      await mark(newer, 'settled')
    },
  }
}

/** Returns suppressions in force that were added since, or left pending by a command. */
async function listNewer(world: World, startedAt: number): Promise<Suppression[]> {
  await using accounts = closing(await openAccounts(world.config))
  const pending = await accounts.reader.pendingSuppressions()
  const since = await accounts.admin.suppressions(startedAt)
  const newer = since.filter(({ endedAt }) => endedAt === null)
  return [...new Map([...pending, ...newer].map((one) => [one.id, one])).values()]
}
