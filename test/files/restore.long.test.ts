/** A restore and a backup that fail at every call that changes a file, and on small disks. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shareProgram } from '../warm-program.ts'
import { failBackups, failRestores, restoreOnSmallDisks, skipWithoutDisks } from './failures.ts'
import { makeWorld } from './stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-files-'))
after(() => rmSync(folder, { recursive: true }))
const world = await makeWorld(folder)
const program = await shareProgram()
after(() => program.release())

for (const how of ['full', 'kill'] as const) {
  test(`a restore that ends at any call (${how}) leaves the old data or the new`, async (t) => {
    const { points, kept, made } = await failRestores(world, { how })
    t.diagnostic(`${points} points: ${kept} times the old, ${made} times the new`)
    assert.ok(points > 40, `${points} points`)
  })
  test(`a backup that ends at any call (${how}) is complete or none`, async (t) => {
    t.diagnostic(`${await failBackups(world, { how })} points`)
  })
}

test('a restore on a disk of any size leaves the old data or the new', {
  skip: skipWithoutDisks,
}, (t) => {
  const runs = restoreOnSmallDisks(world, { from: 860, step: 24, most: 4000 })
  t.diagnostic(`${runs.length} sizes up to ${runs.at(-1)?.size} KB`)
  assert.ok(runs.length > 20)
})
