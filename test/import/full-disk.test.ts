/** Imports on a small file system of their own: the sentence, and the roll that was there. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fixture, importRoll, makeFolder, write } from './small-roll.ts'

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname
const MOUNT = 'mount -t tmpfs -o size="$1" none "$0"'
const mayMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-Urm', 'sh', '-c', MOUNT, '/mnt', '1m']).status === 0
const skip = !mayMount && 'this user may not mount a file system of its own'

/** Imports on a disk of a given size that already holds the plain roll, then reads the store. */
function importOn(size: string, seed: string, small: string, file: string) {
  const script = `${MOUNT} && cp -r "$2/." "$0/" && shift 2
    "$@" import "$FILE" --mapping platbook --force --data "$0" >&2; echo "exit $?"
    "$@" coverage --json --data "$0"`
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-Urm', 'sh', '-c', script, small, size, seed, process.execPath, MAIN],
    { encoding: 'utf8', env: { ...process.env, FILE: file } },
  )
  const [exit, coverage] = stdout.trim().split('\n')
  return { exit, stderr, coverage: JSON.parse(coverage ?? 'null') }
}

for (const [size, when, reason] of [
  ['1m', 'while the roll is staged', /the disk of .* is full; nothing was loaded/],
  [
    '60m',
    'before it is written',
    /this load needs about .* MB, and the disk of .* MB free; nothing was changed/,
  ],
] as const) {
  test(`a disk too small for a roll, found ${when}: a sentence, and the old roll stays`, {
    skip,
  }, async (t) => {
    const folder = makeFolder(t)
    const [seed, small] = [join(folder, 'seed'), join(folder, 'small')]
    mkdirSync(small)
    await importRoll(seed, [fixture('plain.csv')])
    const rows = Array.from(
      { length: 6000 },
      (_, at) => `NE,Lancaster,P${at},"ROE, JANE",${at} OAK ST`,
    )
    const file = write(
      folder,
      'big.csv',
      ['state,county,parcelId,ownerName1,address', ...rows].join('\n'),
    )
    const { exit, stderr, coverage } = importOn(size, seed, small, file)
    assert.equal(exit, 'exit 1', stderr)
    assert.match(stderr, reason)
    assert.doesNotMatch(stderr, /\n {4}at /)
    assert.equal(coverage.counties[0].parcels, 4)
  })
}
