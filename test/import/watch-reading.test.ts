/** A reader that gets no further ends its process; one that is only slow does not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const FILE = new URL('../../src/import/watch-reading.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'platbook-watch-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs a reader, watched with a limit of one second, in a process of its own. `use`: of a row. */
function run(reader: string, use = '') {
  const program = `
    import { noteReading, watchReading } from '${FILE}'
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    // Blocks the event loop, and costs nothing.
    const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    async function* read() { ${reader} }
    let rows = 0
    for await (const row of watchReading(read(), 1)) {
      rows += row
      ${use}
    }
    console.log(rows)`
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  return spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 })
}

for (const [what, reader] of [
  ['that never comes back to the event loop', 'yield 1; block(1e9)'],
  ['that waits for ever', 'yield 1; await wait(1e8)'],
  ['whose first row never comes', 'block(1e9); yield 1'],
] as const) {
  test(`a reader ${what} is ended with a sentence`, () => {
    const { signal, stderr, stdout } = run(reader)
    assert.equal(signal, 'SIGKILL')
    assert.match(stderr, /^platbook: no row was read for 1 s: .*nothing was loaded\n$/)
    assert.equal(stdout, '')
  })
}

for (const [what, reader, use] of [
  [
    'that is slow but gets on',
    'for (let at = 0; at < 12; at += 1) { block(300); noteReading(); if (at % 6 === 5) yield 1 }',
    '',
  ],
  ['whose rows are used slowly', 'yield 1; yield 1', 'block(2500)'],
] as const) {
  test(`a reader ${what} is not ended`, () => {
    const { signal, stdout, stderr } = run(reader, use)
    assert.deepEqual([signal, stdout, stderr], [null, '2\n', ''])
  })
}
