/** The texts of `platbook help`. */
import type { Command } from './command.ts'
import { SUMMARIES } from './commands.ts'

const COMMON = `Every command:
  --data DIR        the data folder of the embedded store (PLATBOOK_DATA, default ./data)
  --database URL    PostgreSQL instead (PLATBOOK_DATABASE_URL); DIR then only has the secret
  --json            one JSON value on standard output and nothing else there
  --help            this text

Exit codes: 0 done, 1 failed, 2 wrong use. Progress and logs go to standard error.
`

export function showCommands(): string {
  const width = Math.max(...[...SUMMARIES.keys()].map((name) => name.length))
  const lines = [...SUMMARIES].map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
  return (
    `platbook <command> [options]\n\n${lines.join('\n')}\n\nplatbook help COMMAND ` +
    `describes a command, with an example; ` +
    `platbook --version prints the version.\n\n${COMMON}`
  )
}

export function showGroup(commands: readonly Command[]): string {
  return `${commands.map(showOwn).join('\n\n')}\n${COMMON}`
}

export function showCommand(command: Command): string {
  return `${showOwn(command)}\n${COMMON}`
}

/** The version is no command of the table, because it reads no settings. */
export function showVersionHelp(): string {
  return `platbook --version [--json]

prints the version of the program and of Node, on which it runs

Example:
  platbook --version --json
`
}

function showOwn(command: Command): string {
  const { name, usage, example, options = {}, more } = command
  const listed = Object.entries(options)
  const width = Math.max(0, ...listed.map(([option]) => option.length)) + 2
  const lines = listed.map(
    ([option, { about = '' }]) => `  ${`--${option}`.padEnd(width)}  ${about}`,
  )
  const own = lines.length === 0 ? '' : `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
  const prose = more === undefined ? '' : `\n${more}\n`
  const examples = example
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
  const head = `platbook ${name} ${usage}`.trimEnd()
  return `${head}\n\n${SUMMARIES.get(name) ?? ''}\n${own}${prose}\nExample:\n${examples}\n`
}
