/**
 * Hands a command line to the process of `warm-program.ts`. Run by `node`, it takes the place of
 * `src/cli/main.ts`: its own words, folder, environment and input are those of the command.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

export type Printed = (name: 'stdout' | 'stderr', text: Buffer) => void

/** `env`: more than this process has; `signal` leaves the command alone, which goes on. */
type WarmOptions = { input?: Readable | undefined; env?: NodeJS.ProcessEnv; signal?: AbortSignal }

/** Runs a command line and resolves with its code; `1` where the program ended. */
export function runWarm(
  words: string[],
  print: Printed,
  { input, env: more, signal }: WarmOptions = {},
): Promise<number> {
  const { PLATBOOK_TEST_PROGRAM: path = '', ...env } = { ...process.env, ...more }
  const socket = connect({ path, ...(signal && { signal }) })
  socket.write(`${JSON.stringify({ words, folder: process.cwd(), env })}\n`)
  if (input === undefined) socket.end()
  else input.pipe(socket)
  let received = ''
  let code = 1
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (received + text).split('\n')
    received = lines.pop() ?? ''
    for (const line of lines) {
      const [kind, value] = JSON.parse(line)
      if (kind === 'code') code = value
      else print(kind, Buffer.from(value, 'base64'))
    }
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('close', () => resolve(code))
  })
}

/** Stands for `spawn` in a console, whose jobs would each cost 0.2 s of two processes. */
export function spawnWarm(
  _node: string,
  [, ...words]: string[],
  { env = {}, stdio }: SpawnOptions,
): ChildProcess {
  const killed = new AbortController()
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const stdin = stdio?.[0] === 'pipe' ? new PassThrough() : null
  const child = Object.assign(new EventEmitter(), {
    ...{ stdin, ...streams, exitCode: null as number | null, signalCode: null as string | null },
    kill(signalCode: string) {
      child.signalCode = signalCode
      killed.abort()
      return true
    },
  })
  const print: Printed = (name, text) => streams[name].write(text)
  const end = async (code: number | null) => {
    child.exitCode = code
    child.emit('exit', code, child.signalCode)
    const ends = Object.values(streams).map((stream) => finished(stream.end()))
    await Promise.all(ends)
    child.emit('close', code, child.signalCode)
  }
  const ran = runWarm(words, print, { input: stdin ?? undefined, env, signal: killed.signal })
  void ran.catch(() => null).then(end)
  return child as unknown as ChildProcess
}

if (import.meta.main) {
  const print: Printed = (name, text) => process[name].write(text)
  process.exitCode = await runWarm(process.argv.slice(2), print, { input: process.stdin })
  process.stdin.destroy()
}
