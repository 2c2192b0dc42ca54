import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldCity, foldLetters, foldParcelId, foldUseCode, stripParcelId } from './fold.ts'

test('cities are compared without case, punctuation, accents and short forms', () => {
  const same = [
    ['St. Paul', 'SAINT PAUL', 'st paul', 'St.Paul', 'ST-PAUL'],
    ['Cañon City', 'CANON CITY'],
    ["Coeur d'Alene", 'COEUR DALENE', 'Coeur d’Alene'],
    ['Mt. Horeb', 'MOUNT HOREB'],
    ['Winston-Salem', 'WINSTON SALEM'],
    ['N. Las Vegas', 'N LAS VEGAS', 'NORTH LAS VEGAS'],
    ['S St Paul', 'South Saint Paul'],
    ['W Palm Bch', 'WEST PALM BEACH'],
    ['Colorado Spgs', 'COLORADO SPRINGS'],
    ['Cleveland Hts.', 'CLEVELAND HEIGHTS'],
    ['Salt Lk City', 'SALT LAKE CITY'],
    ['Pk Ridge', 'PARK RIDGE'],
    ['Grand Isl.', 'GRAND ISLAND'],
    ['Cedar Rpds', 'CEDAR RAPIDS'],
    ['Mpls.', 'MINNEAPOLIS'],
    ['NYC', 'New York'],
    ['SLC', 'Salt Lk City'],
    ['No. Attleboro', 'N Attleboro', 'NORTH ATTLEBORO'],
    ['So Portland', 'South Portland'],
    ['Okla City', 'OKC'],
    ['Ｌｉｎｃｏｌｎ', 'LINCOLN', 'ＬＩＮＣＯＬＮ'],
    ['Ｓｔ．　Ｐａｕｌ', 'SAINT PAUL'],
  ]
  for (const names of same) assert.equal(new Set(names.map(foldCity)).size, 1, names.join(', '))
  assert.notEqual(foldCity('Paul'), foldCity('Saint Paul'))
  for (const [one, other] of [
    ['N Lincoln', 'Lincoln'],
    ['N Lincoln', 'S Lincoln'],
    ['N Lincoln', 'Northlincoln'],
    ['Lincoln N', 'Lincoln North'],
    ['NE Lincoln', 'North Lincoln'],
    ['Hts', 'Height'],
    ['Valley Springs', 'Valley Spring'],
    ['Port Orange', 'Pt Orange'],
    ['Parkville', 'Pkville'],
    ['Island', 'Is'],
  ] as const)
    assert.notEqual(foldCity(one), foldCity(other), one)
  assert.notEqual(foldCity('Ｐａｕｌ'), foldCity('Ｓｔ Ｐａｕｌ'))
  assert.equal(foldCity(' .,'), '')
})

test('folding a folded text changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const fold of [foldCity, foldLetters, foldParcelId, foldUseCode, stripParcelId]) {
        assert.equal(fold(fold(text)), fold(text))
      }
    }),
  )
})

test('use codes are compared without leading zeros, but a code of zeros stays one', () => {
  const codes = ['0101', ' 101', '0', '00', 'A01', '00 A']
  assert.deepEqual(codes.map(foldUseCode), ['101', '101', '0', '0', 'A01', '0 A'])
})

test('parcel IDs keep inner punctuation, stripped ones keep none', () => {
  assert.equal(foldParcelId(' 1-2.a '), '1-2.A')
  assert.equal(stripParcelId(' 1-2.a '), '12A')
  assert.equal(stripParcelId('１－２．ａ'), '12A')
})
