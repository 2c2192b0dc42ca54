import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateOf, periodAt, useAt } from './period.ts'

const CALENDAR = { periodStart: null, periodEnd: null }

/** periodStart | periodEnd | now => start | end of the period then */
const CASES = `
  -          | -          | 2026-05-31T23:59:59.999Z => 2026-05-01 | 2026-06-01
  -          | -          | 2026-06-01T00:00:00.000Z => 2026-06-01 | 2026-07-01
  -          | -          | 2024-02-29T12:00:00.000Z => 2024-02-01 | 2024-03-01
  2026-01-15 | 2026-02-15 | 2026-01-15T00:00:00.000Z => 2026-01-15 | 2026-02-15
  2026-01-15 | 2026-02-15 | 2026-02-14T23:59:59.999Z => 2026-01-15 | 2026-02-15
  2026-01-15 | 2026-02-15 | 2026-03-20T00:00:00.000Z => 2026-03-15 | 2026-04-15
  2026-01-31 | 2026-03-31 | 2026-10-01T00:00:00.000Z => 2026-09-30 | 2026-11-30
  2026-01-31 | 2027-01-31 | 2029-01-30T00:00:00.000Z => 2028-01-31 | 2029-01-31
  2024-02-29 | 2024-03-29 | 2025-03-01T00:00:00.000Z => 2025-02-28 | 2025-03-29
  2026-01-31 | 2026-02-28 | 2026-03-20T00:00:00.000Z => 2026-02-28 | 2026-03-31
  2026-02-28 | 2026-03-31 | 2026-02-27T00:00:00.000Z => 2026-01-31 | 2026-02-28
  2026-04-30 | 2026-05-31 | 2026-06-30T00:00:00.000Z => 2026-06-30 | 2026-07-31
  2026-02-28 | 2026-03-28 | 2026-03-30T00:00:00.000Z => 2026-03-28 | 2026-04-28
  2026-01-31 | 2026-02-27 | 2026-02-27T00:00:00.000Z => 2026-02-27 | 2026-03-26
  2026-01-01 | 2026-01-08 | 2026-01-22T00:00:00.000Z => 2026-01-22 | 2026-01-29
  2026-01-01 | 2026-01-31 | 2026-03-02T00:00:00.000Z => 2026-03-02 | 2026-04-01
  2026-01-01 | 2026-01-02 | 2026-01-05T13:00:00.000Z => 2026-01-05 | 2026-01-06
  2026-06-10 | 2026-07-10 | 2026-05-11T00:00:00.000Z => 2026-05-10 | 2026-06-10
`

test('the period that contains a moment is found, cases', () => {
  const lines = CASES.split('\n').filter((line) => line.trim() !== '')
  for (const line of lines) {
    const [asked = '', expected = ''] = line.split('=>')
    const [from = '', to = '', now = ''] = asked.split('|').map((cell) => cell.trim())
    const facts = from === '-' ? CALENDAR : { periodStart: from, periodEnd: to }
    const [start, end] = expected.split('|').map((cell) => cell.trim())
    assert.deepEqual(periodAt(facts, Date.parse(now)), { start, end }, line)
  }
})

test('periods hold their moment and follow one another without gap or overlap', () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => days * 86_400_000)
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 800 }), day, (start, length, now) => {
      const facts = { periodStart: dateOf(start), periodEnd: dateOf(start + length * 86_400_000) }
      const period = periodAt(facts, now)
      assert.ok(period.start <= dateOf(now) && dateOf(now) < period.end)
      assert.equal(periodAt(facts, Date.parse(period.end)).start, period.end)
      assert.equal(periodAt(facts, Date.parse(period.start) - 1).end, period.start)
      assert.deepEqual(periodAt(facts, start), {
        start: facts.periodStart,
        end: facts.periodEnd,
      })
    }),
  )
})

test('use counts until a newer period begins, and stays when the clock goes back', () => {
  const newest = { period: '2026-05-01', used: 7 }
  const at = (date: string) => useAt(CALENDAR, newest, Date.parse(date))
  assert.deepEqual(at('2026-05-31'), newest)
  assert.deepEqual(at('2026-06-01'), { period: '2026-06-01', used: 0 })
  assert.deepEqual(at('2025-01-01'), newest)
  assert.deepEqual(useAt(CALENDAR, undefined, Date.parse('2026-05-31')), {
    period: '2026-05-01',
    used: 0,
  })
})
