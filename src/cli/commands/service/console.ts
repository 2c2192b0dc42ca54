/** Commands: console; operator create, list, disable. */
import { createInterface } from 'node:readline/promises'
import { withAccounts } from '../../../access/accounts-data.ts'
import { hashPassphrase, makePassphrase } from '../../../console/sign-in/passphrase.ts'
import { startConsole } from '../../../console/start.ts'
import { CommandError } from '../../../errors.ts'
import { didYouMean } from '../../../nearest.ts'
import {
  type ConsoleStore,
  openConsoleStore,
  ROLES,
  type Role,
} from '../../../store/console-store.ts'
import { prepareData } from '../../../store/open.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command, CommandIo } from '../../command.ts'
import { formatTable, formatTime, isoTime } from '../../table.ts'
import { waitForStop } from '../../wait-for-stop.ts'

const consoleCommand: Command = {
  name: 'console',
  usage: '',
  summary: 'serves the web console alone, where serve was started with --no-console',
  example: 'platbook console',
  options: {},
  more: `Listens on PLATBOOK_CONSOLE_HOST and PLATBOOK_CONSOLE_PORT (127.0.0.1:8081) until SIGTERM
or SIGINT, and reads the service's metrics at PLATBOOK_HOST and PLATBOOK_PORT. serve and start run
it themselves.`,
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'console')
    await prepareData(io.config)
    const stopped = waitForStop()
    const { host, port } = io.config
    const service = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    const running = await startConsole(io.config, service, io.report)
    if (io.json) io.print(JSON.stringify({ address: running.address }))
    else io.print(`The console answers at ${running.address}`)
    await stopped
    await running.stop()
  },
}

const operatorCreate: Command = {
  name: 'operator create',
  usage: 'NAME --role viewer|operator|admin',
  summary: 'makes an operator of the console, or gives one a new role and passphrase',
  example: 'platbook operator create maria --role operator',
  options: { role: { type: 'string' }, 'passphrase-stdin': { type: 'boolean' } },
  about: {
    role:
      'viewer sees; operator also imports and manages accounts; admin also operators, ' +
      'prices, privacy',
    'passphrase-stdin':
      'reads the passphrase (12 characters or more) as one line; without it one is made ' +
      'and shown, this once',
  },
  async run({ positionals, values }, io) {
    const name = readName(need(positionals, 0, 'operator create NAME --role ROLE'))
    refuseMore(positionals, 1, 'operator create NAME --role ROLE')
    const role = readRole(values.role)
    const isGiven = values['passphrase-stdin'] === true
    const passphrase = isGiven ? await readLine(io) : makePassphrase()
    const hashed = await hashPassphrase(passphrase)
    withStore(io, (store) =>
      store.putOperator({ name, role, ...hashed, createdAt: io.now(), disabledAt: null }),
    )
    await note(io, `operator create --role ${role}`, name)
    if (io.json) io.print(JSON.stringify({ name, role, ...(!isGiven && { passphrase }) }))
    else if (isGiven) io.print(`${name} may sign in as ${role}`)
    else {
      io.print(passphrase)
      io.report(`the passphrase of ${name} (${role}); it is kept nowhere, so note it now`)
    }
  },
}

const operatorList: Command = {
  name: 'operator list',
  usage: '',
  summary: 'lists the operators of the console',
  example: 'platbook operator list',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'operator list')
    const operators = withStore(io, (store) => store.operators())
    if (io.json) {
      const shown = operators.map(({ name, role, createdAt, disabledAt }) => ({
        name,
        role,
        createdAt: isoTime(createdAt),
        disabledAt: isoTime(disabledAt),
      }))
      io.print(JSON.stringify({ operators: shown }))
      return
    }
    const rows = operators.map(({ name, role, createdAt, disabledAt }) => [
      name,
      role,
      formatTime(createdAt),
      formatTime(disabledAt),
    ])
    for (const line of formatTable(['NAME', 'ROLE', 'MADE', 'DISABLED'], rows)) io.print(line)
  },
}

const operatorDisable: Command = {
  name: 'operator disable',
  usage: 'NAME',
  summary: 'ends the sessions of an operator, who can no longer sign in',
  example: 'platbook operator disable maria',
  options: {},
  async run({ positionals }, io) {
    const name = need(positionals, 0, 'operator disable NAME')
    refuseMore(positionals, 1, 'operator disable NAME')
    const wasThere = withStore(io, (store) => store.disableOperator(name, io.now()))
    if (!wasThere)
      throw new CommandError(`there is no operator ${name}; see platbook operator list`)
    await note(io, 'operator disable', name)
    if (io.json) io.print(JSON.stringify({ name, disabled: true }))
    else io.print(`${name} can no longer sign in`)
  },
}

export const consoleCommands: Command[] = [
  consoleCommand,
  operatorCreate,
  operatorList,
  operatorDisable,
]

function withStore<Result>(io: CommandIo, work: (store: ConsoleStore) => Result): Result {
  const store = openConsoleStore(io.config.data)
  try {
    return work(store)
  } finally {
    store.close()
  }
}

function note(io: CommandIo, action: string, subject: string): Promise<void> {
  return withAccounts(io, ({ admin }) =>
    admin.noteAction('command line', JSON.stringify({ action, subject })),
  )
}

function readName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name)) return name
  throw new CommandError(
    `an operator's name has 1 to 64 letters, digits, . _ @ -, not "${name}"`,
    2,
  )
}

function readRole(value: unknown): Role {
  const role = ROLES.find((candidate) => candidate === value)
  if (role !== undefined) return role
  if (value === undefined) throw new CommandError(`--role is needed: ${ROLES.join(', ')}`, 2)
  const hint = didYouMean(String(value), [...ROLES])
  throw new CommandError(`--role: "${value}" is none of ${ROLES.join(', ')}${hint}`, 2)
}

async function readLine({ stdin }: CommandIo): Promise<string> {
  const lines = createInterface({ input: stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw new CommandError('standard input has no passphrase', 2)
}
