import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../read-config.ts'
import { leastConfig } from './least-config.ts'

test('only workers get the path of the TLS key', () => {
  const config = { ...readConfig({}), tlsCert: '/tls/cert.pem', tlsKey: '/tls/key.pem' }
  const receivers = (['worker', 'console', 'billing', 'notifier'] as const).filter(
    (receiver) => leastConfig(config, receiver).tlsKey !== null,
  )
  assert.deepEqual(receivers, ['worker'])
  assert.equal(config.tlsKey, '/tls/key.pem')
})

test('settings that are not secrets are the same for all', () => {
  const { data, databaseUrl, workers } = leastConfig(readConfig({ PLATBOOK_DATA: '/d' }), 'console')
  assert.deepEqual([data, databaseUrl], ['/d', null])
  assert.ok(workers > 0)
})
