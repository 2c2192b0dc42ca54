/** `platbook start`: makes sample data and a demo account, serves, and prints example requests. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { makeLinkToken } from '../../../console/sign-in/sessions.ts'
import type { Config } from '../../../settings/config.ts'
import { openConsoleStore } from '../../../store/console-store.ts'
import { type CommandIo, command } from '../../command.ts'
import type { FirstRun, FromFirstRun } from './first-run.ts'
import { hasConsole, readServeConfig, serve } from './serve.ts'

const DEMO_ACCOUNT = 'acc_demo'
const PROGRAM = new URL('first-run.ts', import.meta.url)

export const startCommand = command('start', async (args, io) => {
  const config = readServeConfig(args, io)
  const first = await prepareFirstRun(config)
  const printLine = io.json ? io.report : io.print
  await serve(config, io, hasConsole(args), (address, consoleAddress) => {
    for (const line of greet(first, address)) printLine(line)
    for (const line of greetConsole(io, consoleAddress)) printLine(line)
    printLine('Ctrl-C stops the service.')
  })
})

/** Prepares data in a process that ends before the service starts. Throws `CommandError`. */
async function prepareFirstRun(config: Config): Promise<FirstRun> {
  const child = fork(PROGRAM, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new CommandError(`the sample could not be made: its process ended (${signal ?? code})`)
  })
  child.send(config)
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [FromFirstRun]
  await ended.catch(() => undefined)
  if ('refused' in answer) throw new CommandError(answer.refused, answer.exitCode)
  return answer
}

function greetConsole({ config, now }: CommandIo, address: string | undefined): string[] {
  if (address === undefined) return []
  const store = openConsoleStore(config.data)
  using _end = atEnd(() => store.close())
  const token = makeLinkToken(store, now())
  return [
    '',
    'The console; the link signs in once, within an hour:',
    `  ${address}/enter?token=${token}`,
    '',
  ]
}

function greet({ key, requests }: FirstRun, address: string): string[] {
  const program = process.argv[1]?.endsWith('main.ts') ? 'npm run -s platbook --' : 'platbook'
  if (requests.length === 0) return ['Nothing with an address and an owner is loaded yet.']
  return [
    '',
    'The demo key, with no limit of tokens:',
    `  ${key}`,
    'Try:',
    ...requests.flatMap(({ title, path, query }) => [
      `# ${title}`,
      `curl -H 'Authorization: ${key}' '${address}${path}?${new URLSearchParams(query)}'`,
    ]),
    '',
    `Records are flat; nested ones: ${program} account set ${DEMO_ACCOUNT} responseShape=nested`,
    'The interface is described at /openapi.json and in docs/api.md.',
  ]
}
