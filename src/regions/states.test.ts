import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findState, findStateByFips, readState, STATES, stateOfZip } from './states.ts'

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

test('a text that is not a state gives none', () => {
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

test('rolls write states with dots, blanks, in full and by older abbreviations', () => {
  for (const text of ['NJ', 'nj', 'N.J.', 'N. J.', 'N J', 'New Jersey', 'NEW JERSEY.']) {
    assert.equal(readState(text)?.code, 'NJ', text)
  }
  assert.deepEqual(
    ['Oregon', 'Calif.', 'D.C.', 'West Virginia', 'N. Mex.'].map((text) => readState(text)?.code),
    ['OR', 'CA', 'DC', 'WV', 'NM'],
  )
  for (const text of ['ON', 'Ontario', 'X', '', 'N.', 'NEW', 'Jersey']) {
    assert.equal(readState(text), undefined, text)
  }
})

test('a ZIP gives its state', () => {
  assert.deepEqual(
    ['07307', '97006', '68503', '20001', '00601', '06320', '96910', '6850', '00100'].map(
      stateOfZip,
    ),
    ['NJ', 'OR', 'NE', 'DC', 'PR', 'CT', 'GU', undefined, undefined],
  )
})
