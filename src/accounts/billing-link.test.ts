import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBillingLink, signBillingLink } from './billing-link.ts'

const NOW = Date.UTC(2026, 2, 10, 12)
const OLD = { id: 'old', value: Buffer.from('o'.repeat(32)) }
const NEW = { id: 'new', value: Buffer.from('n'.repeat(32)) }

const { query, until } = signBillingLink([OLD], 'acc_1', NOW)
const read = (text: string, now = NOW, secrets = [OLD]) =>
  readBillingLink(secrets, new URLSearchParams(text), now)

test('a link is good for 15 minutes, and no longer', () => {
  assert.equal(until - NOW, 900_000)
  assert.equal(read(query), 'acc_1')
  assert.equal(read(query, until), 'acc_1')
  assert.equal(read(query, until + 1), undefined)
})

test('a link is good under every secret that keys may have', () => {
  assert.equal(read(query, NOW, [NEW, OLD]), 'acc_1')
  assert.equal(read(query, NOW, [NEW]), undefined)
})

test('a link that was changed is none', () => {
  assert.equal(read(query.replace('acc_1', 'acc_2')), undefined)
  for (const text of ['', 'account=acc_1', 'account=acc_1&token=', 'account=acc_1&token=1.x']) {
    assert.equal(read(text), undefined, text)
  }
  for (let at = query.indexOf('token=') + 6; at < query.length; at += 1) {
    const other = query[at] === 'A' ? 'B' : 'A'
    assert.equal(read(query.slice(0, at) + other + query.slice(at + 1)), undefined)
  }
})
