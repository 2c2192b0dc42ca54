/** Use codes of mappings with a table: which of the roll's codes have one of docs/use-codes.md. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Columns, compileValue } from '../../src/import/mapping/expression.ts'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { USE_CODES } from '../../src/record/use-codes.ts'
import { listMappingUses, readUses, TABLES } from './mapping-tables.ts'

for (const [name, { codes, none }] of Object.entries(TABLES)) {
  test(`${name}: every code of the roll has a use code, or is listed as having none`, () => {
    const without = codes.split(' ').filter((code) => {
      const { use, residential } = readUses(name, code)
      if (use === null) return true
      const known = USE_CODES.get(use)
      assert.ok(known !== undefined, `${code} gives ${use}, which is no code`)
      if (residential !== null)
        assert.equal(residential === 'true', known.dwelling, `${code}: ${use} and residential`)
      return false
    })
    assert.deepEqual(without, none === '' ? [] : none.split(' '))
  })
}

test('Arizona: a code without its leading zeros is the same', () => {
  const cases = { 131: '1001', 12: '8001', 261: '1010', 1310: null, 31: '8000' }
  for (const [code, use] of Object.entries(cases)) {
    assert.equal(readUses('az-pima', code).use, use, code)
  }
})

test('Arizona: where the code says nothing, a legal class of homes or their commons does', () => {
  const cases = {
    3.1: '1000',
    3.2: '1000',
    4.2: '1000',
    4.8: '1010',
    4.5: null,
    1.12: null,
    31: null,
  }
  for (const [legalClass, use] of Object.entries(cases)) {
    assert.equal(readUses('az-maricopa', legalClass, 'LC_CUR').use, use, legalClass)
  }
})

test('Lancaster: a residential lot without a building is vacant, whatever its prime use', () => {
  const { fields } = loadMapping('ne-lancaster')
  const columns = new Columns(['CLASSCD', 'RESFLRAREA', 'PRIMEUSE'])
  const read = compileValue(fields.useCode ?? '', columns, [])
  const cases: [string[], string][] = [
    [['R2', '', 'Single Family'], '8001'],
    [['R2', '0', 'Townhouse'], '8001'],
    [['R2', '0.0', 'Duplex/Triplex'], '8001'],
    [['R2', '', 'Acreage'], '8001'],
    // Near misses: a house whose class is late, an improved lot, other uses.
    [['R2', '1204', 'Single Family'], '1001'],
    [['R1', '', 'Single Family'], '1001'],
    [['R1', '0', 'Townhouse'], '1002'],
    [['R2', '', 'Condo Base Account'], '1010'],
    [['C2', '', 'Multi-Family'], '1100'],
    [['A2', '', 'Agricultural'], '7000'],
  ]
  for (const [row, use] of cases) assert.equal(read?.(row), use, row.join(' '))
})

test('the page of mappings and their uses is the mappings', () => {
  const page = new URL('../../docs/mapping-uses.tsv', import.meta.url)
  assert.equal(readFileSync(page, 'utf8'), listMappingUses(), 'run npm run fields')
})
