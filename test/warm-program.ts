/**
 * The program for tests that run many command lines: one process, which loads it once and runs them
 * one after the other, where a process for each costs up to a second. `WARM_CLIENT` is run by
 * `node` as `src/cli/main.ts` would be.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { failFiles } from './files/fail-at.ts'
import { BRIEF } from './repetitions.ts'
import { shareable } from './shared.ts'

export const WARM_CLIENT = fileURLToPath(new URL('warm-client.ts', import.meta.url))

/** Starts it for the files of this pool. The client finds it by a variable. */
export const shareProgram = shareable(
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platbook-warm-'))
    const socket = join(folder, 'socket')
    const words = [...BRIEF, fileURLToPath(import.meta.url), socket]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('it did not start')))
    await Promise.race([once(child.stdout, 'data'), ended])
    ended.catch(() => undefined)
    process.env.PLATBOOK_TEST_PROGRAM = socket
    return { child, folder }
  },
  async ({ child, folder }: { child: ChildProcess; folder: string }) => {
    delete process.env.PLATBOOK_TEST_PROGRAM
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  },
)

type Line = { words: string[]; folder: string; env: NodeJS.ProcessEnv }

async function run({ words, folder, env }: Line, input: PassThrough, socket: Socket) {
  const { runCommandLine } = await import('../src/cli/run.ts')
  process.env = env
  process.chdir(folder)
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  const send = (kind: string, value: unknown) => socket.write(`${JSON.stringify([kind, value])}\n`)
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array) =>
      send(name, Buffer.from(text as string).toString('base64'))
  process.exitCode = undefined
  const end = env.FAIL_AT === undefined ? undefined : failFiles(env)
  const code = await runCommandLine(words)
  end?.()
  send('code', process.exitCode ?? code)
  socket.end()
}

/** Each connection is a JSON line, with the input of the command after it. */
function serve(path: string): void {
  let turn: Promise<unknown> = Promise.resolve()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const input = new PassThrough()
    let head = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', function read(piece) {
      head = Buffer.concat([head, piece as Buffer])
      const end = head.indexOf('\n')
      if (end < 0) return
      socket.off('data', read)
      const line = JSON.parse(String(head.subarray(0, end)))
      input.write(head.subarray(end + 1))
      socket.pipe(input)
      turn = turn.then(() => run(line, input, socket))
    })
  })
  const print = process.stdout.write.bind(process.stdout)
  server.listen(path, () => print('ready\n'))
}

if (import.meta.main) serve(process.argv[2] as string)
