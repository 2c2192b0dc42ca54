/**
 * A disk that fills up at each write of a charge in turn: a small file system of its own, filled
 * from outside.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { createLedgerStore } from '../../src/store/sqlite/ledger.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { QUERY, readRequestIds } from './promises.ts'
import { ask, endAll, startRunning } from './running-service.ts'

/**
 * One charge writes some six pages to the log: each of them is the first for which there is no
 * room.
 */
const FREE_PAGES_MAX = 12
const ASKED_MAX = 20

const base = mkdtempSync(join(tmpdir(), 'platbook-full-'))
after(endAll)
after(() => rmSync(base, { recursive: true }))
const small = join(base, 'small')
const seed = join(base, 'seed')
mkdirSync(small)

const MOUNT = 'mount -t tmpfs -o size=48m none "$0"'
const mayMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-Urm', 'sh', '-c', MOUNT, small]).status === 0

test('a disk that is full at any write: 503 and no answer, then normal again with no restart', {
  skip: !mayMount && 'this user may not mount a file system of its own',
}, async () => {
  await operate(seed, 'sample', '--parcels', '300')
  const { account, key } = await makeCustomer(seed)
  const copy = `${MOUNT} && cp -r "$1/." "$0/" && shift && exec "$@"`
  const wrapper = ['unshare', '-Urm', 'sh', '-c', copy, small, seed]
  const service = await startRunning({ data: small, workers: 1, wrapper })
  const [pid] = service.pids('ledger')
  const inside = join(`/proc/${pid}/root`, small)
  const url = `${service.address}/public/premium/owner/?${QUERY}`
  const answered = new Set<string>()
  const next = () => ask(url, key, undefined, answered)

  assert.equal(await next(), '200')
  for (let free = 0; free <= FREE_PAGES_MAX; free += 1) {
    fill(inside, free)
    const statuses: string[] = []
    do statuses.push(await next())
    while (statuses.at(-1) === '200' && statuses.length < ASKED_MAX)
    assert.equal(statuses.at(-1), '503', `${free} pages free`)
    assert.equal(await next(), '503', 'as long as it is full')
    rmSync(join(inside, 'filler'))
    assert.equal(await next(), '200', 'as soon as there is room')
  }
  assert.deepEqual(service.pids('ledger'), [pid], 'no restart')

  // SQLite itself would follow the path to the folder outside.
  const path = join(base, 'accounts.db')
  for (const end of ['', '-wal']) copyFileSync(join(inside, `accounts.db${end}`), path + end)
  assert.deepEqual(new Set(readRequestIds(path, account)), answered, 'rows are answers, exactly')
  const db = openDatabase(path, { kind: 'accounts', synchronous: 'FULL' })
  assert.equal((await verifyLedger(createLedgerStore(db))).bad, undefined)
  db.close()
  assert.equal(await service.stop(), 0)
})

/** Fills the disk except for this many pages. */
function fill(folder: string, freePages: number): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), Buffer.alloc((bavail - freePages) * bsize))
}
