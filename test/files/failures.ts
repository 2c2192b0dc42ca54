/** Repeats a restore or a backup that fails, at one point after the other. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finishChange } from '../../src/base/safe-files.ts'
import { IS_LONG } from '../repetitions.ts'
import { copyFolder, type Failure, readState, runFailing, type World } from './stores.ts'

type Points = Omit<Failure, 'at'> & { step?: number }

/** A call may fail without consequence; when so many in turn do, the calls are at their end. */
const THROUGH = IS_LONG ? 5 : 2

/** Fails until runs get through. Counts the points, and which data were there afterwards. */
export async function failRestores(world: World, { step = 1, ...how }: Points) {
  const data = join(world.folder, 'data')
  const counts = { points: 0, kept: 0, made: 0 }
  let through = 0
  for (let at = 1; through < THROUGH; at += step) {
    copyFolder(world.seed, data)
    const { status, stderr } = await runFailing(data, ['restore', world.backup], { at, ...how })
    const state = readState(data)
    const where = `${how.how} at ${how.call ?? 'call'} ${at}: ${stderr}`
    assert.ok(state === world.before || state === world.after, `${where} ${state}`)
    if (how.how === 'full' && status !== 0) assert.doesNotMatch(stderr, /\n {4}at /, where)
    through = status === 0 ? through + 1 : 0
    if (status === 0) continue
    counts.points += 1
    counts[state === world.before ? 'kept' : 'made'] += 1
    // What a failed restore leaves behind does not hinder the next one.
    if (at % 5 === 0) {
      const again = await runFailing(data, ['restore', world.backup], { at: 0 })
      assert.equal(again.status, 0, again.stderr)
      assert.equal(readState(data), world.after)
    }
  }
  return counts
}

/** Returns the number of points. */
export async function failBackups(world: World, { step = 1, ...how }: Points): Promise<number> {
  const copy = join(world.folder, 'copy')
  let [points, through] = [0, 0]
  for (let at = 1; through < THROUGH; at += step) {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    const { status, stderr } = await runFailing(world.seed, ['backup', copy], { at, ...how })
    finishChange(copy)
    const parcels = existsSync(join(copy, 'parcels.db'))
    const accounts = existsSync(join(copy, 'accounts.db'))
    assert.equal(parcels, accounts, `${how.how} at ${at}: ${stderr}`)
    if (parcels) assert.equal(readState(copy), world.before)
    assert.equal(readState(world.seed), world.before)
    through = status === 0 ? through + 1 : 0
    points += status === 0 ? 0 : 1
  }
  return points
}

type Disks = { from: number; step: number; most: number }
type Run = { size: number; status: number; stderr: string; state: string }

const MAY_MOUNT = ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']
export const skipWithoutDisks =
  !(process.platform === 'linux' && spawnSync('unshare', MAY_MOUNT).status === 0) &&
  'this user may not mount a file system of its own'

/** Restores on disks of growing size, which begin to be full at another point each. */
export function restoreOnSmallDisks(world: World, { from, step, most }: Disks): Run[] {
  const script = new URL('small-disks.ts', import.meta.url).pathname
  const numbers = [from, step, most].map(String)
  const words: string[] = ['-Urm', process.execPath, script, world.folder, ...numbers]
  const { stdout, stderr } = spawnSync('unshare', words, { encoding: 'utf8' })
  const runs = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Run)
  for (const run of runs) {
    const where: string = `${run.size} KB: ${run.stderr} ${stderr}`
    const isWhole = run.state === world.before || run.state === world.after
    assert.ok(isWhole, `${where} ${run.state}`)
    assert.doesNotMatch(run.stderr, /\n {4}at /, where)
    if (run.status !== 0) assert.match(run.stderr, /^platbook: .*(?:full|no room)/m, where)
  }
  const last = runs.at(-1)
  assert.equal(last?.status, 0, last?.stderr ?? stderr)
  return runs
}
