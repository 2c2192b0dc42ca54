import assert from 'node:assert/strict'
import test from 'node:test'
import { isRounded } from '../../import/mapping/clean.ts'
import type { Contents } from '../sample/contents.ts'
import { warnOfIds } from './warnings.ts'

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
  assert.match(ids(lost)[0] ?? '', /80 % of the parcel IDs have 10 digits.*\^\(\?=\\\\d\{9\}\$\)/)
  assert.deepEqual(ids([...lost, '0107020012']), [])
  assert.deepEqual(ids([...many('107', 30), ...many('23', 30)]), [])
})

test('repeats cause a warning', () => {
  assert.match(ids(['A1', 'A2'], 0.9)[0] ?? '', /10 % of the rows repeat/)
})
