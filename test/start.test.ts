/** The first run: `platbook start` makes everything and prints a line to type for each endpoint. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from './ledger/running-service.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-start-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

type Started = { printed: string; reported: string; stop(): Promise<number | null> }

/**
 * Starts the service like `npm start`, on a free port, and resolves when it has printed everything.
 */
async function start(): Promise<Started> {
  const words = ['src/cli/main.ts', 'start', '--port', '0', '--workers', '1', '--data', data]
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const started = { printed: '', reported: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    started.reported += text
  })
  child.stdout.setEncoding('utf8')
  const ended = once(child, 'exit').then(() => {
    throw new Error(`it ended: ${started.reported}`)
  })
  ended.catch(() => undefined)
  while (!started.printed.includes('Ctrl-C')) {
    const [text] = (await Promise.race([once(child.stdout, 'data'), ended])) as [string]
    started.printed += text
  }
  return {
    ...started,
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
      return child.exitCode
    },
  }
}

/** Returns address and key of a `curl` line. */
function readCurl(line: string): { url: string; key: string } {
  const [, key, url] = /^curl -H 'Authorization: (\S+)' '(http:\S+)'$/.exec(line) ?? []
  assert.ok(key !== undefined && url !== undefined, line)
  return { url, key }
}

test('it prints a curl line per endpoint, each answers 200; a restart is the same', async () => {
  const first = await start()
  const lines = first.printed.split('\n').filter((line) => line.startsWith('curl '))
  const paths = lines.map((line) => new URL(readCurl(line).url).pathname)
  assert.deepEqual(paths.slice(0, 4).sort(), [
    '/public/premium/owner/',
    '/public/property/address/',
    '/public/property/parcelId/',
    '/public/property/search/',
  ])
  for (const line of lines) {
    const { url, key } = readCurl(line)
    const response = await fetch(url, { headers: { authorization: key } })
    assert.equal(response.status, 200, line)
    const body = (await response.json()) as { property?: object; properties?: object[] }
    assert.ok(body.property ?? body.properties?.[0], line)
  }
  assert.match(first.reported, /sample/)
  await checkTwoRolls(readCurl(String(lines[0])))
  assert.equal(await first.stop(), 0)

  const second = await start()
  assert.doesNotMatch(second.reported, /sample/)
  const keys = [first, second].map(({ printed }) => /pbk_\w+/.exec(printed)?.[0])
  assert.equal(keys[1], keys[0])
  assert.equal(await second.stop(), 0)
})

/** One county has the roll of the year before, and the present one is the newest. */
async function checkTwoRolls({ url, key }: ReturnType<typeof readCurl>): Promise<void> {
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, url), { headers: { authorization: key } })
    return (await response.json()) as { properties: { propertyId: string }[]; versions: object[] }
  }
  const { properties } = await ask('/public/property/search/?state=WI&county=DANE&limit=1')
  const id = encodeURIComponent(String(properties[0]?.propertyId))
  const { versions } = await ask(`/public/property/history/?propertyId=${id}`)
  assert.deepEqual(
    (versions as { rollYear: number }[]).map(({ rollYear }) => rollYear),
    [2025, 2024],
  )
}

test('with --json standard output has one value, standard error the rest', async () => {
  const words = ['src/cli/main.ts', 'start', '--port', '0', '--workers', '1', '--data', data]
  const child = spawn(process.execPath, [...words, '--no-console', '--json'], { cwd: ROOT })
  children.push(child)
  let [printed, reported] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8')
  while (!reported.includes('Ctrl-C')) {
    const [text] = (await once(child.stderr, 'data', { signal: AbortSignal.timeout(60_000) })) as [
      string,
    ]
    reported += text
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  assert.match(JSON.parse(printed).address, /^http:/)
  assert.match(reported, /^curl /m)
})
