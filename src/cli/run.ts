/** The command line: finds the command, parses its options and runs it. */
import { parseArgs } from 'node:util'
import { CommandError } from '../base/errors.ts'
import { hideSecrets, nameInFolder } from '../base/hide-secrets.ts'
import { didYouMean } from '../base/nearest.ts'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { finishChange } from '../base/safe-files.ts'
import type { Config } from '../settings/config.ts'
import { readConfig, readSetting } from '../settings/read-config.ts'
import {
  COMMAND_TEXTS,
  type Command,
  type CommandIo,
  type CommandOptions,
  checkWords,
  givenFolder,
} from './command.ts'
import { loadCommandsOf } from './commands.ts'
import { explainFiles, explainRefusal } from './explain-errors.ts'

const COMMON: CommandOptions = {
  data: { type: 'string' },
  database: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe has closed it.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`platbook: standard output cannot be written: ${error.message}\n`)
  process.exit(1)
})

export async function runCommandLine(words: string[]): Promise<number> {
  try {
    return await dispatch(words)
  } catch (error) {
    // What a `using` met while it closed follows from what went wrong before.
    const first = error instanceof SuppressedError ? error.suppressed : error
    const values = words.map((word) => word.replace(/^--[\w-]+=/, ''))
    const given = [...words, ...values]
    const isData = (at: number) => words[at - 1] === '--data' || /^--data=/.test(words[at] ?? '')
    const others = values.filter((_, at) => !isData(at))
    const explained = explainRefusal(explainFiles(first, others))
    const isDefect = !(explained instanceof CommandError)
    // The runtime would print every property of the error, of which one may be an address.
    const text = isDefect ? describeDefect(explained) : explained.message
    const hidden = hideSecrets(text, [...given, ...settingsGiven()])
    process.stderr.write(`platbook: ${nameFiles(hidden, given)}\n`)
    return isDefect ? 1 : explained.exitCode
  }
}

/** Names files relative to the data folder, except where a word of the command names them. */
function nameFiles(text: string, given: string[]): string {
  const at = given.indexOf('--data')
  const own = given.find((word) => word.startsWith('--data='))?.slice('--data='.length)
  const folder = own ?? given[at < 0 ? -1 : at + 1] ?? (process.env.PLATBOOK_DATA || './data')
  const isNamed = given.some((word) => word.includes('/') && word !== folder && text.includes(word))
  // A command that is shown must work from anywhere.
  return isNamed || /\brun: /.test(text) ? text : nameInFolder(text, folder)
}

/** Values of variables that may be addresses with passwords. */
function settingsGiven(): string[] {
  return Object.entries(process.env).flatMap(([name, value = '']) =>
    name.startsWith('PLATBOOK_') ? value.split(/,\s*/) : [],
  )
}

function describeDefect(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function dispatch(words: string[]): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words[0] === '--help' || words[0] === '-h') {
    return showHelp(words.slice(1))
  }
  const [first] = words.filter((word) => word !== '--json')
  if (isVersion(first)) {
    const { node } = process.versions
    const asJson = JSON.stringify({ version: PROGRAM_VERSION, node })
    const line = words.includes('--json') ? asJson : `platbook ${PROGRAM_VERSION}, Node ${node}`
    process.stdout.write(`${line}\n`)
    return 0
  }
  const found = await findCommand(words)
  if (found === undefined) {
    if (words.some((word) => word === '--help' || word === '-h')) return showHelp(words.slice(0, 1))
    throw await unknownCommand(words)
  }
  const [command, rest] = found
  const { values, positionals } = readOptions(command, rest)
  if (values.help === true) {
    process.stdout.write(showCommand(command))
    return 0
  }
  checkWords(command, positionals)
  const config = configFor(values)
  return (await command.run({ values, positionals }, makeIo(config, values.json === true))) ?? 0
}

function isVersion(word: string | undefined): boolean {
  return word === 'version' || word === '--version' || word === '-v'
}

async function findCommand(words: string[]): Promise<[Command, string[]] | undefined> {
  const commands = await loadCommandsOf(words[0] ?? '')
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = commands.find((candidate) => candidate.name === name)
    if (command !== undefined) return [command, words.slice(count)]
  }
  return undefined
}

async function unknownCommand(words: string[]): Promise<CommandError> {
  const group = await commandsOfGroup(words[0] ?? '')
  if (group.length > 0) {
    const names = group.map(({ name }) => name).join(', ')
    const [, second] = words.filter((word) => !word.startsWith('-'))
    const none = second === undefined ? '' : `there is no command ${words[0]} ${second}; `
    return new CommandError(`${none}${words[0]} needs a second word: ${names}`, 2)
  }
  const hint = didYouMean(words[0] ?? '', [...COMMAND_TEXTS.keys()]) || '; see platbook help'
  return new CommandError(`there is no command ${words[0]}${hint}`, 2)
}

/** `key create`, `key list` and so on for `key`. */
async function commandsOfGroup(word: string): Promise<Command[]> {
  return (await loadCommandsOf(word)).filter(({ name }) => name.startsWith(`${word} `))
}

function readOptions(command: Command, args: string[]) {
  const { values, positionals, tokens } = parseOptions(command, args)
  const given = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue
    // The parser keeps the last of two values: a command must not run in the wrong folder by that.
    if (given.has(token.name) && command.options[token.name]?.multiple !== true) {
      throw new CommandError(`${command.name}: --${token.name} is given twice`, 2)
    }
    given.add(token.name)
  }
  for (const name of ['data', 'database'] as const) {
    if (values[name] === '') throw new CommandError(`${command.name}: --${name} is empty`, 2)
  }
  return { values, positionals }
}

function parseOptions(command: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...COMMON, ...command.options },
      allowPositionals: true,
      strict: true,
      tokens: true,
    })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.\s/, 1)
    const dashed = /^Option '(?:.*, )?(--[\w-]+)' argument is ambiguous/.exec(sentence)?.[1]
    const said =
      dashed === undefined
        ? sentence
        : `${dashed} has no value; one that begins with a dash is written ${dashed}=-1`
    const typed = /^Unknown option '(--[\w-]+)'/.exec(sentence)?.[1] ?? ''
    const names = Object.keys({ ...COMMON, ...command.options }).map((name) => `--${name}`)
    const near = typed.length > 4 ? didYouMean(typed, names) : ''
    const hint = near || `; see platbook help ${command.name}`
    throw new CommandError(`${command.name}: ${said}${hint}`, 2)
  }
}

function configFor(values: Record<string, unknown>): Config {
  const read = readConfig(process.env)
  const config = {
    ...read,
    ...(typeof values.data === 'string' && { data: givenFolder('--data', values.data) }),
    ...(typeof values.database === 'string' && { databaseUrl: readDatabase(values.database) }),
  }
  finishChange(config.data)
  return config
}

function readDatabase(value: string): string | null {
  try {
    return readSetting('databaseUrl', value)
  } catch (error) {
    throw new CommandError(`--database: ${(error as Error).message}`, 2)
  }
}

function makeIo(config: Config, json: boolean): CommandIo {
  return {
    config,
    json,
    stdin: process.stdin,
    print: (line) => process.stdout.write(`${line}\n`),
    report: (line) => process.stderr.write(`${line}\n`),
    terminal: process.stderr.isTTY === true,
    now: Date.now,
  }
}

async function showHelp(words: string[]): Promise<number> {
  if (words.length === 0) {
    process.stdout.write(showCommands())
    return 0
  }
  if (isVersion(words[0])) {
    process.stdout.write(showVersionHelp())
    return 0
  }
  const found = await findCommand(words)
  if (found === undefined) {
    const group = words.length === 1 ? await commandsOfGroup(words[0] ?? '') : []
    if (group.length === 0) throw await unknownCommand(words)
    process.stdout.write(`${group.map(showOwn).join('\n\n')}\n${COMMON_HELP}`)
    return 0
  }
  process.stdout.write(showCommand(found[0]))
  return 0
}

const COMMON_HELP = `Every command:
  --data DIR        the data folder of the embedded store (PLATBOOK_DATA, default ./data)
  --database URL    PostgreSQL instead (PLATBOOK_DATABASE_URL); DIR then only has the secret
  --json            one JSON value on standard output and nothing else there
  --help            this text

Exit codes: 0 done, 1 failed, 2 wrong use. Progress and logs go to standard error.
`

export function showCommands(): string {
  const all = [...COMMAND_TEXTS.values()]
  const width = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return (
    `platbook <command> [options]\n\n${lines.join('\n')}\n\nplatbook help COMMAND ` +
    `describes a command, with an example; ` +
    `platbook --version prints the version.\n\n${COMMON_HELP}`
  )
}

export function showCommand(command: Command): string {
  const others = [...COMMAND_TEXTS.keys()].filter((name) => name.startsWith(`${command.name} `))
  const also = others.length === 0 ? '' : `\nAlso: platbook ${others.join(', ')}\n`
  return `${showOwn(command)}${also}\n${COMMON_HELP}`
}

/** The version is no command of the table, because it reads no settings. */
function showVersionHelp(): string {
  return `platbook --version [--json]

prints the version of the program and of Node, on which it runs

Example:
  platbook --version --json
`
}

function showOwn(command: Command): string {
  const { name, usage, summary, example, options, more } = command
  const listed = Object.entries(options)
  const width = Math.max(0, ...listed.map(([option]) => option.length)) + 2
  const lines = listed.map(
    ([option, { about = '' }]) => `  ${`--${option}`.padEnd(width)}  ${about}`,
  )
  const own = lines.length === 0 ? '' : `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
  const prose = more === '' ? '' : `\n${more}\n`
  const examples = example
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
  const head = `platbook ${name} ${usage}`.trimEnd()
  return `${head}\n\n${summary}\n${own}${prose}\nExample:\n${examples}\n`
}
