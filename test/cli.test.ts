/** Errors that an operator can cause are one sentence, tested through the program itself. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { CommandError, refuse } from '../src/base/errors.ts'
import { loadCommandsOf } from '../src/cli/commands.ts'
import { explainFiles, explainRefusal } from '../src/cli/explain-errors.ts'
import { loadMapping } from '../src/import/mapping/mapping.ts'
import { loadCommands } from './command.ts'
import { until } from './until.ts'
import { runWarm } from './warm-client.ts'
import { shareProgram } from './warm-program.ts'

const MAIN = new URL('../src/cli/main.ts', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'platbook-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const program = await shareProgram()
after(() => program.release())

type Run = { status: number | null; stdout: string; stderr: string }

const env = { PLATBOOK_DATA: join(folder, 'never-made') }

/** Runs a command line in the program that runs. */
async function platbook(words: string[]): Promise<Run> {
  const run: Run = { status: 0, stdout: '', stderr: '' }
  const print = (name: 'stdout' | 'stderr', text: Buffer) => {
    run[name] += text
  }
  run.status = await runWarm(words, print, { env })
  return run
}

/** Runs a command line in a process of its own. */
const spawned = (...words: string[]): Run =>
  spawnSync(process.execPath, [MAIN, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

/** One sentence on standard error, without a stack. */
function assertSentence(run: Run, says: RegExp): void {
  assert.match(run.stderr, says)
  assert.match(run.stderr, /^platbook: .+\n$/)
  assert.doesNotMatch(run.stderr, /\n\s+at /)
  assert.equal(run.status, 1)
}

test('--version tells the version of the program and of the runtime', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const run = spawned('--version')
  assert.equal(run.stdout, `platbook ${version}, Node ${process.versions.node}\n`)
  assert.equal(run.status, 0)
  for (const words of [
    ['--version', '--json'],
    ['--json', '--version'],
    ['version', '--json'],
  ]) {
    const { stdout, status } = await platbook(words)
    assert.deepEqual([JSON.parse(stdout), status], [{ version, node: process.versions.node }, 0])
  }
  assert.match((await platbook(['help', 'version'])).stdout, /^platbook --version \[--json\]\n/)
})

test('each command is found by the first word of its name', async () => {
  for (const { name } of await loadCommands()) {
    const [word = ''] = name.split(' ')
    assert.ok(
      (await loadCommandsOf(word)).some((command) => command.name === name),
      name,
    )
  }
})

describe('a data folder that cannot be one', () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'no folder', { mode: 0o600 })
  const commands = [
    ...['coverage', 'serve --port 0', 'account list', 'account create X', 'ledger verify', 'check'],
    ...['import list', 'usage', 'sample --parcels 200', 'start --port 0'],
    `import ${file} --mapping platbook`,
  ]
  for (const command of commands) {
    test(`platbook ${command.replace(folder, '…')}: a file`, async () => {
      assertSentence(
        await platbook([...command.split(' '), '--data', file]),
        /is a file|there is no data in|is not in a folder/,
      )
    })
  }

  test('a part of the path that is a file', () => {
    assertSentence(spawned('serve', '--port', '0', '--data', join(file, 'data')), /file/)
  })
})

for (const command of ['sources add', 'sources import-openaddresses', 'import x.csv --mapping']) {
  test(`platbook ${command} names a folder that it cannot read`, async () => {
    assertSentence(await platbook([...command.split(' '), tmpdir()]), /: \/\S+ is a folder$/m)
  })
}

describe('a data folder that does not exist', () => {
  const typo = join(folder, 'typo')
  const commands = [
    ...['coverage', 'ledger verify', 'ledger show acc_1', 'account list', 'account show acc_1'],
    ...['key list acc_1', 'usage', 'check', 'import list', 'backup /nowhere', 'billing events'],
    ...['operator list', 'mcp', 'plan show pro', 'billing show acc_1'],
    ...['billing reconcile', 'billing sync', 'billing link acc_1 cus_1'],
    // These change existing data, and there is none.
    ...['account set acc_1 suspended=true', 'key create acc_1', 'key revoke key_1'],
    ...['key rotate key_1', 'ledger credit acc_1 1 --reason x', 'ledger accept --reason x'],
    ...['secret rotate', 'secret prune', 'plan set pro overageCap=1', 'operator disable ann'],
  ]
  for (const command of commands) {
    test(`platbook ${command} fails, and makes none`, async () => {
      assertSentence(
        await platbook([...command.split(' '), '--data', typo]),
        /the data folder \S+ does not exist|there is no data in/,
      )
      assert.equal(existsSync(typo), false)
    })
  }
})

describe('a line that no command can mean exactly', () => {
  const lines: [string[], RegExp][] = [
    [['account', 'destroy'], /no command account destroy; account needs a second word: account c/],
    [['key', '--json'], /^platbook: key needs a second word: key create/],
    [['standardize', 'colour'], /one of address, owner, county; not colour/],
    [['explain', 'colour', 'red'], /address or owner.+ not colour red/],
    [['audit', 'who-saw', 'nope'], /"nope" is not a propertyId such as 5/],
    [['audit', 'who-saw', '00000-1'], /"00000-1" is not a propertyId/],
    [['suppress', 'add', '--property', '55025-', '--basis', 'x'], /"55025-" is not a propertyId/],
    [['coverage', '--data', 'a', '--data', 'b'], /--data is given twice/],
    [['import', 'a.csv', '--mapping', 'platbook', '--mapping', 'ny-pluto'], /--mapping is given/],
    [
      ['sample', '--parcels', '-1'],
      /--parcels has no value; one that .* written --parcels=-1; see/,
    ],
    [['coverage', '--data', ''], /--data is empty/],
    [['coverage', '--database='], /--database is empty/],
    [['coverage', 'ne'], /unexpected argument "ne"; usage: platbook coverage$/],
    [['serve', '9000'], /unexpected argument "9000"; usage: platbook serve/],
    [['start', '9000'], /unexpected argument "9000"; usage: platbook start/],
    [['export', '--sate', 'WI'], /Unknown option '--sate'; did you mean --state\?/],
    [['mcp', 'x'], /unexpected argument "x"/],
    [['serve', '--host', ''], /--host is empty/],
    [['export', '--state', 'NE', '--format', 'csv', '--out', '-'], /--out - is not a file/],
    [['enrich', 'a.csv', '--out', '-'], /--out - is not a file/],
    [['inspect', 'a.csv', '--out', '-'], /--out - is not a file/],
    [
      ['suppress', 'add', '--owner', 'ROE', '--basis', 'law', '--until', '2026-02-30'],
      /--until: "\S+" is not a day/,
    ],
  ]
  for (const [words, says] of lines) {
    test(`platbook ${words.join(' ')} is wrong use`, async () => {
      const run = await platbook(words)
      assert.match(run.stderr.trimEnd(), says)
      assert.equal(run.stdout, '')
      assert.equal(run.status, 2)
    })
  }
})

test('help of a first word lists all of its commands, with an example each', async () => {
  for (const words of [
    ['help', 'key'],
    ['key', '--help'],
  ]) {
    const run = await platbook(words)
    assert.equal(run.status, 0, run.stderr)
    for (const name of ['create', 'list', 'revoke', 'rotate']) {
      assert.match(run.stdout, new RegExp(`^platbook key ${name} `, 'm'))
    }
    assert.equal(run.stdout.match(/^Example:$/gm)?.length, 4)
  }
  assert.equal((await platbook(['help', 'key', 'nosuch'])).status, 2)
  const sources = (await platbook(['help', 'sources'])).stdout
  assert.match(sources, /^Also: platbook sources add, sources stop, sources remove, /m)
})

test('reading commands make no file in a folder that holds no data', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  assert.equal((await platbook(['coverage', '--data', empty])).status, 0)
  for (const name of ['account', 'operator']) {
    assert.equal((await platbook([name, 'list', '--data', empty])).status, 0)
  }
  assertSentence(await platbook(['ledger', 'verify', '--data', empty]), /there is no ledger in/)
  const nowhere = join(folder, 'nowhere')
  for (const command of ['price', 'plan']) {
    assertSentence(await platbook([command, 'list', '--data', nowhere]), /nowhere does not exist/)
  }
  assert.equal(existsSync(nowhere), false)
  assert.equal(existsSync(join(empty, 'accounts.db')), false)
  assert.equal(existsSync(join(empty, 'secret')), false)
  assert.equal(existsSync(join(empty, 'console.db')), false)
})

test('operator create makes the data folder, as account create does', async () => {
  const data = join(folder, 'first-operator')
  const made = await platbook(['operator', 'create', 'ann', '--role', 'admin', '--data', data])
  assert.equal(made.status, 0, made.stderr)
  assert.match((await platbook(['operator', 'list', '--data', data])).stdout, /^ann +admin /m)
})

test('what cannot be written to standard output is one sentence, and fails', () => {
  const full = openSync('/dev/full', 'w')
  after(() => closeSync(full))
  for (const words of [['help'], ['mappings', '--json'], ['key', 'create', '--help']]) {
    const run = spawnSync(process.execPath, [MAIN, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    assertSentence(run, /standard output cannot be written: ENOSPC/)
  }
})

test('a file never replaces a device or a pipe', async () => {
  const [pipe, roll] = [join(folder, 'pipe'), join(folder, 'few.csv')]
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  assert.equal((await platbook(['sample', '--parcels', '20', '--out', roll])).status, 0)
  for (const words of [
    ['sample', '--parcels', '20', '--out', pipe],
    ['inspect', roll, '--out', pipe, '--force'],
  ]) {
    assertSentence(await platbook(words), /pipe is a device or a pipe/)
    assert.ok(statSync(pipe).isFIFO())
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('pipe')),
    ['pipe'],
  )
})

test('no backup is made without the accounts that were there', async () => {
  const [data, copy] = [join(folder, 'emptied'), join(folder, 'emptied-copy')]
  const own = ['--data', data]
  assert.equal((await platbook(['account', 'create', 'X', ...own])).status, 0)
  const path = join(data, 'accounts.db')
  for (const name of ['accounts.db-wal', 'accounts.db-shm'])
    rmSync(join(data, name), { force: true })
  writeFileSync(path, '')
  const { stdout, status } = await platbook(['check', ...own])
  assert.deepEqual([status, /a first import or start that was killed/.test(stdout)], [1, true])
  // The first run finds an empty file, the second the tables that `account list` made in it.
  for (const words of [
    ['backup', copy],
    ['account', 'list'],
    ['backup', copy],
  ]) {
    assertSentence(await platbook([...words, ...own]), /holds no (account|data)/)
  }
  for (const name of ['', '-wal', '-shm']) rmSync(`${path}${name}`, { force: true })
  writeFileSync(join(data, 'parcels.db'), '')
  assertSentence(await platbook(['backup', copy, ...own]), /is missing, but accounts.heads says/)
  assert.equal(existsSync(copy), false)
})

test('coverage needs no server secret, and a service that cannot read it says so', async () => {
  const data = join(folder, 'secretive')
  assert.equal((await platbook(['sample', '--parcels', '200', '--data', data])).status, 0)
  // A folder in its place is unreadable for every user, root too.
  rmSync(join(data, 'secret'), { force: true })
  mkdirSync(join(data, 'secret'), { mode: 0o700 })
  const coverage = await platbook(['coverage', '--json', '--data', data])
  assert.equal(coverage.status, 0, coverage.stderr)
  assert.ok(JSON.parse(coverage.stdout).counties.length > 0)
  assertSentence(
    spawned('serve', '--port', '0', '--data', data),
    /secret holds the server secret and cannot be read/,
  )
})

test('an address that is given as a folder makes none, and is not shown', () => {
  const address = 'POSTGRES://u:hidden@127.0.0.1:1/x'
  for (const words of [
    ['copy', '--from', folder, '--to', address],
    ['copy', '--to', folder, '--from', 'host=127.0.0.1 password=hidden'],
    ['backup', address, '--data', folder],
    ['restore', address, '--data', folder],
    ['coverage', '--data', address],
  ]) {
    const { status, stdout, stderr } = spawned(...words)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^platbook: [-\w]+: a folder is wanted, and this looks like an address\n$/)
  }
})

test('errors of the file system become a sentence that names the file; others stay', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    syscall: 'mkdir',
    path: '/srv/data',
  })
  const refusal = explainFiles(denied)
  assert.ok(refusal instanceof CommandError)
  assert.equal(refusal.message, '/srv/data may not be used by this user')
  for (const full of [{ errcode: 13 }, { errcode: 4874 }, { code: 'ENOSPC', syscall: 'write' }]) {
    const said = explainFiles(Object.assign(new Error('full'), full))
    assert.match((said as Error).message, /^the disk is full: make room/)
  }
  const defect = new TypeError('x is not a function')
  assert.equal(explainFiles(defect), defect)
})

const isRoot = process.getuid?.() === 0
test('an error names a file relative to the data folder, unless a word does', async () => {
  const data = join(folder, 'damaged')
  mkdirSync(data)
  writeFileSync(join(data, 'parcels.db'), 'no database')
  const asked = [
    ['coverage', '--data', data],
    ['coverage', `--data=${data}/`],
  ]
  for (const words of asked) {
    assert.equal((await platbook(words)).stderr, 'platbook: parcels.db is not an SQLite database\n')
  }
  const roll = join(data, 'none.csv')
  const run = await platbook(['import', roll, '--mapping', 'platbook', '--data', data])
  assert.equal(run.stderr, `platbook: ${roll} does not exist\n`)
})

test('a folder without write permission is an error', {
  skip: isRoot && 'root may write anywhere',
}, async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o500)
  assertSentence(
    await platbook(['sample', '--parcels', '200', '--data', join(closed, 'x')]),
    /cannot be made/,
  )
})

test('mappings NAME shows that mapping', async () => {
  const shown = await platbook(['mappings', 'ne-lancaster'])
  assert.match(shown.stdout, /"title": "Lancaster County, Nebraska/)
  const json = await platbook(['mappings', 'ne-lancaster', '--json'])
  assert.deepEqual(JSON.parse(json.stdout), loadMapping('ne-lancaster'))
  const unknown = await platbook(['mappings', 'ne-lancastre'])
  assert.match(unknown.stderr, /^platbook: .*ne-lancaster/)
  assert.equal(unknown.status, 2)
})

test('a service that npm started ends when its shell is ended', async () => {
  const data = join(folder, 'served')
  // The shell of `npm run` is between npm and the program, and forwards no signal.
  const line = `"${process.execPath}" "${MAIN}" serve --port 0 --workers 1 --data "${data}"; true`
  const env = { ...process.env, npm_lifecycle_event: 'platbook' }
  const shell = spawn('/bin/sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve) => {
    let text = ''
    shell.stdout.on('data', (piece) => {
      text += piece
      const found = /http:\S+/.exec(text)
      if (found !== null) resolve(found[0])
    })
  })
  assert.equal((await fetch(`${address}/healthz`)).status, 200)
  const ended = new Promise((resolve) => shell.stdout.on('close', resolve))
  shell.kill('SIGTERM')
  // The pipe closes when the last process that holds it has ended.
  await ended
  await assert.rejects(fetch(`${address}/healthz`))
})

test('a stopped import reports what is stored, and changes nothing', async () => {
  const data = join(folder, 'stopped')
  const roll = join(folder, 'roll.csv')
  const rows = Array.from(
    { length: 200_000 },
    (_, at) => `NE,Lancaster,${at},ROE JANE,${at} OAK ST`,
  )
  writeFileSync(roll, `state,county,parcelId,ownerName1,address\n${rows.join('\n')}\n`)
  const words = [MAIN, 'import', roll, '--mapping', 'platbook', '--data', data]
  const run = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  run.stderr.on('data', (piece) => {
    text += piece
  })
  await until(() => run.exitCode !== null || existsSync(join(data, 'staging', 'roll.db')), 10)
  assert.equal(run.exitCode, null)
  const ended = new Promise<number | null>((resolve) => run.on('close', resolve))
  run.kill('SIGINT')
  assert.equal(await ended, 1)
  assert.match(text, /stopped: nothing was loaded, and the previous roll is still served/)
  const { stdout } = await platbook(['coverage', '--json', '--data', data])
  assert.deepEqual(JSON.parse(stdout), { counties: [] })
})

test('an unreachable store is an error with the server’s message, on one line', () => {
  const lost = new Error(
    'connection to the remote node failed: Connection refused\n\tIs it running?',
  )
  const refusal = explainRefusal(refuse.unavailable('Service temporarily unavailable', lost))
  assert.ok(refusal instanceof CommandError)
  assert.equal(
    refusal.message,
    'Service temporarily unavailable: connection to the remote node failed: Connection refused',
  )
  const defect = new TypeError('a defect keeps its stack')
  assert.equal(explainRefusal(defect), defect)
})
