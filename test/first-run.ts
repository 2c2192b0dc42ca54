/** What the first `platbook start` leaves; making its sample costs more than any test of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './ledger/running-service.ts'
import { shareable } from './shared.ts'

export type Started = {
  printed: string
  reported: string
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>
}

const SMALL_SAMPLE = fileURLToPath(new URL('small-sample.ts', import.meta.url))

const children: ChildProcess[] = []

/** For `after`: ends the services of failed tests too. */
export function endStarted(): void {
  for (const child of children) child.kill('SIGKILL')
}

/**
 * Starts the service like `npm start`, on a free port, and resolves when it has printed everything.
 */
export async function start(data: string): Promise<Started> {
  const words = ['src/cli/main.ts', 'start', '--port', '0', '--workers', '1', '--data', data]
  const { NODE_OPTIONS: given = '' } = process.env
  const env = { ...process.env, NODE_OPTIONS: `${given} --import ${SMALL_SAMPLE}`.trim() }
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const started = { printed: '', reported: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    started.reported += text
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`it ended: ${started.reported}`)
  })
  ended.catch(() => undefined)
  // Several pieces may come in one turn.
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      started.printed += text
      if (started.printed.includes('Ctrl-C')) resolve()
    })
  })
  await Promise.race([ready, ended])
  return {
    ...started,
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
      return child.exitCode
    },
  }
}

export type FirstRun = {
  data: string
  printed: string
  reported: string
  /** What the address answered that each printed line asks. */
  answers: { line: string; status: number; body: Record<string, object[]> }[]
  exitCode: number | null
}

/** Address and key of a `curl` line. */
export function readCurl(line: string): { url: string; key: string } {
  const [, key, url] = /^curl -H 'Authorization: (\S+)' '(http:\S+)'$/.exec(line) ?? []
  if (key === undefined || url === undefined) throw new Error(line)
  return { url, key }
}

async function runFirst(): Promise<FirstRun> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-start-'))
  const { printed, reported, stop } = await start(data)
  const lines = printed.split('\n').filter((line) => line.startsWith('curl '))
  const answers: FirstRun['answers'] = []
  for (const line of lines) {
    const { url, key } = readCurl(line)
    const response = await fetch(url, { headers: { authorization: key } })
    answers.push({ line, status: response.status, body: (await response.json()) as never })
  }
  return { data, printed, reported, answers, exitCode: await stop() }
}

/** The folder of the first run of this pool, which has stopped: for copies, and to start again. */
export const shareFirstRun = shareable(runFirst, async ({ data }) =>
  rmSync(data, { recursive: true, force: true }),
)
