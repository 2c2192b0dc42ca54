/** The thread that builds tiles keeps a process alive only while a tile is under way. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTileBuilder, type TilePart } from './builder.ts'

const BUILDER = new URL('builder.ts', import.meta.url).href

test('a program that has built a tile, or failed to read one, ends by itself', () => {
  const program = `
    import { createTileBuilder } from '${BUILDER}'
    const builder = createTileBuilder()
    const tile = { z: 14, x: 4000, y: 6000 }
    await builder.build(tile, '1', async function* () { yield { rows: [] } })
    const fail = async function* () { throw new Error('no rows') }
    await builder.build(tile, '2', fail).catch((error) => console.log(error.message))`
  const folder = mkdtempSync(join(tmpdir(), 'platbook-tiles-'))
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  const ended = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 20_000 })
  rmSync(folder, { recursive: true })
  assert.equal(ended.stderr, '')
  assert.equal(ended.stdout, 'no rows\n')
  assert.equal(ended.status, 0)
})

test('a tile is built once for a version of the rolls, also when it is empty', async (t) => {
  const builder = createTileBuilder()
  t.after(() => builder.close())
  let reads = 0
  const read = async function* (): AsyncGenerator<TilePart> {
    reads += 1
    yield { counts: [{ z: 14, x: 4000, y: 6000, parcels: 3 }] }
  }
  const tile = { z: 13, x: 2000, y: 3000 }
  const first = await builder.build(tile, '1', read)
  assert.deepEqual(await builder.build(tile, '1', read), first)
  assert.equal(reads, 1)
  await builder.build(tile, '2', read)
  const far = { z: 13, x: 1, y: 1 }
  assert.equal(await builder.build(far, '2', read), undefined)
  assert.equal(await builder.build(far, '2', read), undefined)
  assert.equal(reads, 3)
})
