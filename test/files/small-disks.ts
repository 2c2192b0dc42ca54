/**
 * Restores on disks of growing size, in a namespace of its own: `node small-disks.ts FOLDER FROM
 * STEP MOST`, sizes in KB. Prints a line of JSON for each, until one is large enough.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readState, spawnFailing } from './stores.ts'

const [folder = '', from, step, most] = process.argv.slice(2)
const disk = join(folder, 'disk')
mkdirSync(disk, { recursive: true })
for (let size = Number(from); size <= Number(most); size += Number(step)) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'none', disk])
  cpSync(join(folder, 'seed'), disk, { recursive: true })
  const { status, stderr } = spawnFailing(disk, ['restore', join(folder, 'backup')], { at: 0 })
  // The files are read elsewhere: a full disk has no room for the files that reading needs.
  const copy = join(folder, 'read')
  mkdirSync(copy)
  cpSync(disk, copy, { recursive: true })
  console.log(JSON.stringify({ size, status, stderr, state: readState(copy) }))
  execFileSync('rm', ['-rf', copy])
  execFileSync('umount', [disk])
  if (status === 0) break
}
