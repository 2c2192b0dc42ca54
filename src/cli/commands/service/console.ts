/** Commands: console; operator create, list, disable. */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { withAccounts } from '../../../accounts/accounts-data.ts'
import { closing } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import {
  disableOperator,
  putOperator,
  readOperatorName,
  readRole,
} from '../../../console/sign-in/operators.ts'
import { startConsole } from '../../../console/start.ts'
import { type ConsoleStore, openConsoleStore } from '../../../store/console-store.ts'
import { checkFolder, consolePath, makeFolder } from '../../../store/data-folder.ts'
import { prepareData } from '../../../store/open.ts'
import { type CommandIo, command } from '../../command.ts'
import { formatTable, formatTime, isoTime, printResult } from '../../table.ts'
import { waitForStop } from '../../wait-for-stop.ts'

export const consoleCommand = command('console', async (_args, io) => {
  await prepareData(io.config)
  const stopped = waitForStop()
  const { host, port } = io.config
  const service = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const running = await startConsole(io.config, service, io.report)
  printResult(io, { address: running.address }, `The console answers at ${running.address}`)
  await stopped
  await running.stop()
})

export const operatorCreate = command('operator create', async ({ positionals, values }, io) => {
  const name = readOperatorName(positionals[0] ?? '')
  const role = readRole(values.role)
  const isGiven = values['passphrase-stdin'] === true
  const given = isGiven ? await readLine(io) : undefined
  makeFolder(io.config.data)
  const passphrase = await withStore(io, (store) =>
    putOperator(store, { name, role, now: io.now() }, given),
  )
  await note(io, `operator create --role ${role}`, name)
  const line = isGiven ? `${name} may sign in as ${role}` : passphrase
  printResult(io, { name, role, ...(!isGiven && { passphrase }) }, line)
  if (!io.json && !isGiven) {
    io.report(`the passphrase of ${name} (${role}); it is kept nowhere, so note it now`)
  }
})

export const operatorList = command('operator list', async (_args, io) => {
  checkFolder(io.config)
  const isThere = existsSync(consolePath(io.config.data))
  const operators = isThere ? await withStore(io, (store) => store.operators()) : []
  const shown = operators.map(({ name, role, createdAt, disabledAt }) => ({
    ...{ name, role, createdAt: isoTime(createdAt), disabledAt: isoTime(disabledAt) },
  }))
  const rows = operators.map(({ name, role, createdAt, disabledAt }) => [
    ...[name, role, formatTime(createdAt), formatTime(disabledAt)],
  ])
  const table = formatTable(['NAME', 'ROLE', 'MADE', 'DISABLED'], rows)
  printResult(io, { operators: shown }, table)
})

export const operatorDisable = command('operator disable', async ({ positionals }, io) => {
  const [name = ''] = positionals
  checkFolder(io.config)
  await withStore(io, (store) => disableOperator(store, name, io.now()))
  await note(io, 'operator disable', name)
  printResult(io, { name, disabled: true }, `${name} can no longer sign in`)
})

async function withStore<Result>(
  io: CommandIo,
  work: (store: ConsoleStore) => Result | Promise<Result>,
): Promise<Result> {
  await using store = closing(openConsoleStore(io.config.data))
  return await work(store)
}

function note(io: CommandIo, action: string, subject: string): Promise<void> {
  return withAccounts(io, ({ admin }) =>
    admin.noteAction('command line', JSON.stringify({ action, subject })),
  )
}

async function readLine({ stdin }: CommandIo): Promise<string> {
  const lines = createInterface({ input: stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw new CommandError('standard input has no passphrase', 2)
}
