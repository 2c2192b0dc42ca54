/** Positionals of commands. The accounts database is opened by `access/accounts-data.ts`. */
import { CommandError } from '../errors.ts'

/** What stands in a command's place for one more positional; else a sentence with the usage. */
export function need(positionals: string[], index: number, usage: string): string {
  const value = positionals[index]
  if (value === undefined || value === '') throw new CommandError(`usage: platbook ${usage}`, 2)
  return value
}

/** Throws `CommandError` with status 2 where more than `count` words stand behind a command. */
export function refuseMore(positionals: string[], count: number, usage: string): void {
  if (positionals.length > count) {
    throw new CommandError(`"${positionals[count]}" is too much; usage: platbook ${usage}`, 2)
  }
}
