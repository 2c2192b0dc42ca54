/**
 * Runs the commands of pages as printed, on a machine where the README's two commands have been
 * run: every block marked `sh`, page by page, line by line. A block marked `text` needs something
 * that such a machine does not have.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { shareFirstRun } from './first-run.ts'
import { shareProgram, WARM_CLIENT } from './warm-program.ts'

const ROOT = new URL('..', import.meta.url).pathname
/** In the order in which they are run: the import page removes what others ask. */
const PAGES = [
  'README.md',
  'docs/accounts.md',
  'docs/mappings.md',
  'docs/operations.md',
  'docs/explain.md',
  'docs/import.md',
]
/** The README's two commands: the first is run in its own way, the second is this. */
const FIRST = new Set(['npm ci && npm start', 'npm ci && npm test'])

/** The first run makes the whole sample, on a machine that may run much else. */
const PATIENT_MS = 900_000
const folder = mkdtempSync(join(tmpdir(), 'platbook-pages-'))
const program = await shareProgram()
let service: ChildProcess
let address = ''
let key = ''

async function startOnce(): Promise<void> {
  for (const name of readdirSync(ROOT)) {
    if (!name.startsWith('.') && name !== 'data') symlinkSync(join(ROOT, name), join(folder, name))
  }
  const { thing: first, release } = await shareFirstRun()
  cpSync(first.data, join(folder, 'data'), { recursive: true })
  await release()
  const words = ['src/cli/main.ts', 'start', '--no-console', '--port', '0', '--workers', '1']
  service = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    service.on('exit', () => reject(new Error(`the service ended:\n${text}`)))
    service.stdout?.on('data', (piece) => {
      text += piece
      key = /pbk_[0-9A-Za-z_]+/.exec(text)?.[0] ?? ''
      address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ''
      if (key !== '' && address !== '' && /curl/.test(text)) resolve()
    })
  })
}
before(startOnce, { timeout: PATIENT_MS })

after(async () => {
  await program.release()
  service.removeAllListeners('exit')
  service.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

for (const page of PAGES) {
  test(`${page}: every command runs as printed`, () => {
    const commands = commandsOf(page).filter((fence) => !FIRST.has(fence.trim()))
    assert.ok(commands.length > 0, 'the page has commands')
    const ran = spawnSync(
      'bash',
      ['-euo', 'pipefail', '-c', [asServed(), withoutNpm(page), ...commands].join('\n')],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PLATBOOK_API_KEY: key, PLATBOOK_DATA: join(folder, 'data') },
      },
    )
    assert.equal(ran.status, 0, `${ran.stdout.slice(-1500)}\n${ran.stderr.slice(-1500)}`)
  })
}

describe('fences and scripts', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...list('docs'), ...list('docs/decisions')]

  test('a page with commands to run is run here', () => {
    const others = pages.filter((page) => fencesOf(page, 'sh').length > 0 && !PAGES.includes(page))
    assert.deepEqual(others, [])
  })

  test('no page fetches a package of this project, because none is published', () => {
    for (const page of [...pages, ...list('docs/quickstarts'), 'client/README.md']) {
      const text = read(page)
      assert.doesNotMatch(text, /npx (?:--?\S+ )*platbook|npm i(?:nstall)? (?:-\S+ )*@?platbook\b/)
    }
  })

  test('every fence is marked, or is output', () => {
    for (const page of pages) {
      for (const fence of fencesOf(page, '')) {
        assert.doesNotMatch(
          fence,
          /^(?:platbook \w.* (?:--|acc_)|npm |curl )/m,
          `${page}: mark it sh or text`,
        )
      }
    }
  })

  test('every script that a page names is one of package.json, and its file is there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const page of pages) {
      for (const [, name = ''] of read(page).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)) {
        assert.ok(scripts[name] !== undefined, `${page} names npm run ${name}`)
        const file = /node (\S+\.ts)/.exec(scripts[name] ?? '')?.[1]
        if (file !== undefined) assert.ok(existsSync(join(ROOT, file)), `${file} of ${name}`)
      }
      assert.doesNotMatch(read(page), /node bench\//, `${page}: npm run bench -- NAME instead`)
    }
  })
})

/**
 * The service has another port here than the one that pages print, and an answer that is no 200
 * fails.
 */
function asServed(): string {
  return `curl() {
  local words=()
  for word in "$@"; do words+=("\${word//http:\\/\\/127.0.0.1:8080/${address}}"); done
  command curl -fsS "\${words[@]}"
}`
}

/**
 * npm takes as long as a short command, and so does a start of the program. Pages after the README
 * ask one that runs.
 */
function withoutNpm(page: string): string {
  // The whole sample takes ten seconds to read.
  if (page === 'README.md')
    return `npm() {
  if [ "\${*:5:1}" = sample ]; then set -- "$@" --parcels 500; fi
  command npm "$@"
}`
  return `npm() {
  if [ "\${*:1:4}" != 'run -s platbook --' ]; then command npm "$@"; return; fi
  shift 4
  "${process.execPath}" "${WARM_CLIENT}" "$@"
}`
}

/** Fences to run, in their order; a whole mapping is what its reader writes into my-county.json. */
function commandsOf(page: string): string[] {
  const fences = [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap(([, language, text = '']) => {
    if (language === 'sh') return [text]
    const isMapping = language === 'json' && text.startsWith('{') && text.includes('"fields"')
    return isMapping ? [`cat > my-county.json <<'END'\n${text}END`] : []
  })
}

function fencesOf(page: string, language: string): string[] {
  const fences = read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...fences].filter(([, own]) => own === language).map(([, , text = '']) => text)
}

function list(path: string): string[] {
  return readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${path}/${name}`)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
