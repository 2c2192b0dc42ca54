/**
 * Reads positional arguments of commands. `access/accounts-data.ts` opens the accounts database.
 */
import { CommandError } from '../base/errors.ts'

/** Returns a positional argument. Throws a sentence with the usage when it is missing. */
export function need(positionals: string[], index: number, usage: string): string {
  const value = positionals[index]
  if (value === undefined || value === '') throw new CommandError(`usage: platbook ${usage}`, 2)
  return value
}

/** Throws `CommandError` with status 2 for more than `count` positional arguments. */
export function refuseMore(positionals: string[], count: number, usage: string): void {
  if (positionals.length > count) {
    throw new CommandError(
      `unexpected argument "${positionals[count]}"; usage: platbook ${usage}`,
      2,
    )
  }
}

/**
 * Throws `CommandError` with status 2 for `-`. A file is written under a temporary name and renamed
 * at the end; a pipe cannot be.
 */
export function refuseDash(path: string): void {
  if (path !== '-') return
  throw new CommandError('--out - is not a file: what is written gets its name when it is whole', 2)
}
