/** Runs one command of the command line in this process, over a data folder. */
import { parseArgs } from 'node:util'
import { COMMAND_TEXTS, type Command, checkWords } from '../src/cli/command.ts'
import { loadCommandsOf } from '../src/cli/commands.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { databaseOf } from './citus-cluster.ts'

export type CommandRun = {
  code: number
  out: string
  err: string
  /** What `--json` printed. */
  json: () => Record<string, unknown>
}

/** Loads all commands, in the order of `platbook help`. */
export async function loadCommands(): Promise<readonly Command[]> {
  const words = new Set([...COMMAND_TEXTS.keys()].map((name) => name.split(' ', 1)[0] ?? ''))
  return (await Promise.all([...words].map(loadCommandsOf))).flat()
}

/** Runs a command. `words`: the words after its name. Throws the errors of the command. */
export async function runCommand(
  command: Command,
  words: string[],
  world: {
    data: string
    now?: number
    env?: Record<string, string>
    onReport?: (line: string) => void
  },
): Promise<CommandRun> {
  const { values, positionals } = parseArgs({
    args: words,
    options: { ...command.options, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  checkWords(command, positionals)
  const database = databaseOf(world.data)
  const env = { ...(database !== undefined && { PLATBOOK_DATABASE_URL: database }), ...world.env }
  const run: CommandRun = { code: 0, out: '', err: '', json: () => JSON.parse(run.out) }
  const code = await command.run(
    { values, positionals },
    {
      config: readConfig({ PLATBOOK_DATA: world.data, ...env }),
      json: values.json === true,
      stdin: process.stdin,
      print: (line) => {
        run.out += `${line}\n`
      },
      report: (line) => {
        run.err += `${line}\n`
        world.onReport?.(line)
      },
      terminal: false,
      now: () => world.now ?? Date.now(),
    },
  )
  run.code = code ?? 0
  return run
}
