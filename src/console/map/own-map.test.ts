import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../settings/read-config.ts'
import { securityHeaders } from '../sign-in/guard.ts'
import { ownMapOf } from './basemap.ts'

const read = (value: string) => ownMapOf(readConfig({ PLATBOOK_BASEMAP_URL: value }))

test("an operator's own map opens the policy for its servers alone", () => {
  assert.deepEqual(read('https://maps.example/style.json https://a.example https://b.example'), {
    address: 'https://maps.example/style.json',
    origins: ['https://maps.example', 'https://a.example', 'https://b.example'],
  })
  const tiles = read('https://tiles.example:8443/{z}/{x}/{y}.png')
  assert.deepEqual(tiles?.origins, ['https://tiles.example:8443'])
  const policy = securityHeaders(tiles?.origins)['content-security-policy']
  assert.match(policy, /img-src 'self' blob: data: https:\/\/tiles\.example:8443;/)
  assert.match(policy, /connect-src 'self' https:\/\/tiles\.example:8443;/)
  assert.match(policy, /script-src 'self'; style-src 'self';/)
  assert.equal(read(''), undefined)
  assert.doesNotMatch(securityHeaders()['content-security-policy'], /https?:/)
})

test('what is no address, or an origin with a path, is refused at the start', () => {
  for (const value of [
    'maps.example',
    'ftp://maps.example/',
    'https://a.example https://b.example/x',
  ]) {
    assert.throws(() => read(value), /PLATBOOK_BASEMAP_URL/, value)
  }
})
