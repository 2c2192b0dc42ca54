import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from './keep-recent.ts'

test('of recent answers the newest are kept, and those that are asked for again', () => {
  const recent = new Recent<number>()
  for (let at = 0; at < 10_000; at += 1) {
    if (at > 0) assert.equal(recent.get('again'), -1)
    else recent.set('again', -1)
    recent.set(`${at}`, at)
  }
  assert.equal(recent.get('9999'), 9999)
  assert.equal(recent.get('9100'), 9100)
  assert.equal(recent.get('7000'), undefined)
})
