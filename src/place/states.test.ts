import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findState, findStateByFips, STATES } from './states.ts'

test('there are 50 states, DC and five territories', () => {
  assert.equal(STATES.length, 56)
  assert.equal(new Set(STATES.map((state) => state.code)).size, 56)
  assert.equal(new Set(STATES.map((state) => state.fips)).size, 56)
  for (const state of STATES) assert.match(`${state.code} ${state.name}`, /^[A-Z]{2} [A-Z]/)
})

test('a state is found by its two letters in any case', () => {
  for (const state of STATES) {
    assert.equal(findState(state.code), state)
    assert.equal(findState(state.code.toLowerCase()), state)
    assert.equal(findState(` ${state.code} `), state)
  }
  assert.deepEqual(findState('ne'), { code: 'NE', name: 'Nebraska', fips: 31 })
})

test('what is no state is none', () => {
  for (const text of [
    '',
    'XX',
    'N',
    'NEB',
    'Nebraska',
    'N E',
    '31',
    'ß',
    'UM',
    'AE',
    'constructor',
  ]) {
    assert.equal(findState(text), undefined, text)
  }
})

test('rolls may write the FIPS code of a state', () => {
  assert.equal(findStateByFips('31')?.code, 'NE')
  assert.equal(findStateByFips('1')?.code, 'AL')
  assert.equal(findStateByFips('03'), undefined)
  assert.equal(findStateByFips('NE'), undefined)
})
