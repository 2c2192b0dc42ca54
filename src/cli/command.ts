/** The interface of a command. `commands.ts` lists them and `run.ts` runs one. */
import type { ParseArgsConfig } from 'node:util'
import { CommandError } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import { readFolder } from '../settings/setting-values.ts'

type Option = NonNullable<ParseArgsConfig['options']>[string]

/** Options of a command as `node:util` parses them, each with its line of help. */
export type CommandOptions = Record<string, Option & { about?: string }>

export function option(about: string, more: Partial<Option> = {}): CommandOptions[string] {
  return { type: 'string', about, ...more }
}

export function flag(about: string): CommandOptions[string] {
  return { type: 'boolean', about }
}

export type CommandIo = {
  config: Config
  /** `--json`: prints one JSON value to standard output and nothing else. */
  json: boolean
  stdin: NodeJS.ReadableStream
  print(line: string): void
  report(line: string): void
  /** Whether standard error is a terminal, where a progress line may be redrawn. */
  terminal: boolean
  /** Epoch milliseconds. */
  now(): number
}

/** The typed arguments: options by name, and as many words as the usage names. */
export type CommandArgs = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** One command: its name, options, help, an example, and what it runs. */
export type Command = {
  /** One or two words: `serve`, `account create`. */
  name: string
  /** The text after the name: `NAME [name=value…] [--state ST]`; `checkWords` reads it too. */
  usage: string
  /** The fewest words, where the usage has other ways to call it. */
  leastWords?: number
  /** One or more full lines a person could type. */
  example: string
  /** Its own options; every command also has `--data`, `--database`, `--json` and `--help`. */
  options?: CommandOptions
  /** Further help text, shown after the options. */
  more?: string
  /** Returns the exit code (default 0). Throws `CommandError` for an expected failure. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that ends normally need not say so
  run(args: CommandArgs, io: CommandIo): Promise<number | void>
}

/** Throws a sentence with the usage when words are missing, empty or too many. */
export function checkWords(command: Command, words: readonly string[]): void {
  const { name, usage } = command
  const named =
    usage
      .split(/ ?\[?--/, 1)[0]
      ?.split(' ')
      .filter(Boolean) ?? []
  const least = command.leastWords ?? named.filter((word) => !word.startsWith('[')).length
  const most = named.some((word) => word.includes('…')) ? Number.POSITIVE_INFINITY : named.length
  const line = `usage: platbook ${name} ${usage}`.trimEnd()
  const needed = Array.from({ length: least }, (_, at) => words[at])
  if (needed.some((word) => !word)) throw new CommandError(line, 2)
  if (words.length > most)
    throw new CommandError(`unexpected argument "${words[most]}"; ${line}`, 2)
}

/**
 * Throws `CommandError` with status 2 for `-`. A file is written under a temporary name and renamed
 * at the end; a pipe cannot be.
 */
export function refuseDash(path: string): void {
  if (path !== '-') return
  throw new CommandError('--out - is not a file: what is written gets its name when it is whole', 2)
}

/** Returns a folder that was given. Throws a sentence for an address; `what` begins it. */
export function givenFolder(what: string, folder = ''): string {
  try {
    return readFolder(folder)
  } catch (error) {
    throw new CommandError(`${what}: ${(error as Error).message}`, 2)
  }
}
