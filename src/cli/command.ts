/** What a command of the command line is made of. `main.ts` holds the list of them and runs one. */
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config.ts'

/** Options of a command as `node:util` parses them. */
export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** What a command may touch of the world around it. */
export type CommandIo = {
  config: Config
  /** `--json`: one JSON value on standard output and nothing else there. */
  json: boolean
  stdin: NodeJS.ReadableStream
  /** A line on standard output. */
  print(line: string): void
  /** A line on standard error: progress and notices. */
  report(line: string): void
  /** Whether standard error is a terminal: there a progress line may be drawn over. */
  terminal: boolean
  /** Epoch milliseconds. */
  now(): number
}

/** What the caller typed: options by name, and the words without a dash. */
export type CommandArgs = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** One command: its name, options, help, an example, and what it runs. */
export type Command = {
  /** One or two words: `serve`, `account create`. */
  name: string
  /** What follows the name: `NAME [name=value…]`. */
  usage: string
  /** One line for the list of commands. */
  summary: string
  /** One or more full lines a person could type. */
  example: string
  /** Its own options; `--data`, `--database`, `--json` and `--help` are every command's. */
  options: CommandOptions
  /** Prose on each option, by its name. */
  about?: Record<string, string>
  /** Further prose, shown after the options. */
  more?: string
  /**
   * Returns the exit code (default 0); throws `CommandError` for a fault that a sentence explains.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that ends normally need not say so
  run(args: CommandArgs, io: CommandIo): Promise<number | void>
}
