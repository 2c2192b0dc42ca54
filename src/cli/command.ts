/** The interface of a command. `commands.ts` lists them and `run.ts` runs one. */
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../settings/config.ts'

/** Options of a command as `node:util` parses them. */
export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** The command's access to its environment. */
export type CommandIo = {
  config: Config
  /** `--json`: prints one JSON value to standard output and nothing else. */
  json: boolean
  stdin: NodeJS.ReadableStream
  /** Prints a line to standard output. */
  print(line: string): void
  /** Prints a line to standard error: progress and notices. */
  report(line: string): void
  /** Whether standard error is a terminal, where a progress line may be redrawn. */
  terminal: boolean
  /** Epoch milliseconds. */
  now(): number
}

/** The typed arguments: options by name, and positional words. */
export type CommandArgs = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** One command: its name, options, help, an example, and what it runs. */
export type Command = {
  /** One or two words: `serve`, `account create`. */
  name: string
  /** The text after the name: `NAME [name=value…]`. */
  usage: string
  /** One or more full lines a person could type. */
  example: string
  /** Its own options; every command also has `--data`, `--database`, `--json` and `--help`. */
  options: CommandOptions
  /** Help text of each option by name. */
  about?: Record<string, string>
  /** Further help text, shown after the options. */
  more?: string
  /** Returns the exit code (default 0). Throws `CommandError` for an expected failure. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that ends normally need not say so
  run(args: CommandArgs, io: CommandIo): Promise<number | void>
}
