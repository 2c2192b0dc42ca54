import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientAddress } from '../../http/load/address-shares.ts'
import { readNetworks } from './networks.ts'

function requestFrom(remoteAddress: string, forwarded: string): IncomingMessage {
  const headers = { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

for (const [peer, forwarded, client] of [
  ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.1.2.3', '6.6.6.6, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['10.1.2.3', '', '10.1.2.3'],
] as const) {
  test(`${peer} forwards "${forwarded}": the caller is ${client}`, () => {
    assert.equal(
      clientAddress(requestFrom(peer, forwarded), readNetworks('10.0.0.0/8, ::1')),
      client,
    )
  })
}

test('a text that is not a network is refused by name', () => {
  for (const entry of ['10.0.0.0/99', 'proxy.example', '10.0.0.0/']) {
    assert.throws(() => readNetworks(`::1, ${entry}`), new RegExp(`"${entry}"`))
  }
})
