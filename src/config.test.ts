import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './read-config.ts'

const UNKNOWN: [name: string, said: RegExp][] = [
  ['PLATBOOK_WORKER', /^there is no setting PLATBOOK_WORKER; did you mean PLATBOOK_WORKERS/],
  ['PLATBOOK_PROT', /^there is no setting PLATBOOK_PROT; did you mean PLATBOOK_PORT/],
  ['PLATBOOK_KEYSECRET', /did you mean PLATBOOK_KEY_SECRET/],
  ['PLATBOOK_', /^there is no setting PLATBOOK_/],
]
for (const [name, said] of UNKNOWN) {
  test(`a variable ${name} is an error that names the nearest setting`, () => {
    assert.throws(() => readConfig({ [name]: '1' }), { message: said, exitCode: 2 })
  })
}

test('variables of others, of the tests and settings themselves pass', () => {
  const config = readConfig({ PATH: '/bin', PLATBOOK_TEST_KILLS: '9', PLATBOOK_WORKERS: '3' })
  assert.equal(config.workers, 3)
})

const ADDRESSES: [name: string, value: string, said: string][] = [
  ['PLATBOOK_ANCHOR_URL', 'ftp://a.example/secret-token', 'a path or an http address is wanted'],
  ['PLATBOOK_ANCHOR_URL', 'http:secret-token', 'a path or an http address is wanted'],
  [
    'PLATBOOK_ANCHOR_URL',
    'https://noter:secret-token@a.example/heads',
    'the address has a user name or a password, which is not supported',
  ],
  ['PLATBOOK_NOTIFY_URL', 'secret-token', 'an absolute http or https address is wanted'],
]
for (const [name, value, said] of ADDRESSES) {
  test(`${name}=${value} is an error that does not show the value`, () => {
    assert.throws(() => readConfig({ [name]: value }), { message: `${name}: ${said}` })
  })
}
