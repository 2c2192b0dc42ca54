import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, type Receiver, SETTINGS } from './config.ts'
import { leastConfig } from './least-environment.ts'
import { readConfig } from './read-config.ts'

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

const RECEIVERS: Receiver[] = ['worker', 'console', 'billing', 'notifier']
const SECRETS = SETTINGS.filter(({ secretOf }) => secretOf !== undefined)

for (const { key, name, secretOf = [] } of SECRETS) {
  test(`${name} reaches only the processes that its row names`, () => {
    const config = { ...readConfig({}), [key]: 'known' } as Config
    const holders = RECEIVERS.filter((receiver) => leastConfig(config, receiver)[key] !== null)
    assert.deepEqual(new Set(holders), new Set(secretOf))
  })
}

test('a setting whose name is that of a secret is marked as one', () => {
  const named = SETTINGS.filter(({ name }) => /KEY|SECRET|TOKEN|PASSWORD/.test(name))
  assert.deepEqual(
    named.filter(({ secretOf }) => secretOf === undefined).map(({ name }) => name),
    [],
  )
  // Addresses that may contain a token.
  for (const key of ['anchorUrl', 'notifyUrl', 'tracesUrl']) {
    assert.ok(SECRETS.some((one) => one.key === key))
  }
})
