/** The interface of a command. `commands.ts` lists them and `run.ts` runs one. */
import type { ParseArgsConfig } from 'node:util'
import { CommandError } from '../base/errors.ts'
import { readTable } from '../base/tables.ts'
import type { Config } from '../settings/config.ts'
import { readFolder } from '../settings/setting-values.ts'

type Option = NonNullable<ParseArgsConfig['options']>[string]

/** Options of a command as `node:util` parses them, each with its line of help. */
export type CommandOptions = Record<string, Option & { about?: string }>

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

/** What a command is called and how; `tables/commands.txt` has all of it. */
type CommandTexts = {
  /** One or two words: `serve`, `account create`. */
  name: string
  /** The text after the name: `NAME [name=value…] [--state ST]`; `checkWords` reads it too. */
  usage: string
  /** The fewest words, where the usage has other ways to call it. */
  leastWords: number | undefined
  /** One line of help. */
  summary: string
  /** Its own options; every command also has `--data`, `--database`, `--json` and `--help`. */
  options: CommandOptions
  /** Further help text, shown after the options; empty for none. */
  more: string
  /** One or more full lines a person could type. */
  example: string
}

/** Returns the exit code (default 0). Throws `CommandError` for an expected failure. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command that ends normally need not say so
type Run = (args: CommandArgs, io: CommandIo) => Promise<number | void>

export type Command = CommandTexts & { run: Run }

/** The texts of all commands, in the order of `platbook help`. */
export const COMMAND_TEXTS: ReadonlyMap<string, CommandTexts> = readTexts()

/** Returns a command of the table. `more`: further help that the table does not have. */
export function command(name: string, run: Run, more?: string): Command {
  const texts = COMMAND_TEXTS.get(name)
  if (texts === undefined) throw new Error(`tables/commands.txt has no command "${name}"`)
  return { ...texts, ...(more !== undefined && { more }), run }
}

function readTexts(): Map<string, CommandTexts> {
  const shared = new Map<string, CommandOptions>()
  const texts = new Map<string, CommandTexts>()
  for (const section of readTable('commands.txt').join('\n').split(/^\[/m).slice(1)) {
    const [head = '', ...lines] = section.trimEnd().split('\n')
    const [name = '', usage = '', least] = head.replace(']', '').split('\t')
    const options: CommandOptions = {}
    const rest = lines.filter((line) => {
      const [, option, kind = '', about = ''] = /^--(\S+)\t(.+)\t(.*)/.exec(line) ?? []
      if (option !== undefined) options[option] = readOption(kind, about)
      else if (line.startsWith('...')) Object.assign(options, shared.get(line.slice(2)))
      else return true
      return false
    })
    const [summary = '', ...others] = rest
    const examples = others.filter((line) => line.startsWith('$ '))
    const more = others.slice(0, others.length - examples.length)
    shared.set(name, options)
    if (name.startsWith('.')) continue
    texts.set(name, {
      ...{ name, usage, leastWords: least === undefined ? undefined : Number(least), summary },
      ...{ options, more: more.join('\n') },
      example: examples.map((line) => line.slice(2)).join('\n'),
    })
  }
  return texts
}

/** Reads a kind such as `text -o`, `text =24h`, `flag`. */
function readOption(kind: string, about: string): CommandOptions[string] {
  const [word, ...more] = kind.split(' ')
  const [short] = more.filter((one) => one.startsWith('-'))
  const [preset] = more.filter((one) => one.startsWith('='))
  return {
    type: word === 'flag' ? 'boolean' : 'string',
    about,
    ...(word === 'texts' && { multiple: true }),
    ...(short !== undefined && { short: short.slice(1) }),
    ...(preset !== undefined && { default: preset.slice(1) }),
  }
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

/** Throws `CommandError` with status 2 for `-`: only a file can get its name when it is whole. */
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
