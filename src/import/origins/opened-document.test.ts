import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OriginDocument, packOrigin } from '../../store/origins/origins.ts'
import { openDocument } from './opened-document.ts'

const stored = (file: string, parts = 1) => {
  const document: OriginDocument = {
    loadedAt: 1,
    parts: Array.from({ length: parts }, () => ({ file, columns: ['PIN', 'NOTE'] })),
    joined: [],
    mapping: { name: 'own', fields: { parcelId: 'PIN', legalDescription: { column: 'NOTE' } } },
    settings: { today: '2026-01-01' },
    keepsRows: false,
  }
  return packOrigin(document)
}

test('the same document is opened once, and its values are compiled once', () => {
  const one = openDocument(stored('a.csv')).compile(0)
  const again = openDocument(stored('a.csv')).compile(0)
  const { parcelId = '', legalDescription = '' } = one.mapping.fields
  assert.equal(again.value(parcelId), one.value(parcelId))
  assert.equal(again.value(legalDescription), one.value(legalDescription))
  assert.equal(one.value(legalDescription).get?.(['1', ' LOT  5 ']), 'LOT 5')
  assert.notEqual(openDocument(stored('b.csv')).compile(0), one)
})

test('the documents and parts that were unused for longest are dropped', () => {
  const kept = openDocument(stored('kept.csv', 20))
  const [first, second] = [kept.compile(0), kept.compile(1)]
  for (let part = 2; part < 9; part += 1) {
    kept.compile(part)
    assert.equal(kept.compile(0), first)
  }
  assert.notEqual(kept.compile(1), second)
  const dropped = openDocument(stored('dropped.csv'))
  for (let at = 0; at < 8; at += 1) {
    openDocument(stored(`${at}.csv`))
    assert.equal(openDocument(stored('kept.csv', 20)), kept)
  }
  assert.notEqual(openDocument(stored('dropped.csv')), dropped)
})
