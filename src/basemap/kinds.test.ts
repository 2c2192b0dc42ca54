import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfArea, kindOfLine } from './kinds.ts'

test('ponds, wide rivers, canals and reservoirs are water; other areas are land or nothing', () => {
  for (const code of ['H2030', 'H2040', 'H2051', 'H2081', 'H3010', 'H3020']) {
    assert.deepEqual(kindOfArea(code, 3e5), { layer: 'water', kind: 'water', zoom: 11 }, code)
  }
  assert.equal(kindOfArea('H2025', 1)?.kind, 'swamp')
  assert.equal(kindOfArea('K2180', 1)?.kind, 'park')
  for (const code of ['H1100', 'K2400', 'G4110', '']) assert.equal(kindOfArea(code, 1e9), undefined)
})

test('what the Census keeps for its own use is no road', () => {
  assert.equal(kindOfLine('S1750'), undefined)
  assert.equal(kindOfLine('S1740')?.kind, 'service')
})
