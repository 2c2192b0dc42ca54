import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldCity } from '../base/fold.ts'
import { isMunicipality } from './municipalities.ts'

test('a municipality is the asked place with and without its kind', () => {
  for (const [recorded, asked, expected] of [
    ['CUMRU TOWNSHIP', 'Cumru Twp.', true],
    ['CUMRU TWP', 'Cumru', true],
    ['City of Madison', 'MADISON', true],
    ['Charter Township of Canton', 'Canton Twp', true],
    ['CUMRU TOWNSHIP', 'Cumru Borough', false],
    ['KANSAS CITY', 'Kansas', false],
    ['ST. CLAIR TWP', 'Saint Clair', true],
    ['', '', false],
    ['TOWN', 'TOWN', true],
  ] as const) {
    assert.equal(isMunicipality(recorded, foldCity(asked)), expected, `${recorded} ${asked}`)
  }
})
