/**
 * The ledger's guarantees as checks that run against any copy of the program: this one, or one with
 * a planted bug.
 */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { createLedgerStore } from '../../src/store/sqlite/ledger.ts'
import { askBothWorkers } from '../processes/ask.ts'
import { makeCustomer } from '../processes/operator.ts'
import { until } from '../until.ts'
import { answersBefore, buildImage, type Fate, readTrace, straceWords } from './disk-trace.ts'
import { ask, ROOT, type RunningService, startLoad, startRunning } from './running-service.ts'

export const QUERY = 'state=TX&lastName=SMITH&limit=1'

/**
 * With N tokens left and many requests at once on several processes: exactly N answers and N rows.
 *
 * The ledger process is stopped until the first of them wait for it, so that they are in one group.
 */
export async function checkCap(service: RunningService, data: string): Promise<void> {
  const tokens = 25
  const { account, key } = await makeCustomer(data, `includedTokens=${tokens}`)
  const url = `${service.address}/public/premium/owner/?${QUERY}`
  const agent = new Agent({ keepAlive: true, maxSockets: 60 })
  const answered = new Set<string>()
  const [ledger] = service.pids('ledger') as [number]
  process.kill(ledger, 'SIGSTOP')
  const asked = Array.from({ length: 240 }, () => ask(url, key, agent, answered))
  // When both workers have answered a later request, they have read the earlier ones.
  for (let turn = 0; turn < 2; turn += 1) await askBothWorkers(service.address, '/healthz')
  process.kill(ledger, 'SIGCONT')
  const statuses = await Promise.all(asked)
  agent.destroy()
  assert.equal(answered.size, tokens, 'answers')
  assert.equal(statuses.filter((status) => status === '403').length, 240 - tokens)
  assert.equal(readRequestIds(join(data, 'accounts.db'), account).length, tokens, 'charges')
}

/** HEAD, refused requests and those that find nothing write no row. */
export async function checkFree(service: RunningService, data: string): Promise<void> {
  const { account, key } = await makeCustomer(data)
  const path = `${service.address}/public/premium/owner/`
  const statuses: number[] = []
  for (const [method, query] of [
    ['HEAD', QUERY],
    ['POST', QUERY],
    ['GET', 'lastName=SMITH'],
    ['GET', 'state=TX&lastName=NOSUCHNAMEATALL'],
    ['GET', 'state=TX&lastName=SMITH&county=NOSUCHCOUNTY'],
  ] as const) {
    statuses.push(await statusOf(method, `${path}?${query}`, key))
  }
  assert.deepEqual(statuses, [405, 405, 400, 404, 404])
  assert.deepEqual(readRequestIds(join(data, 'accounts.db'), account), [])
}

/** Starts a program with two workers, runs checks against it one after the other, and ends it. */
export async function checkRunning(
  root: string,
  data: string,
  ...checks: ((service: RunningService, data: string) => Promise<void>)[]
): Promise<void> {
  const service = await startRunning({ root, data, workers: 2 })
  try {
    for (const check of checks) await check(service, data)
  } finally {
    await service.stop()
  }
}

/**
 * Records a service under load until it has given a number of answers, and opens `imageCount`
 * images of the disk that a power loss could have left. In each, every 200 sent by then has its
 * row, and the chain is intact.
 */
export async function checkPowerLoss(
  root: string,
  data: string,
  imageCount: number,
  answers = 400,
): Promise<void> {
  const { key } = await makeCustomer(data)
  const names = ['accounts.db', 'accounts.db-wal']
  const start = new Map(
    names
      .filter((name) => existsSync(join(data, name)))
      .map((name) => [name, readFileSync(join(data, name))]),
  )
  const folder = mkdtempSync(join(data, 'power-'))
  const log = join(folder, 'trace')
  // Images are opened by the hundred: where a sync costs nothing, if there is such a place.
  const images = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : folder, 'platbook-image-'))
  const service = await startRunning({ root, data, workers: 1, wrapper: straceWords(log) })
  const load = startLoad(() => service.address, key, 3)
  await until(() => load.answered.size >= answers)
  await load.stop()
  await service.killAll()

  const operations = readTrace(
    log,
    names.map((name) => `/${name}`),
  ).map((operation) =>
    'file' in operation ? { ...operation, file: operation.file.slice(1) } : operation,
  )
  const first = operations.findIndex(({ kind }) => kind === 'answer')
  assert.ok(answersBefore(operations, operations.length).size >= answers, 'answers are recorded')
  assert.ok(
    operations.some(({ kind }) => kind === 'sync'),
    'syncs are recorded',
  )
  for (let image = 0; image < imageCount; image += 1) {
    const count = first + 1 + Math.floor(Math.random() * (operations.length - first))
    const files = buildImage(start, operations, count, FATES[image % FATES.length] as () => Fate)
    for (const name of [...names, 'accounts.db-shm']) rmSync(join(images, name), { force: true })
    for (const [name, bytes] of files) writeFileSync(join(images, name), bytes)
    const delivered = answersBefore(operations, count)
    const { written, bad } = await readImage(join(images, 'accounts.db'))
    const lost = delivered.difference(written)
    assert.equal(lost.size, 0, `${lost.size} of ${delivered.size} answers lost their charge`)
    assert.equal(bad, undefined, 'the chain is whole')
  }
  rmSync(images, { recursive: true })
  rmSync(folder, { recursive: true })
}

/** Every other image loses all that it may; the others are mixed. */
const FATES: (() => Fate)[] = [
  () => 'lost',
  () => (['kept', 'lost', 'torn'] as const)[Math.floor(Math.random() * 3)] as Fate,
  () => 'lost',
  () => (Math.random() < 0.9 ? 'kept' : 'torn'),
]

/** One change of the program's text: `from` occurs in the file exactly once. */
export type Change = { file: string; from: string; to: string }

/** A copy of the program with a planted bug, in a new folder. */
export function plantBug(folder: string, changes: readonly Change[]): string {
  mkdirSync(folder)
  for (const name of ['src', 'mappings', 'sources', 'tables']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, from, to } of changes) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    assert.equal(text.split(from).length, 2, `${file} holds exactly one: ${from}`)
    writeFileSync(path, text.replace(from, to))
  }
  return folder
}

export function readRequestIds(path: string, account?: string): string[] {
  const db = openDatabase(path, { kind: 'accounts', synchronous: 'FULL' })
  const rows =
    account === undefined
      ? db.prepare('SELECT request_id FROM ledger').all()
      : db.prepare('SELECT request_id FROM ledger WHERE account_id = ?').all(account)
  db.close()
  return rows.map((row) => String(row.request_id))
}

/** Opens the files like a start after the power loss: SQLite recovers the contents of the log. */
async function readImage(path: string) {
  const db = openDatabase(path, { kind: 'accounts', synchronous: 'FULL' })
  const rows = db.prepare('SELECT request_id FROM ledger').all()
  const { bad } = await verifyLedger(createLedgerStore(db))
  db.close()
  return { written: new Set(rows.map((row) => String(row.request_id))), bad }
}

function statusOf(method: string, url: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { authorization: key } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asking.on('error', reject)
    asking.end()
  })
}
