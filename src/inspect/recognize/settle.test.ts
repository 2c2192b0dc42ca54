import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { Sample } from '../sample/sample.ts'
import { settleMeanings } from './settle.ts'
import { makeSubjects } from './subject.ts'

const CASES = readFileSync(new URL('cases/settled-columns.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
const ROWS = 30

/** A roll of one column that repeats the values, numbered where they would all differ. */
function sampleOf(name: string, values: string[]): Sample {
  const isSerial = values.every((text) => /^\d+$/.test(text)) && new Set(values).size > 2
  const kept = Array.from({ length: ROWS }, (_, at) => {
    const text = values[at % values.length] ?? ''
    return [isSerial && /RECORD/i.test(name) ? String(Number(text) + at * 1000) : text]
  })
  const distinct = new Set(kept.flat()).size
  const column = { name, filled: ROWS, nulls: {}, rare: {}, firsts: kept.flat(), distinct }
  const counts = { rows: ROWS, blankRows: 0, brokenRows: 0, headless: false, unplaced: [] }
  const points = kept.map(() => null)
  return { file: 'roll.csv', columns: [column], ...counts, kept, points }
}

for (const line of CASES) {
  const [, name = '', texts = '', words = ''] = /^(.+?): (.*) > (.*)$/.exec(line) ?? []
  test(`the values decide what a column is: ${line}`, () => {
    const sample = sampleOf(name, texts.split('|'))
    const [settled] = settleMeanings(makeSubjects(sample, '2026-06-01', undefined))
    assert.equal(settled?.meaning.words.join(' '), words)
  })
}
