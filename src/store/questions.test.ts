import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askThrough, QUESTIONS, type QuestionName } from './questions.ts'
import type { ParcelReader } from './store.ts'

const advice = { queued: true, ahead: false, tileRows: 1, tileColumns: 1 }

/** A reader of these questions, each of which answers with its name and arguments. */
function makeReader(names: string[]): ParcelReader {
  const asks = names.map((name) => [name, async (...args: unknown[]) => [name, ...args]])
  return { advice, unreached: () => [], ...Object.fromEntries(asks) } as ParcelReader
}

test('every question of a reader goes through the wrapper once, with its arguments', async () => {
  const names = Object.keys(QUESTIONS) as QuestionName[]
  const asked: string[] = []
  const reader = makeReader(names)
  const wrapped = askThrough(reader, ({ name, put }) => {
    asked.push(name)
    return put(reader)
  })
  for (const name of names) {
    const ask = wrapped[name] as (...args: unknown[]) => Promise<unknown>
    assert.deepEqual(await ask({ state: 'WI' }, 2, 3), [name, { state: 'WI' }, 2, 3])
  }
  assert.deepEqual(asked, names)
  assert.equal(wrapped.advice, advice)
})

test('a question names its state, by its first argument or in it, or none', async () => {
  const states: unknown[] = []
  const reader = makeReader(Object.keys(QUESTIONS))
  const wrapped = askThrough(reader, async ({ state, put }) => {
    states.push(state)
    return put(reader)
  })
  await wrapped.byIds('WI', [1])
  await wrapped.page({ state: 'TX', assignedOnly: false }, { afterId: 0, skip: 0, limit: 1 }, 0)
  await wrapped.pointsIn({ assignedOnly: false }, { west: 0, south: 0, east: 0, north: 0 }, 1)
  await wrapped.pointsIn(
    { state: 'NE', assignedOnly: false },
    { west: 0, south: 0, east: 0, north: 0 },
    1,
  )
  await wrapped.coverage()
  assert.deepEqual(states, ['WI', 'TX', undefined, 'NE', undefined])
})

test('questions that a reader lacks, or that are left out, are absent', () => {
  const reader = makeReader(['byIds', 'shapeIdsIn', 'readOfTomorrow'])
  const wrapped = askThrough(
    reader,
    ({ put }) => put(reader),
    (name) => name === 'shapeIdsIn',
  )
  assert.deepEqual(Object.keys(wrapped).sort(), ['advice', 'byIds', 'unreached'])
})
