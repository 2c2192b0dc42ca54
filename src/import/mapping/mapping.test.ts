import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CommandError } from '../../base/errors.ts'
import { readMapping, SCHEMA_PATH } from './mapping.ts'
import { findLine } from './mapping-faults.ts'

const wrap = (fields: string[]) =>
  `{\n"name": "a-b",\n"title": "T",\n"fields": {\n${fields.join(',\n')}\n}\n}`

function faults(text: string): string[] {
  try {
    readMapping(text, 'it')
  } catch (error) {
    if (error instanceof CommandError) return error.message.split('\n').map((line) => line.trim())
    throw error
  }
  return []
}

test('the schema of mappings is a valid JSON Schema, which imports take for granted', () => {
  const ajv = new Ajv2020()
  const schema = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8'))
  assert.equal(ajv.validateSchema(schema), true, ajv.errorsText())
  assert.equal(ajv.validateSchema({ ...schema, required: 'name' }), false)
})

test('every fault is reported with its line, its field and what was expected', () => {
  const text = wrap([
    '"parcelId": "A"',
    '"city": {"colum": "B"}',
    '"landArea": {"column": "C", "unit": "miles"}',
    '"parcelid": "A"',
  ])
  assert.deepEqual(faults(text), [
    'it is not a mapping:',
    'line 8, fields.parcelid: no such property; did you mean parcelId or formerParcelIds?',
    'line 6, fields.city.colum: no such property; did you mean column?',
    'line 7, fields.landArea.unit: "miles" is none of "square feet", "acres", "square ' +
      'meters", "hectares"',
  ])
})

test('a mapping without a parcel ID is refused', () => {
  assert.deepEqual(faults(wrap(['"city": "A"'])), [
    'it is not a mapping:',
    'line 4, fields: the property "parcelId" is missing',
  ])
})

test('text that is not JSON is reported with its line', () => {
  assert.match(faults('{\n"name": "x",,\n}')[0] ?? '', /^it is not JSON: .*line 2/)
})

test('properties whose name begins with // are remarks', () => {
  const text = wrap([
    '"// why": "told by a person"',
    '"parcelId": {"column": "A", "//": "97 %"}',
    '"// city": {"colum": 1}',
  ])
  assert.deepEqual(readMapping(text, 'it').fields, { parcelId: { column: 'A' } })
})

test('lines are found by the path, not by the first text that looks like it', () => {
  const text = '{\n"b": "a",\n"x": {"a": 1},\n"a": [\n {"b": "]"},\n {"b": 2}]\n}'
  assert.equal(findLine(text, ['a', '1', 'b']), 6)
  assert.equal(findLine(text, ['x', 'a']), 3)
  assert.equal(findLine(text, ['a', 'none']), 4)
})
