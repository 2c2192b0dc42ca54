/** The package as npm publishes it runs in an empty folder. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'platbook-package-'))
const checkout = join(folder, 'checkout')
const empty = join(folder, 'empty')
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
const env = { ...process.env, PATH }
const INSTALL_MS = 120_000
/** For a machine that runs other tests too. */
const START_MS = 150_000
let started: ChildProcess | undefined

after(() => {
  endStarted('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('npm pack, npm install and npx platbook start: it answers with the demo key', async (t) => {
  const tarball = pack()
  const installed = install(tarball)
  if (installed !== 0) return t.skip('the registry cannot be reached')
  const files = readdirSync(join(empty, 'node_modules/platbook'), { recursive: true })
  assert.deepEqual(
    files.filter((name) => /(?<!\.d)\.ts$|\.test\.js$|^test|^bench/.test(String(name))),
    [],
  )
  const { address, key } = await start()
  const answer = await fetch(`${address}/public/property/search/?state=WI&cursor=&limit=1`, {
    headers: { authorization: key },
  })
  assert.equal(answer.status, 200)
  const { properties } = (await answer.json()) as { properties: unknown[] }
  assert.equal(properties.length, 1)
  assert.ok(started !== undefined && started.exitCode === null && started.signalCode === null)
  const ended = once(started, 'exit')
  endStarted('SIGTERM')
  await ended
})

test('runtime dependencies are those that the program imports or serves', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  // The console serves some packages' files by their path, as in `'uplot.css': 'uplot/dist/…'`.
  const SERVED = "^ {2}'[\\w-]+\\.(?:mjs|css|json)': "
  const NAMED = new RegExp(
    `(?:from |import\\(|${SERVED})'((?:@[\\w-]+\\/)?[a-z][\\w-]*)(?:\\/[^']*)?'`,
    'gm',
  )
  const imported = sources.flatMap((text) => [...text.matchAll(NAMED)].map(([, name]) => name))
  assert.deepEqual([...new Set(imported)].sort(), Object.keys(dependencies).sort())
})

/** Packs a copy of the checkout, so that other tests can use its `dist/` meanwhile. */
function pack(): string {
  mkdirSync(checkout)
  for (const name of [
    'src',
    'scripts',
    'mappings',
    'sources',
    'tables',
    'docs',
    'package.json',
    'README.md',
    'LICENSE',
  ]) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const words = ['pack', '--json', '--pack-destination', folder]
  const said = execFileSync('npm', words, { cwd: checkout, env, encoding: 'utf8' })
  const name = /[\w.-]+\.tgz/.exec(said)?.[0]
  assert.ok(name)
  return join(folder, name)
}

function install(tarball: string): number | null {
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{}')
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball]
  return spawnSync('npm', words, { cwd: empty, env, timeout: INSTALL_MS }).status
}

/** The address and the demo key that `start` prints. */
/** Sends a signal to the service as well as to npx, which may have ended before it. */
function endStarted(signal: 'SIGTERM' | 'SIGKILL'): void {
  if (started?.pid === undefined) return
  try {
    process.kill(-started.pid, signal)
  } catch {
    // All of them have ended.
  }
}

async function start(): Promise<{ address: string; key: string }> {
  const words = [
    'platbook',
    'start',
    '--port',
    '0',
    '--workers',
    '1',
    '--data',
    join(empty, 'data'),
  ]
  const child = spawn('npx', ['--no-install', ...words], {
    cwd: empty,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started = child
  const giveUp = setTimeout(() => endStarted('SIGKILL'), START_MS)
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    const key = /pbk_\w+/.exec(said)?.[0]
    if (address !== undefined && key !== undefined) {
      clearTimeout(giveUp)
      return { address, key }
    }
  }
  throw new Error(`it ended: ${said}`)
}
