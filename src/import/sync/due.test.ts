/** Tests when a source is due for another look. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { isDue, readPeriodDays } from './due.ts'

test('the period is read from the words of publishers', () => {
  const cases: [string | undefined, number][] = [
    ['daily', 1],
    ['nightly', 1],
    ['Weekly', 7],
    ['weekly current files, yearly certified', 7],
    ['quarterly to yearly', 91],
    ['twice a year', 182],
    ['annually', 365],
    ['10 days', 10],
    ['0 days', 30],
    ['whenever the county delivers', 30],
    [undefined, 30],
  ]
  for (const [text, days] of cases) assert.equal(readPeriodDays(text), days, String(text))
})

test('a source is due after its period, an hour early, and when it was never asked', () => {
  const hour = 3_600_000
  assert.equal(isDue('daily', null, 0), true)
  assert.equal(isDue('daily', 0, 22 * hour), false)
  assert.equal(isDue('daily', 0, 23 * hour), true)
  assert.equal(isDue('weekly', 0, 6 * 24 * hour), false)
})
