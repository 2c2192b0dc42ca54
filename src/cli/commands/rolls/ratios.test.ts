import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { ratiosCommand, readDollars } from './ratios.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-ratios-'))
after(() => rmSync(data, { recursive: true }))
const file = join(data, 'sales.csv')

async function study(lines: string[], words: string[] = []) {
  writeFileSync(file, `${lines.join('\n')}\n`)
  const run = await runCommand(ratiosCommand, ['--csv', file, '--json', ...words], { data })
  return run.json() as {
    groups: { key: string; n: number; cod: { value: number } | null; reason?: string }[]
    excluded: Record<string, number>
    unreadable?: { line: number; column: string; text: string }[]
    seed: number
  }
}

/** Prices of 100,000 dollars and ratios from 0.80 up. */
const rows = (count: number, end = '') =>
  Array.from({ length: count }, (_, at) => `${80_000 + (at % 9) * 5000},100000${end}`)

test('reads a list with groups, and counts rows without value or price', async () => {
  const lines = ['estimate,sale_price,group', ...rows(20, ',north'), ...rows(5, ',south')]
  const more = [
    '',
    ',100000,north',
    '90000,0,north',
    '"$90,000","$100,000",north',
    'x,100000,south',
  ]
  const { groups, excluded, unreadable, seed } = await study([...lines, ...more])
  assert.deepEqual(
    groups.map(({ key, n, cod }) => [key, n, cod !== null]),
    [
      ['north', 21, true],
      ['south', 5, false],
    ],
  )
  assert.deepEqual(excluded, { noValue: 1, noPrice: 1, unreadable: 1 })
  assert.deepEqual(unreadable, [{ line: 31, column: 'estimate', text: 'x' }])
  assert.equal(seed, 20_130_401)
  assert.equal(groups[1]?.reason, '5 sales, fewer than 20')
})

test('--trim no keeps outliers, and computes a list of under 20 sales with a warning', async () => {
  const wild = ['Estimate,Sale_Price', ...rows(25), '900000,100000']
  assert.deepEqual((await study(wild)).excluded, { trimmed: 1 })
  const kept = await study(wild, ['--trim', 'no'])
  assert.deepEqual([kept.excluded, kept.groups[0]?.n], [{}, 26])
  const few = await study(['estimate,sale_price', ...rows(9)], ['--trim', 'no'])
  assert.ok(few.groups[0]?.cod)
  assert.equal(few.groups[0]?.reason, '9 sales, fewer than 20')
})

test('a list without the columns, and wrong options, end in a sentence', async () => {
  await assert.rejects(
    study(['value,price', '1,2']),
    /no column estimate and no column sale_price; its columns are value, price/,
  )
  assert.equal((await study([' Sale Price , Estimate', '1,2'])).groups[0]?.n, 1)
  await assert.rejects(study(['estimate,sale_price'], ['--trim', 'maybe']), /none of yes, no/)
  const ask = (words: string[]) => runCommand(ratiosCommand, words, { data })
  await assert.rejects(ask([]), /--state and --county are required/)
  await assert.rejects(ask(['--state', 'WI', '--county', 'Dane', '--basis', 'tax']), /--basis/)
  await assert.rejects(ask(['--state', 'WI', '--county', 'Dane', '--from', '2025']), /--from/)
})

test('numbers of a list: dollars, thousands, negatives, and near misses', () => {
  const cases: [text: string, value: number | null | undefined][] = [
    ['100000', 100_000],
    [' $1,234.50 ', 1234.5],
    ['$ 1,234,567', 1_234_567],
    ['US$5', 5],
    ['1234 USD', 1234],
    ['.5', 0.5],
    ['5.', 5],
    ['1e5', 100_000],
    ['+7', 7],
    ['-7', -7],
    ['-$1,000', -1000],
    ['$-1,000', -1000],
    ['(1,000)', -1000],
    ['0', 0],
    ['1\u00a0000', 1000],
    ['', null],
    ['  ', null],
    ['abc', undefined],
    ['12,34', undefined],
    ['1,23,456', undefined],
    ['1.234,50', undefined],
    ['0x10', undefined],
    ['$', undefined],
    ['(5', undefined],
    ['--5', undefined],
    ['1e999', undefined],
    ['Infinity', undefined],
    ['€5', undefined],
    ['100k', undefined],
  ]
  for (const [text, value] of cases) assert.equal(readDollars(text), value, JSON.stringify(text))
})

test('one and two sales are computed with --trim no, and not judged', async () => {
  const of = async (count: number) => {
    const list = ['estimate,sale_price', '90000,100000', '110000,100000'].slice(0, count + 1)
    return (await study(list, ['--trim', 'no'])).groups[0] as unknown as Record<string, unknown>
  }
  const one = await of(1)
  assert.deepEqual(one.median, { value: 0.9, low: 0.9, high: 0.9 })
  assert.deepEqual([one.cod, one.prb, one.standard], [{ value: 0, low: 0, high: 0 }, null, null])
  const two = (await of(2)) as { median: { value: number }; cod: { value: number } }
  assert.equal(two.median.value, 1)
  assert.ok(Math.abs(two.cod.value - 10) < 1e-9)
})

test('a use that is no code is wrong use', async () => {
  const words = ['--state', 'WI', '--county', 'Dane', '--use', 'R1']
  await assert.rejects(runCommand(ratiosCommand, words, { data }), /--use must be four digits/)
})
