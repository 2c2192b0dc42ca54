/**
 * Power loss: 200 images of what a disk could hold, rebuilt from a record of writes and syncs.
 * Needs strace.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operate } from '../processes/operator.ts'
import { IS_LONG } from '../repetitions.ts'
import { checkCap, checkFree, checkPowerLoss, checkRunning, plantBug } from './promises.ts'
import { endAll, ROOT } from './running-service.ts'

const IMAGES = IS_LONG ? 800 : 16
const base = mkdtempSync(join(tmpdir(), 'platbook-power-'))
const data = join(base, 'data')
const withoutStrace =
  spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0
    ? false
    : 'strace is not there, or may not trace'

before(() => operate(data, 'sample', '--parcels', '300'))
after(endAll)
after(() => rmSync(base, { recursive: true }))

test(
  `in ${IMAGES} images of a power loss every delivered 200 has its charge`,
  { skip: withoutStrace },
  () => checkPowerLoss(ROOT, data, IMAGES),
)

test('the same images see a ledger without fsync (synchronous=NORMAL)', {
  skip: withoutStrace,
}, async () => {
  const opening = (mode: string) =>
    `openDatabase(place, { kind: 'accounts', synchronous: '${mode}' })`
  const change = { from: opening('FULL'), to: opening('NORMAL') }
  const root = plantBug(join(base, 'normal'), [{ file: 'src/store/open.ts', ...change }])
  await assert.rejects(checkPowerLoss(root, data, IMAGES, 100), /answers lost their charge/)
})

test('N tokens, 240 requests: N answers; HEAD, 400, 404, 405 write no row', () =>
  checkRunning(ROOT, data, checkCap, checkFree))
