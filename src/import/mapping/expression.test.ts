import assert from 'node:assert/strict'
import test from 'node:test'
import { COUNTIES } from '../../regions/counties.ts'
import { Columns, compileValue } from './expression.ts'
import { listMappingNames, loadMapping, readMapping, type Value } from './mapping.ts'
import { compilePlan } from './plan.ts'

const SMALL = {
  name: 'small',
  title: 'Small',
  state: 'NE',
  county: 'Lancaster',
  fields: { parcelId: 'PIN' },
}
const read = (document: unknown) => readMapping(JSON.stringify(document, null, 2), 'small.json')

/** Evaluates a value for one row. */
function value(
  rule: Value,
  row: Record<string, string>,
  nulls: string[] = [],
): string | null | undefined {
  const getter = compileValue(rule, new Columns(Object.keys(row)), nulls)
  return getter?.(Object.values(row))
}

test('every mapping in the box is one, and is called what its file is', () => {
  const names = listMappingNames()
  for (const name of [
    'platbook',
    'ne-lancaster',
    'pa-philadelphia-opa',
    'ma-massgis-l3',
    'ny-pluto',
    'oh-seneca',
  ]) {
    assert.ok(names.includes(name), name)
  }
  for (const name of names) assert.equal(loadMapping(name).name, name)
})

test('line breaks within a value stay where a rule asks for them', () => {
  const row = { A: ' ROE JANE\r\n12 OAK ST \n\nHILLTOWN OR 97001\n', B: 'plain' }
  assert.equal(value('A', row), 'ROE JANE 12 OAK ST HILLTOWN OR 97001')
  const lines: Value = { column: 'A', lines: true }
  assert.equal(value(lines, row), 'ROE JANE | 12 OAK ST | HILLTOWN OR 97001')
  assert.equal(value({ ...lines, cut: '^[^|]+' }, row), 'ROE JANE')
  assert.equal(value({ column: 'B', lines: true }, row), 'plain')
})

test('a value comes from a column, a join, the first that speaks, a sum or a constant', () => {
  const row = { A: ' 12 ', B: '', C: 'OAK  ST', D: '30', e: 'x' }
  assert.equal(value('A', row), '12')
  assert.equal(value('E', row), 'x', 'case of a column does not count')
  assert.equal(value({ column: ['Z', 'C'] }, row), 'OAK ST')
  assert.equal(value({ join: ['A', 'B', 'C'] }, row), '12 OAK ST')
  assert.equal(value({ join: ['A', 'D'], with: '/' }, row), '12/30')
  assert.equal(value({ first: ['B', 'D'] }, row), '30')
  assert.equal(value({ sum: ['A', 'B', { column: 'D', times: 0.5 }] }, row), '27')
  assert.equal(value({ sum: ['A', 'E', 'D'] }, row), 'x', 'counted, and no sum of the others')
  assert.equal(value({ first: ['B', { sum: ['B', 'D'] }] }, row), '30')
  assert.equal(value({ constant: 7 }, row), '7')
  assert.equal(value('Z', row), undefined)
})

test('words for unknown are set per mapping and per value, numbers as numbers', () => {
  assert.equal(value('A', { A: 'NA' }), 'NA')
  assert.equal(value('A', { A: 'na' }, ['NA']), null)
  assert.equal(value('A', { A: '<Null>' }), null)
  assert.equal(value({ column: 'A', nulls: ['0'] }, { A: '0.00' }), null)
  assert.equal(value({ column: 'A', nulls: ['0'] }, { A: '0.01' }), '0.01')
  for (const zero of ['$0.00', '$ -', '(0)', '0-', '+0', '0E-11', '0.00000000000', '000,000']) {
    assert.equal(value({ column: 'A', nulls: ['0'] }, { A: zero }), null, zero)
  }
  const inside = { column: 'A', cut: '^[A-Z]+' }
  assert.equal(value({ ...inside, nulls: ['TBD'] }, { A: 'TBD 7' }), null, 'what a cut leaves')
  assert.equal(value(inside, { A: 'TBD 7' }, ['TBD']), null, "the mapping's own word")
  assert.equal(value({ column: 'A', nulls: ['9999'] }, { A: '$9,999.00' }), null)
  assert.equal(value({ column: 'A', nulls: ['$0'] }, { A: '0.0' }), null)
  for (const other of ['$0.01', '(1)', '10-', '1E5', '0,250', 'A0', '0-A', '0 OAK ST']) {
    assert.equal(value({ column: 'A', nulls: ['0'] }, { A: other }), other)
  }
})

test('a value is cut, replaced, looked up and multiplied in that order', () => {
  assert.equal(value({ column: 'A', cut: 'LOT (\\w+)' }, { A: 'BLOCK 2, Lot 9' }), '9')
  assert.equal(value({ column: 'A', cut: 'LOT (\\w+)' }, { A: 'BLOCK 2' }), null)
  assert.equal(value({ column: 'A', replace: [{ pattern: '^', with: '20' }] }, { A: '14' }), '2014')
  assert.equal(value({ column: 'A', codes: { '1': 'HOUSE' } }, { A: '01' }), 'HOUSE')
  assert.equal(value({ column: 'A', codes: { '1': 'HOUSE' } }, { A: '2' }), '2')
  assert.equal(value({ column: 'A', codes: { '1': 'HOUSE' }, otherwise: null }, { A: '2' }), null)
  assert.equal(
    value({ column: 'A', cases: [{ pattern: '^1 1/2', gives: 1.5 }] }, { A: '1 1/2 STORY' }),
    '1.5',
  )
  assert.equal(value({ column: 'A', times: 1000 }, { A: '1.5' }), '1500')
})

test('a file without required columns is an error that names them all', () => {
  const mapping = read({
    ...SMALL,
    fields: { parcelId: 'PIN', ownerName1: 'OWNER', city: 'TOWN' },
    optional: ['TOWN'],
  })
  const setup = { mapping, state: undefined, county: undefined, today: '2026-01-01' }
  assert.throws(() => compilePlan(setup, ['ID', 'NAME'], 'roll.csv'), {
    message:
      'roll.csv is not what the mapping small reads: it has no column PIN, OWNER; ' +
      'its columns are ID, NAME',
  })
  assert.doesNotThrow(() => compilePlan(setup, ['owner', 'pin'], 'roll.csv'))
  const { county: _, ...placeless } = mapping
  assert.throws(
    () => compilePlan({ ...setup, mapping: placeless }, ['owner', 'pin'], 'roll.csv'),
    /small has no county for roll\.csv: give --county NAME, or write "county" into/,
  )
})

test('every town of Massachusetts is in a known county', () => {
  const { fields } = loadMapping('ma-massgis-l3')
  const codes = (fields.county as { codes: Record<string, string> }).codes
  const counties = new Set(COUNTIES.filter(({ state }) => state === 'MA').map(({ name }) => name))
  assert.equal(Object.keys(codes).length, 351)
  for (const county of Object.values(codes)) assert.ok(counties.has(county.toUpperCase()), county)
})

test('column names cut after ten letters match the longer names of a mapping, one each', () => {
  const columns = new Columns(['PROP_ID', 'SITUS_STRE', 'LGL_AREA_U'])
  assert.equal(columns.find('SITUS_STREET_1'), 1)
  assert.equal(columns.find('SITUS_STREET_2'), undefined)
  assert.equal(columns.find('LGL_AREA_UNIT'), 2)
  assert.deepEqual([...columns.missing], ['SITUS_STREET_2'])
  assert.equal(new Columns(['SITUS_STRE', 'OWNER_NAME_FULL']).find('SITUS_STREET_1'), undefined)
  const asked = { ownerName2: 'OWNER_NAME2', ownerName: ['OWNER_NAME'] }
  const short = new Columns(['PARID', 'OWNER_NAME', 'ADDRESS'], asked)
  assert.equal(short.find('OWNER_NAME2'), undefined)
  assert.equal(short.find('OWNER_NAME'), 1)
})
