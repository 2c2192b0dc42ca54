import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFullName } from './full-name.ts'

const show = (text: string) =>
  readFullName(text).map((list) =>
    list.map(({ lastName, firstName }) => `${lastName}+${firstName}`).join(' '),
  )

const cases: [string, string[]][] = [
  ['Marlowe, June', ['MARLOWE+JUNE']],
  ['June Marlowe', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['MARLOWE JUNE Q', ['MARLOWE+JUNE Q', 'MARLOWE+JUNE']],
  ['June Q. Marlowe Jr', ['JUNE+Q MARLOWE MARLOWE+JUNE Q', 'MARLOWE+JUNE']],
  ['Marlowe, June, Jr.', ['MARLOWE+JUNE']],
  ['Juan de la Cruz', ['JUAN+DE LA CRUZ DE LA CRUZ+JUAN']],
  ['De La Cruz Juan', ['DE LA CRUZ+JUAN JUAN+DE LA CRUZ']],
  ['de la Cruz, Juan', ['DE LA CRUZ+JUAN']],
  ['June D. Marlowe', ['JUNE+D MARLOWE D MARLOWE+JUNE', 'MARLOWE+JUNE D', 'MARLOWE+JUNE']],
  ['June D Angelo', ['JUNE+D ANGELO D ANGELO+JUNE']],
  ['June O Brien', ['JUNE+O BRIEN O BRIEN+JUNE']],
  ['Dr. June Marlowe', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['Marlowe, Mrs. June', ['MARLOWE+JUNE']],
  ['June Marlowe, MBA', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['June Marlowe PhD', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['Sister June Marlowe', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['June Bishop', ['JUNE+BISHOP BISHOP+JUNE']],
  ['Major June', ['MAJOR+JUNE JUNE+MAJOR']],
  ['June "Junie" Marlowe', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['Estate of June Marlowe', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['June Marlowe, Trustee', ['JUNE+MARLOWE MARLOWE+JUNE']],
  ['Tam Van Nguyen', ['TAM+VAN NGUYEN NGUYEN+TAM VAN', 'NGUYEN+TAM']],
  ['Marlowe', []],
  ['Marlowe Jr', []],
  ['June & Mark Marlowe', []],
  ['Marlowe, June, Mark', []],
  ['Unit 7 Partners', []],
  ['one two three four five six seven', []],
  [',', []],
  ['', []],
]

for (const [text, expected] of cases) {
  test(`${text || 'nothing'} is read as ${expected.join(', then ') || 'no name'}`, () => {
    assert.deepEqual(show(text), expected)
  })
}

test('any text has at most six readings, each with both parts', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const all = readFullName(text).flat()
      assert.ok(all.length <= 6)
      assert.ok(all.every(({ lastName, firstName }) => lastName !== '' && firstName !== ''))
    }),
  )
})
