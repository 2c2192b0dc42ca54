import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CommandError } from '../../../base/errors.ts'
import { sampleCsv } from '../../../sample/generate.ts'
import { readConfig } from '../../../settings/read-config.ts'
import type { CommandIo } from '../../command.ts'
import { readSampleOptions, sampleCommand } from './sample.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'platbook-sample-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

async function run(values: Record<string, string | boolean>, json = false) {
  const printed: string[] = []
  const io: CommandIo = {
    config: { ...readConfig({}), data: join(FOLDER, 'data') },
    json,
    stdin: process.stdin,
    print: (line) => printed.push(line),
    report: () => undefined,
    terminal: false,
    now: () => Date.UTC(2026, 0, 15),
  }
  const code = await sampleCommand.run({ values, positionals: [] }, io)
  return { code: code ?? 0, printed }
}

function isFault(exitCode: number, text: RegExp) {
  return (error: unknown) =>
    error instanceof CommandError && error.exitCode === exitCode && text.test(error.message)
}

test('the defaults are 20,000 parcels of seed 1', () => {
  assert.deepEqual(readSampleOptions({ values: {} }), { parcels: 20_000, seed: 1 })
})

test('a count or seed that is not a whole number is refused by name', () => {
  for (const text of ['', '0', '-1', '1.5', '1e6', 'many', '50000001', '9'.repeat(30)]) {
    assert.throws(
      () => readSampleOptions({ values: { parcels: text } }),
      isFault(2, /^--parcels: /),
    )
  }
  assert.throws(() => readSampleOptions({ values: { seed: 'x' } }), isFault(2, /^--seed: "x"/))
})

test('--out writes the whole CSV and nothing else into the folder', async () => {
  const out = join(FOLDER, 'roll.csv')
  const { code, printed } = await run({ parcels: '300', seed: '4', out }, true)
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(printed.join('\n')), { parcels: 300, seed: 4, file: out })
  assert.equal(readFileSync(out, 'utf8'), [...sampleCsv({ parcels: 300, seed: 4 })].join(''))
  assert.deepEqual(readdirSync(FOLDER), ['roll.csv'])
})

test('an unwritable path gives a sentence and leaves no file', async () => {
  const missing = join(FOLDER, 'nowhere', 'roll.csv')
  await assert.rejects(
    run({ parcels: '1', out: missing }),
    isFault(1, /the folder .* does not exist/),
  )
  await assert.rejects(run({ parcels: '1', out: FOLDER }), isFault(1, /is a folder, which no/))
  assert.deepEqual(readdirSync(FOLDER), ['roll.csv'])
})

test('without --out the sample is imported completely; a second run changes nothing', async () => {
  const report = async () => JSON.parse((await run({ parcels: '2000' }, true)).printed.join('\n'))
  const first = await report()
  const { rows, loaded, rejected, skipped, duplicates, counties } = first
  assert.deepEqual(
    { rows, loaded, rejected, skipped, duplicates, counties },
    {
      rows: 2000,
      loaded: 2000,
      rejected: 0,
      skipped: 0,
      duplicates: 0,
      counties: ['12001', '17043', '48453', '55025'],
    },
  )
  const second = await report()
  assert.deepEqual([second.loaded, second.unchanged, second.updated], [0, 2000, 0])
  const left = readdirSync(join(FOLDER, 'data')).filter((name) => name.includes('sample'))
  assert.deepEqual(left, [])
})
