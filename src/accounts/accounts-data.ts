/** Opens the accounts database for one task of a command or the console, and closes it again. */
import { randomBytes } from 'node:crypto'
import { CommandError, Refusal } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import type { AccountRecord } from '../store/accounts-store.ts'
import { checkFolder } from '../store/data-folder.ts'
import { openAccounts } from '../store/open.ts'

/** What a command needs to read and change accounts: the writer, reader and ledger of one store. */
export type AccountsData = Omit<OpenAccounts, 'close'>

/**
 * Opens the accounts for one task and creates what is missing, also next to a running service.
 * `reading`: creates nothing, and throws a sentence for a data folder that does not exist.
 */
export async function withAccounts<Result>(
  { config }: { config: Config },
  work: (data: AccountsData) => Promise<Result>,
  { reading = false } = {},
): Promise<Result> {
  let accounts: OpenAccounts | undefined
  try {
    accounts = await openAccounts(config, { reading })
    return await work(accounts)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(describe(error), 1, error)
    throw error
  } finally {
    await accounts?.close()
  }
}

/** Like `withAccounts`, for changing what exists: a missing data folder is an error. */
export function changeAccounts<Result>(
  settings: { config: Config },
  work: (data: AccountsData) => Promise<Result>,
): Promise<Result> {
  checkFolder(settings.config)
  return withAccounts(settings, work)
}

/** The same for tasks that only read. */
export function readAccounts<Result>(
  settings: { config: Config },
  work: (data: AccountsData) => Promise<Result>,
): Promise<Result> {
  return withAccounts(settings, work, { reading: true })
}

/** Returns the account. Throws a sentence when it does not exist. */
export async function needAccount(admin: AccountAdmin, id: string): Promise<AccountRecord> {
  const account = await admin.account(id)
  if (account !== undefined) return account
  throw new CommandError(`there is no account ${id}; platbook account list shows them`)
}

/** Returns `acc_` or `key_` and ten characters that are distinct when read aloud. */
export function makeId(prefix: 'acc' | 'key'): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const digits = Array.from(randomBytes(10), (byte) => letters.charAt(byte % 32))
  return `${prefix}_${digits.join('')}`
}

function describe({ cause, message }: Refusal): string {
  return cause instanceof Error ? `the accounts database: ${cause.message}` : message
}
