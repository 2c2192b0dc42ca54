/** Output of `import`, `mappings` and `coverage` on the command line. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { CommandError } from '../../src/base/errors.ts'
import { coverageCommand } from '../../src/cli/commands/rolls/coverage.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { mappingsCommand } from '../../src/cli/commands/rolls/mappings.ts'
import { runCommand } from '../command.ts'
import { fixture, makeFolder, write } from './small-roll.ts'

const COMMANDS = [importCommand, mappingsCommand, coverageCommand]

function platbook(data: string, name: string, ...words: string[]) {
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  return runCommand(command, words, { data })
}

test('import --json prints one object of the fixed shape and nothing else', async (t) => {
  const data = makeFolder(t)
  const { code, out } = await platbook(
    data,
    'import',
    fixture('plain.csv'),
    '--mapping',
    'platbook',
    '--json',
  )
  assert.equal(code, 0)
  assert.equal(out.trim().split('\n').length, 1)
  const report = JSON.parse(out)
  assert.deepEqual(report, {
    rows: 12,
    loaded: 4,
    updated: 0,
    unchanged: 0,
    removed: 0,
    duplicates: 1,
    skipped: 2,
    rejected: 5,
    rejectsFile: report.rejectsFile,
    seconds: report.seconds,
    counties: ['31109'],
  })
  assert.equal(typeof report.seconds, 'number')
  assert.ok(existsSync(report.rejectsFile))
})

test('import prints what was loaded and why rows were rejected', async (t) => {
  const data = makeFolder(t)
  const { out } = await platbook(data, 'import', fixture('plain.csv'), '--mapping', 'platbook')
  assert.match(out, /12 rows read in/)
  assert.match(out, /parcels: 4 new, 0 updated, 0 unchanged, 0 removed/)
  assert.match(out, /1 × duplicate/)
  assert.match(out, /rejected rows are in .*rejects/)
})

test('faults are sentences, with 2 for wrong use and 1 for what failed', async (t) => {
  const data = makeFolder(t)
  const file = fixture('plain.csv')
  const plain = [file, '--mapping', 'platbook']
  for (const [words, exitCode, reason] of [
    [[], 2, /import needs at least one FILE/],
    [[file], 2, /import needs --mapping/],
    [
      [file, '--mapping', 'ne-lancster'],
      2,
      /there is no mapping "ne-lancster"; did you mean ne-lancaster or sc-lancaster\?/,
    ],
    [[file, '--mapping', './none.json'], 2, /the mapping \.\/none\.json does not exist/],
    [['none.csv', '--mapping', 'platbook'], 1, /none\.csv does not exist/],
    [
      [file, '--mapping', 'oh-seneca'],
      1,
      /plain\.csv is not what the mapping oh-seneca reads: it has no column PARID/,
    ],
    [[...plain, '--state', 'XX'], 2, /--state: "XX" is not a US state/],
    [
      [file, '--mapping', 'oh-seneca', '--county', 'Nowhere'],
      2,
      /--county: "Nowhere" is not a county of OH/,
    ],
    [[...plain, '--name-order', 'odd'], 2, /--name-order: "odd" is none of/],
    [[...plain, '--roll-year', '20x5'], 2, /--roll-year: "20x5" is not a year/],
  ] as [string[], number, RegExp][]) {
    await assert.rejects(platbook(data, 'import', ...words), (error: Error) => {
      assert.ok(error instanceof CommandError, String(error.stack))
      assert.match(error.message, reason)
      assert.equal(error.exitCode, exitCode, error.message)
      return true
    })
  }
})

test('a mapping of one’s own is given by its path', async (t) => {
  const data = makeFolder(t)
  const document = {
    name: 'my',
    title: 'Mine',
    state: 'NE',
    county: 'Lancaster',
    fields: { parcelId: 'PIN' },
  }
  const mapping = write(data, 'my.json', JSON.stringify(document))
  const file = write(data, 'mine.csv', 'PIN\n1\n2\n')
  const run = await platbook(data, 'import', file, '--mapping', mapping, '--json')
  assert.equal(run.json().loaded, 2)
})

test('mappings and coverage list what there is', async (t) => {
  const data = makeFolder(t)
  const { mappings } = JSON.parse((await platbook(data, 'mappings', '--json')).out)
  const lancaster = mappings.find(({ name }: { name: string }) => name === 'ne-lancaster')
  assert.deepEqual([lancaster.state, lancaster.county], ['NE', 'Lancaster'])
  assert.deepEqual(Object.keys(lancaster), ['name', 'title', 'state', 'county'])
  const empty = await platbook(data, 'coverage', '--json')
  assert.deepEqual([empty.code, empty.json()], [0, { counties: [] }])
  await platbook(data, 'import', fixture('plain.csv'), '--mapping', 'platbook')
  const { counties } = JSON.parse((await platbook(data, 'coverage', '--json')).out)
  assert.equal(counties.length, 1)
  const [{ loadedAt, share, vintages, ...county }] = counties
  assert.deepEqual(
    vintages.map(({ date, source }: Record<string, string>) => [date, source]),
    [['2025-01-01', 'platbook']],
  )
  assert.match((await platbook(data, 'coverage')).out, /vintages\n.* 2025-01-01\n/)
  assert.deepEqual(county, {
    state: 'NE',
    county: 'LANCASTER',
    fips: '31109',
    parcels: 4,
    rollYear: 2025,
  })
  assert.match(loadedAt, /^\d{4}-\d\d-\d\dT/)
  assert.equal(share.owner, 1)
  assert.equal(share.coordinates, 0)
  assert.equal(share.yearBuilt, 0.25)
})

test('an earlier roll says that no parcel changes, also in a dry run', async (t) => {
  const data = makeFolder(t)
  const load = (...words: string[]) =>
    platbook(data, 'import', fixture('plain.csv'), '--mapping', 'platbook', ...words)
  assert.match((await load()).out, /^parcels: 4 new, 0 updated/m)
  for (const words of [['--dry-run'], []]) {
    const { out } = await load('--vintage', '2019-01-01', ...words)
    assert.match(out, /^parcels: none change; an earlier roll goes into the history alone/m)
    assert.doesNotMatch(out, /^parcels: \d/m)
  }
})
