import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { readNetworks } from '../../base/network/networks.ts'
import { addressGroup, clientAddress } from './address-shares.ts'

const trusted = readNetworks('10.0.0.0/8, 2001:db8:ffff::/48')

const CASES: [peer: string, forwarded: string, client: string][] = [
  ['10.0.0.1', '203.0.113.2', '203.0.113.2'],
  ['10.0.0.1', '203.0.113.2:4711', '203.0.113.2'],
  ['10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['10.0.0.1', '"[2001:db8::1]:443"', '2001:db8::1'],
  ['10.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.1', '198.51.100.9:1, 203.0.113.2:4711, 10.1.1.1:80', '203.0.113.2'],
  ['10.0.0.1', '203.0.113.2, [2001:db8:ffff::7]:443', '203.0.113.2'],
  ['10.0.0.1', 'unknown', 'unknown'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['192.0.2.1', '203.0.113.2:4711', '192.0.2.1'],
]
for (const [peer, forwarded, client] of CASES) {
  test(`X-Forwarded-For ${JSON.stringify(forwarded)} from ${peer} is of ${client}`, () => {
    assert.equal(clientAddress(ask(peer, forwarded), trusted), client)
  })
}

test('two clients behind a proxy are two, however their ports change', () => {
  const group = (forwarded: string) => addressGroup(ask('10.0.0.1', forwarded), trusted)
  assert.equal(group('203.0.113.2:1'), group('203.0.113.2:2'))
  assert.notEqual(group('203.0.113.2:1'), group('203.0.113.3:1'))
  assert.equal(group('[2001:db8::1]:1'), group('2001:db8::2'))
})

function ask(remoteAddress: string, forwarded: string): IncomingMessage {
  const headers = { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}
