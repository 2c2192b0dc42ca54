/** A restore and a backup that fail: the old data or the new, never neither. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shareProgram } from '../warm-program.ts'
import { failBackups, failRestores, restoreOnSmallDisks, skipWithoutDisks } from './failures.ts'
import { copyFolder, makeWorld, readState, runFailing } from './stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-files-'))
after(() => rmSync(folder, { recursive: true }))
const world = await makeWorld(folder)
const program = await shareProgram()
after(() => program.release())

test('a restore that is killed at a rename leaves the old data or the new', async () => {
  const { points, kept, made } = await failRestores(world, {
    how: 'kill',
    call: 'renameSync',
    step: 2,
  })
  assert.ok(points > 3, `${points} points`)
  assert.ok(kept > 0 && made > 0, `${kept} times the old, ${made} times the new`)
})

test('a restore for which a disk has no room says so, and the old data stays', {
  skip: skipWithoutDisks,
}, () => {
  const runs = restoreOnSmallDisks(world, { from: 1000, step: 300, most: 4000 })
  assert.ok(runs.some(({ status }) => status !== 0))
})

test('a backup that is killed at a rename is complete or none', async () => {
  await failBackups(world, { how: 'kill', call: 'renameSync', step: 3 })
})

test('a restore keeps the console and the checksums, and finds damage afterwards', async () => {
  const data = join(folder, 'restored')
  assert.equal(readState(data), world.after)
  assert.ok(existsSync(join(data, 'parcels.sums')))
  const { status, stdout, stderr } = await runFailing(data, ['check'], { at: 0 })
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stdout, /checksums/)
})

test('a restore names the store that a backup lacks', async () => {
  for (const name of ['accounts.db', 'parcels.db']) {
    const [half, data] = [join(folder, `half-${name}`), join(folder, `from-half-${name}`)]
    copyFolder(world.backup, half)
    rmSync(join(half, name))
    const { status, stdout } = await runFailing(data, ['restore', half], { at: 0 })
    assert.equal(status, 0)
    assert.match(stdout, new RegExp(`not known: .*${name} is missing`))
  }
})

test('a backup without rolls lacks nothing when restored; damaged sums are named', async () => {
  const [half, data] = [join(folder, 'no-rolls'), join(folder, 'from-no-rolls')]
  copyFolder(world.backup, half)
  truncateSync(join(half, 'parcels.sums'), 60)
  const { stdout: unchecked } = await runFailing(data, ['restore', half], { at: 0 })
  assert.match(unchecked, /not known: .*no valid parcels\.sums/)
  const { stdout: checked } = await runFailing(data, ['check'], { at: 0 })
  assert.match(checked, /parcels\.db has no valid page checksums/)
  for (const name of ['parcels.db', 'parcels.sums']) rmSync(join(half, name))
  const { stdout } = await runFailing(join(folder, 'from-none'), ['restore', half], { at: 0 })
  assert.doesNotMatch(stdout, /not known/)
})

test('an unload or undo on a full disk says whether the change is made', async () => {
  const data = join(folder, 'unloaded')
  const dane = ['unload', '--state', 'WI', '--county', 'Dane', '--confirm']
  for (const words of [dane, ['import', '--undo', '--confirm']]) {
    copyFolder(world.backup, data)
    const before = readState(data)
    assert.equal((await runFailing(data, words, { at: 0 })).status, 0)
    const made = readState(data)
    let late = 0
    for (let at = 1, through = 0; through < 2; at += 1) {
      copyFolder(world.backup, data)
      const failure = { at, how: 'full', call: 'renameSync' } as const
      const { status, stderr } = await runFailing(data, words, failure)
      const isMade = readState(data) !== before
      if (isMade) assert.equal(readState(data), made)
      assert.doesNotMatch(stderr, /\n {4}at /)
      const isSaid = status === 0 || /the change is made.*the disk is full/.test(stderr)
      assert.equal(isSaid, isMade, `${words[0]} at ${at}: ${stderr}`)
      if (isMade && status !== 0) late += 1
      through = status === 0 ? through + 1 : 0
    }
    assert.ok(late > 0)
  }
})
