import assert from 'node:assert/strict'
import test from 'node:test'
import { isRounded } from '../../import/mapping/clean.ts'
import type { Contents } from '../sample/contents.ts'
import { warnOfIds } from './compose-ids.ts'

const ids = (texts: string[], uniqueness = 1) =>
  warnOfIds('PIN', { texts, values: texts, uniqueness } as Contents)
const many = (text: string, count: number) => Array.from({ length: count }, () => text)

test('IDs that a spreadsheet rounded cause a warning with an example', () => {
  assert.match(ids(['1.01687E+09', '1016870123'])[0] ?? '', /50 % .* rounded \(1\.01687E\+09\)/)
  assert.equal(isRounded('5E+10'), true)
  assert.equal(isRounded('12E45'), false)
})

test('IDs that may have lost their zeros cause a warning with the remedy', () => {
  const lost = [...many('3107020012', 80), ...many('107020012', 20)]
  assert.match(
    ids(lost)[0] ?? '',
    /80 of 100 parcel IDs have 10 digits, the other 20 fewer.*\^\(\?=\\\\d\{9\}\$\)/,
  )
  assert.equal(ids([...lost, '0']).length, 1)
  assert.deepEqual(ids([...lost, '0107020012']), [])
  assert.deepEqual(ids([...lost, '000-A1']), [])
  assert.deepEqual(ids([...many('107', 30), ...many('23', 30)]), [])
})

test('repeats cause a warning', () => {
  assert.match(ids(['A1', 'A2'], 0.9)[0] ?? '', /10 % of the rows repeat/)
})

test('IDs that a spreadsheet made dates cause a warning with their count', () => {
  for (const id of ['3-Apr', 'Apr-04', '3-Apr-04', '12-Dec-1999']) {
    assert.match(ids(['12-4', id])[0] ?? '', /1 of 2 parcel IDs are dates/, id)
  }
  for (const id of ['3-APR', 'MAR-12', '3-April', 'Apr', 'A-3-Apr', '3-14', 'May 3']) {
    assert.deepEqual(ids(['12-4', id]), [], id)
  }
})

test('long IDs that end in zeros cause a warning, if nearly all of them do', () => {
  const long = Array.from({ length: 40 }, (_, at) => `23260500000${1000 + at}000`)
  assert.match(ids(long)[0] ?? '', /40 of 40 parcel IDs of more than 15 digits have zeros/)
  const sound = (text: string) => [...long.slice(0, 30), ...many(text, 10)]
  assert.deepEqual(ids(sound('232605000001000012')), [], 'a quarter has other digits')
  assert.deepEqual(ids(many('1401300004000', 40)), [], '13 digits are kept')
  assert.deepEqual(ids(many('23-26-05-000-000.037-000', 40)), [], 'a text is not rounded')
  assert.deepEqual(ids(long.slice(0, 5)), [], 'five are too few')
})
