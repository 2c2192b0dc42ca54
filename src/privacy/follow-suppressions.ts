/** Applies suppressions that are added while an import runs, after it has read their list. */
import { setTimeout as sleep } from 'node:timers/promises'
import { closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import type { Suppression } from '../base/model/suppression.ts'
import type { Config } from '../settings/config.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import { openAccounts } from '../store/open.ts'
import { enforce } from './suppress.ts'

/** `now`: epoch milliseconds. */
type World = { config: Config; now(): number }

/** Longer than serving processes take to notice a change, in milliseconds. */
const NOTICED_MS = 400

/**
 * Runs an import so that people suppressed after its start are never shown.
 *
 * `load` loads the roll and awaits the given function just before it writes. From then on answers
 * are filtered by the newer suppressions. After `load` they are applied to stored records, and the
 * filter ends. If `load` throws, the filter stays until the next import; so it does if they cannot
 * be applied, which is a `CommandError` that says that the roll is loaded.
 */
export async function followSuppressions<Result>(
  world: World,
  load: (beforeApply: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const startedAt = world.now()
  const result = await load(() => filterNewer(world, startedAt))
  await enforceNewer(world, startedAt)
  return result
}

async function filterNewer(world: World, startedAt: number): Promise<void> {
  const newer = await listNewer(world, startedAt)
  if (newer.length === 0) return
  const ids = newer.map(({ id }) => id)
  await useAccounts(world, ({ admin }) => admin.markSuppressions(ids, 'pending'))
  await sleep(NOTICED_MS)
}

async function enforceNewer(world: World, startedAt: number): Promise<void> {
  const newer = await listNewer(world, startedAt)
  if (newer.length === 0) return
  await enforce(world.config, newer, world.now()).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    const count = newer.length === 1 ? 'one suppression stays' : `${newer.length} suppressions stay`
    const what = `the roll is loaded; ${count} a filter of answers until the next import`
    throw new CommandError(`${what}, because ${error.message}`, 1, error)
  })
  const ids = newer.map(({ id }) => id)
  await useAccounts(world, ({ admin }) => admin.markSuppressions(ids, 'settled'))
}

/**
 * Returns suppressions in force that were added since, and those left pending by an earlier
 * command.
 */
async function listNewer(world: World, startedAt: number): Promise<Suppression[]> {
  return useAccounts(world, async ({ admin, reader }) => {
    const pending = await reader.pendingSuppressions()
    const since = await admin.suppressions(startedAt)
    const newer = since.filter(({ endedAt }) => endedAt === null)
    return [...new Map([...pending, ...newer].map((one) => [one.id, one])).values()]
  })
}

async function useAccounts<Result>(
  { config }: World,
  work: (accounts: OpenAccounts) => Promise<Result>,
): Promise<Result> {
  await using accounts = closing(await openAccounts(config))
  return await work(accounts)
}
