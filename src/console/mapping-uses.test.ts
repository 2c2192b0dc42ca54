/** Tests which fields of a mapping a column feeds, and changes of that. */
import assert from 'node:assert/strict'
import test from 'node:test'

// A module of the browser, which has no types.
const path = new URL('browser/mapping-uses.js', import.meta.url).href
const { clear, columnsOf, describeStep, feed, listUses, valueAt, withoutColumn } = await import(
  path
)

const MAPPING = {
  name: 'x',
  fields: {
    parcelId: { column: 'PIN', '//': '100 %: its name says so' },
    ownerName1: { join: ['LAST', { join: ['FIRST'] }], with: ', ' },
    valueType: { column: 'TOTAL', cases: [{ pattern: '.', gives: 'assessed' }] },
    totalAssessedValue: 'TOTAL',
    '// city': { column: 'TOWN' },
    neighborhood: { column: ['NBHD', 'HOOD'] },
  },
  alternateParcelIds: ['OLD_PIN'],
  buildings: [
    { totalBathrooms: { sum: ['FULL', { column: 'HALF', times: 0.5 }] } },
    { yearBuilt: 'YEAR2' },
  ],
  transfers: [{ transferPrice: { column: 'PRICE', when: 'DEED' } }],
  point: { epsg: 2277, x: 'X', y: 'Y' },
  skip: [{ value: 'KIND', is: ['road'] }],
  join: { needs: ['KEY'], key: 'KEY', to: 'PIN' },
  repeats: { merge: ['owners'], prefer: { column: 'SEQ', value: 1 } },
}
const targetsOf = (column: string) =>
  listUses(MAPPING)
    .filter(({ columns }: { columns: string[] }) => columns.includes(column))
    .map(({ target, path: at }: { target: string; path: unknown[] }) => target || at.join('.'))

test('a column is listed with all that it feeds, also in buildings, sales and lists', () => {
  const cases: [string, string[]][] = [
    ['PIN', ['parcelId', 'join']],
    ['FIRST', ['ownerName1']],
    ['TOTAL', ['valueType', 'totalAssessedValue']],
    ['TOWN', []],
    ['HOOD', ['neighborhood']],
    ['OLD_PIN', ['alternateParcelIds']],
    ['HALF', ['buildings.totalBathrooms']],
    ['YEAR2', ['buildings2.yearBuilt']],
    ['DEED', ['transfers.transferPrice']],
    ['Y', ['point.y']],
    ['KIND', ['skip.0']],
    ['SEQ', ['repeats.prefer']],
  ]
  for (const [column, targets] of cases) assert.deepEqual(targetsOf(column), targets, column)
})

test('the step of a column is said in words', () => {
  const { ownerName1, valueType } = MAPPING.fields
  const [{ totalBathrooms }] = MAPPING.buildings as [{ totalBathrooms: unknown }]
  const cases: [unknown, string, string][] = [
    ['PIN', 'PIN', ''],
    [ownerName1, 'LAST', 'followed by FIRST'],
    [ownerName1, 'FIRST', 'after LAST'],
    [totalBathrooms, 'HALF', 'added to FULL, × 0.5'],
    [totalBathrooms, 'FULL', 'added to HALF'],
    [valueType, 'TOTAL', 'by a pattern'],
    [{ first: ['A', 'B'] }, 'A', 'before B'],
    [{ first: ['A', 'B'] }, 'B', 'where A is empty'],
    [{ column: 'A', codes: { 1: 'x', '// 2': 'y' } }, 'A', 'by a table of 1 code'],
    [{ column: 'A', when: 'B' }, 'B', 'only where it is known'],
    [{ column: 'A', date: 'auto' }, 'A', ''],
    [{ column: 'A', unit: 'acres' }, 'A', 'in acres'],
    [{ column: 'A', unit: { column: 'B' } }, 'B', 'the unit of A'],
  ]
  for (const [value, column, words] of cases) assert.equal(describeStep(value, column), words)
})

test('a column that is cleared leaves the other columns of a field', () => {
  const cases: [unknown, string, unknown][] = [
    ['A', 'A', undefined],
    ['A', 'B', 'A'],
    [{ column: 'A' }, 'A', undefined],
    [{ join: ['A', { join: ['B'] }], with: ', ' }, 'B', { join: ['A'], with: ', ' }],
    [{ join: ['A', 'B'] }, 'C', { join: ['A', 'B'] }],
    [{ sum: ['A', { column: 'B', times: 0.5 }] }, 'A', { sum: [{ column: 'B', times: 0.5 }] }],
    [{ column: 'A', when: 'B' }, 'B', { column: 'A' }],
    [{ column: 'A', when: 'B' }, 'A', undefined],
  ]
  for (const [value, column, left] of cases) assert.deepEqual(withoutColumn(value, column), left)
})

test('clearing and feeding change one place of the mapping', () => {
  const useOf = (target: string) =>
    listUses(MAPPING).find((use: { target: string }) => use.target === target)
  const without = clear(MAPPING, useOf('buildings2.yearBuilt'), 'YEAR2')
  assert.equal(without.buildings.length, 1)
  assert.equal(
    'alternateParcelIds' in clear(MAPPING, useOf('alternateParcelIds'), 'OLD_PIN'),
    false,
  )
  assert.equal(clear(MAPPING, useOf('parcelId'), 'PIN').fields.parcelId, undefined)
  assert.deepEqual(feed(MAPPING, 'city', 'TOWN', 'instead').fields.city, { column: 'TOWN' })
  assert.deepEqual(feed(MAPPING, 'parcelId', 'PIN2', 'first').fields.parcelId, {
    first: [{ column: 'PIN' }, { column: 'PIN2' }],
  })
  assert.deepEqual(feed(MAPPING, 'totalAssessedValue', 'T2', 'join').fields.totalAssessedValue, {
    join: ['TOTAL', { column: 'T2' }],
  })
  const built = feed(MAPPING, 'buildings.yearBuilt', 'YEAR', 'instead')
  assert.deepEqual(built.buildings[0].yearBuilt, { column: 'YEAR' })
  assert.deepEqual(built.buildings[1], { yearBuilt: 'YEAR2' })
  assert.deepEqual(feed({ fields: {} }, 'transfers.transferPrice', 'P', 'instead').transfers, [
    { transferPrice: { column: 'P' } },
  ])
  assert.equal(valueAt(MAPPING, 'alternateParcelIds'), undefined)
  assert.deepEqual(columnsOf(MAPPING.transfers[0]?.transferPrice), ['PRICE', 'DEED'])
})
