import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReturnTo, registerClient } from './oauth.ts'

const cases: [registered: string, asked: string, isAllowed: boolean][] = [
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3000/callback', true],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:49152/callback', true],
  ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback', true],
  ['http://[::1]:3000/callback', 'http://[::1]:4000/callback', true],
  ['http://localhost:3000/callback', 'http://localhost:4000/callback', true],
  ['http://localhost:3000/callback?a=1', 'http://localhost:4000/callback?a=1', true],
  ['http://127.0.0.1:3000/callback', 'http://localhost:3000/callback', false],
  ['http://127.0.0.1:3000/callback', 'http://[::1]:3000/callback', false],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3000/other', false],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:4000/callback?code=1', false],
  ['http://127.0.0.1:3000/callback', 'https://127.0.0.1:3000/callback', false],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:4000/callback#x', false],
  ['http://127.0.0.1:3000/callback', 'http://x@127.0.0.1:4000/callback', false],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.1.example:3000/callback', false],
  ['http://127.0.0.1:3000/callback', 'http://127.0.0.2:3000/callback', false],
  ['https://app.example/callback', 'https://app.example/callback', true],
  ['https://app.example/callback', 'https://app.example:8443/callback', false],
  ['https://localhost:3000/callback', 'https://localhost:4000/callback', false],
]

for (const [registered, asked, isAllowed] of cases) {
  test(`${registered} ${isAllowed ? 'allows' : 'refuses'} ${asked}`, () => {
    assert.equal(mayReturnTo({ redirects: [registered] }, asked), isAllowed)
  })
}

test('registers no address with a host that could change the policy of a page', () => {
  const register = (address: string) =>
    registerClient([{ id: 'a', value: Buffer.alloc(32) }], { redirect_uris: [address] })
  for (const host of ['a;sandbox.example', 'a,b.example', "'none'", '*', '*.example', 'a=b']) {
    assert.throws(() => register(`https://${host}/`), /invalid_redirect_uri/, host)
  }
  for (const host of ['app.example', 'xn--bcher-kva.example', '203.0.113.1', 'app.example:8443']) {
    assert.deepEqual(register(`https://${host}/`).redirect_uris, [`https://${host}/`])
  }
})
