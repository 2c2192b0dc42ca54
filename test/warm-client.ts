/**
 * Hands a command line to the process of `warm-program.ts`. Run by `node`, it takes the place of
 * `src/cli/main.ts`: its own words, folder, environment and input are those of the command.
 */
import { connect } from 'node:net'
import type { Readable } from 'node:stream'

export type Printed = (name: 'stdout' | 'stderr', text: Buffer) => void

/**
 * Runs a command line and resolves with its code; `1` where the program ended. `env`: more than
 * this process has.
 */
export function runWarm(
  words: string[],
  print: Printed,
  { input, env: more }: { input?: Readable; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const { PLATBOOK_TEST_PROGRAM: path = '', ...env } = { ...process.env, ...more }
  const socket = connect(path)
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

if (import.meta.main) {
  const print: Printed = (name, text) => process[name].write(text)
  process.exitCode = await runWarm(process.argv.slice(2), print, { input: process.stdin })
  process.stdin.destroy()
}
