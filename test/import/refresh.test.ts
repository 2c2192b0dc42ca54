/**
 * Unchanged rows are not read again, and the loaded data and the report are the same as if all rows
 * were.
 */
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import fc from 'fast-check'
import { unloadCommand } from '../../src/cli/commands/rolls/history.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import * as suppressCommands from '../../src/cli/commands/rolls/suppress.ts'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { runCommand } from '../command.ts'
import { repetitions } from '../repetitions.ts'
import { counts, importRoll, makeFolder, type Options, write } from './small-roll.ts'

const RUNS = repetitions(8)

const MAPPING: MappingDocument = {
  name: 'refresh-test',
  title: 'Invented county',
  state: 'NE',
  county: 'Lancaster',
  source: { name: 'Invented', license: 'none' },
  nameOrder: 'last-first',
  fields: { parcelId: 'PIN', ownerName1: 'OWNER', address: 'SITUS', useCodeLocal: 'USE' },
  transfers: [{ transferDate: 'SOLD', transferPrice: 'PRICE' }],
  skip: [{ value: 'USE', is: ['ROAD'] }],
  repeats: { merge: ['transfers', 'addresses'], otherwise: 'first' },
  expect: { ownerName1: '>= 1 %', useCodeLocal: '>= 0 %' },
}

type Row = { pin: string; owner: string; situs: string; use: string; sold: string; price: string }

/** Few values, so that rows are equal, share parcels, and share letters and digits of IDs. */
const row: fc.Arbitrary<Row> = fc.record({
  pin: fc.constantFrom('1-1', '11', '1-2', '1-3', '1-4', '1-5', '1-6', '1-7', '', '--'),
  owner: fc.constantFrom('ROE, JANE', 'DOE, JOHN', 'POE ANN & LEE', ''),
  situs: fc.constantFrom('12 OAK ST', '14 OAK ST APT 3', ''),
  use: fc.constantFrom('R', 'C', 'ROAD'),
  sold: fc.constantFrom('2020-05-01', '05/01/88', 'SOON', ''),
  price: fc.constantFrom('100000', '0', ''),
})

const csv = (rows: Row[]) =>
  ['PIN,OWNER,SITUS,USE,SOLD,PRICE', ...rows.map((one) => Object.values(one).map(quote).join(','))]
    .map((line) => `${line}\n`)
    .join('')
const quote = (text: string) => `"${text}"`

/** All that is kept of parcels and what finds them. */
function dump(dataDir: string) {
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  try {
    const all = (sql: string) => db.prepare(sql).all()
    return {
      parcels: all('SELECT * FROM parcels ORDER BY id'),
      records: all('SELECT * FROM records ORDER BY id'),
      scopes: all('SELECT * FROM scopes ORDER BY fips'),
      changes: all('SELECT * FROM changes ORDER BY sequence'),
      images: all('SELECT * FROM import_images ORDER BY id'),
      imports: all('SELECT * FROM imports ORDER BY id').map(({ rejects_file: _, ...rest }) => rest),
    }
  } finally {
    db.close()
  }
}

test(`${RUNS} runs of refreshes load the same, with unchanged rows read or skipped`, async (t) => {
  const rolls = fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), {
    minLength: 2,
    maxLength: 4,
  })
  const folder = makeFolder(t)
  let run = 0
  await fc.assert(
    fc.asyncProperty(rolls, async (list) => {
      run += 1
      const [kept, whole] = [join(folder, `${run}-kept`), join(folder, `${run}-whole`)]
      for (const [at, rows] of list.entries()) {
        const file = write(folder, 'roll.csv', csv(rows))
        rmSync(join(whole, 'refresh'), { recursive: true, force: true })
        const reports = []
        for (const data of [kept, whole]) {
          const options = { mapping: MAPPING, force: true, shown: ['roll.csv'], threads: 0 }
          const {
            rejectsFile: _,
            seconds: __,
            ...rest
          } = await importRoll(data, [file], options, Date.UTC(2026, 5, 1 + at))
          reports.push(rest)
        }
        assert.deepEqual(reports[0], reports[1])
        assert.deepEqual(dump(kept), dump(whole))
      }
      for (const data of [kept, whole]) rmSync(data, { recursive: true, force: true })
    }),
    { numRuns: RUNS },
  )
})

const ROWS: Row[] = Array.from({ length: 30 }, (_, at) => ({
  pin: `2-${at + 100}`,
  owner: `ROE, JANE ${'ABCDEFGHIJ'[at % 10]}`,
  situs: `${100 + at} ELM ST`,
  use: 'R',
  sold: '2021-03-04',
  price: '150000',
}))
const CHANGED = ROWS.map((one, at) => (at === 3 ? { ...one, owner: 'DOE, JOHN' } : one))

/**
 * Alters stored records by hand, so that a rewritten record shows: no import produces such a
 * record.
 */
function tamper(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
  })
  db.exec("UPDATE records SET field_values = replace(field_values, 'ELM', 'YEW')")
  db.close()
}

const countTampered = (dataDir: string) =>
  dump(dataDir).records.filter(({ field_values }) => String(field_values).includes('YEW')).length

async function loadTampered(t: test.TestContext, options: Options = {}) {
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', csv(ROWS))
  const next = write(data, 'next.csv', csv(CHANGED))
  await importRoll(data, [file], { mapping: MAPPING, ...options })
  tamper(data)
  return { data, file, next }
}

test('a row that is as it was is neither mapped nor compared; a changed one is', async (t) => {
  const { data, next } = await loadTampered(t)
  const report = await importRoll(data, [next], { mapping: MAPPING })
  assert.deepEqual([report.updated, report.unchanged, report.removed], [1, 29, 0])
  assert.equal(countTampered(data), 29)
})

test('another mapping, option or date ahead reads every row', async (t) => {
  const other = { ...MAPPING, fields: { ...MAPPING.fields, zoningCode: 'USE' } }
  for (const options of [
    { mapping: other },
    { mapping: MAPPING, rollYear: 2026 },
    { mapping: MAPPING, geometry: true },
    { mapping: MAPPING, partial: true },
    { mapping: MAPPING, today: '2026-05-31' },
  ] satisfies Options[]) {
    const { data, next } = await loadTampered(t)
    await importRoll(data, [next], options)
    assert.equal(countTampered(data), 0, JSON.stringify(options).slice(-60))
  }
})

test('a two-digit year that is no longer in the future is read again', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', csv(ROWS.map((one) => ({ ...one, sold: '07/01/27' }))))
  const load = (today: string) => importRoll(data, [file], { mapping: MAPPING, today })
  await load('2026-06-01')
  assert.equal((await load('2026-06-30')).unchanged, 30)
  assert.equal((await load('2026-07-01')).updated, 30)
})

test('after a suppression, an unload or a partial import every row is read', async (t) => {
  const reload = async (data: string, file: string) =>
    counts(await importRoll(data, [file], { mapping: MAPPING }))
  {
    const { data, file } = await loadTampered(t)
    const run = (name: string, words: string[]) => {
      const command = Object.values(suppressCommands).find((one) => one.name === name)
      assert.ok(command)
      return runCommand(command, words, { data })
    }
    // A suppression that has ended again leaves a record without its name.
    const words = ['--owner', 'ROE, JANE A', '--state', 'NE', '--basis', 'test', '--json']
    const made = (await run('suppress add', words)).json() as { suppressions: string[] }
    await run('suppress expire', made.suppressions)
    await reload(data, file)
    assert.equal(countTampered(data), 0)
  }
  {
    const { data, file } = await loadTampered(t)
    const words = ['--state', 'NE', '--county', 'Lancaster', '--confirm']
    await runCommand(unloadCommand, words, { data })
    const { loaded, unchanged } = await reload(data, file)
    assert.deepEqual([loaded, unchanged], [30, 0])
  }
  {
    const { data, file, next } = await loadTampered(t)
    await importRoll(data, [next], { mapping: MAPPING, partial: true })
    tamper(data)
    await reload(data, file)
    assert.equal(countTampered(data), 0)
  }
})

test('an undo makes every row be read again', async (t) => {
  const data = makeFolder(t)
  const mapping = write(data, 'mapping.json', JSON.stringify(MAPPING))
  const load = async (rows: Row[]) => {
    const file = write(data, 'roll.csv', csv(rows))
    return (
      await runCommand(importCommand, [file, '--mapping', mapping, '--json'], { data })
    ).json()
  }
  await load(ROWS)
  await load(CHANGED)
  await runCommand(importCommand, ['--undo', '--confirm'], { data })
  const again = await load(CHANGED)
  assert.deepEqual([again.updated, again.unchanged], [1, 29])
})

test('a second row of a parcel that stood is merged with its first', async (t) => {
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', csv(ROWS))
  await importRoll(data, [file], { mapping: MAPPING })
  const [first] = ROWS
  assert.ok(first)
  write(data, 'roll.csv', csv([...ROWS, { ...first, sold: '2024-01-02', price: '175000' }]))
  const report = await importRoll(data, [file], { mapping: MAPPING })
  assert.deepEqual([report.updated, report.unchanged, report.merged], [1, 29, 1])
  write(data, 'roll.csv', csv(ROWS))
  const back = await importRoll(data, [file], { mapping: MAPPING })
  assert.deepEqual([back.updated, back.unchanged, back.merged], [1, 29, 0])
})

test('if the digests are damaged, missing or of another store, every row is read', async (t) => {
  const { data, next } = await loadTampered(t)
  const folder = join(data, 'refresh')
  const [marks = ''] = readdirSync(folder).filter((name) => name.endsWith('.marks'))
  write(folder, marks, Buffer.alloc(30 * 24, 7))
  await importRoll(data, [next], { mapping: MAPPING })
  assert.equal(countTampered(data), 0)
  assert.equal(readdirSync(folder).length, 2)
})
