/** Use codes of mappings with a table: which of the roll's codes have one of docs/use-codes.md. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
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

test('Arizona: a code without leading zero is the same, and a class alone says whether homes', () => {
  for (const [code, use] of [
    ['131', '1001'],
    ['12', '8001'],
    ['261', '1010'],
    ['1310', null],
    ['31', '8000'],
  ] as const) {
    assert.equal(readUses('az-pima', code).use, use, code)
  }
})

test('the page of mappings and their uses is the mappings', () => {
  const page = new URL('../../docs/mapping-uses.tsv', import.meta.url)
  assert.equal(readFileSync(page, 'utf8'), listMappingUses(), 'run npm run fields')
})
