import assert from 'node:assert/strict'
import test from 'node:test'
import { DamagedIds } from './damaged-ids.ts'

test('IDs that a spreadsheet made dates of are counted; IDs of that form are not', () => {
  for (const [ids, count] of [
    [['1/2/1931', '31-001-02'], 1],
    [['2024-03-01', '2024-3'], 1],
    [['3-Apr', '3/4/2004', '12-14'], 2],
    // Near misses.
    [['1/2/1931', '31/42/1931'], 0],
    [['2024-03-01', '2024-13-01'], 0],
    [['1/2/31', '12/1931', 'MAR-01', '1702-03-01', '2024-03-001'], 0],
  ] as const) {
    const damage = new DamagedIds()
    for (const id of ids) damage.add(id)
    const [sentence = ''] = damage.list('PIN')
    if (count === 0) assert.equal(sentence, '', ids.join())
    else assert.match(sentence, new RegExp(`^PIN: ${count} of .* are dates`), ids.join())
  }
})

test('IDs that a program read as decimals are counted where all are so', () => {
  const whole = Array.from({ length: 20 }, (_, at) => `${at + 101}.0`)
  for (const [ids, isSaid] of [
    [whole, true],
    // Near misses: one lot with a number behind the point, other forms, few IDs.
    [[...whole, '101.1'], false],
    [[...whole, '101'], false],
    [whole.map((id) => `${id}0`), false],
    [whole.map((id) => `12.-${id}`), false],
    [whole.slice(1), false],
  ] as const) {
    const damage = new DamagedIds()
    for (const id of ids) damage.add(id)
    const said = damage.list('PIN').some((text) => /all 20 .* end in "\.0" \(101\.0\)/.test(text))
    assert.equal(said, isSaid, ids.join())
  }
})
