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
  ['PLATBOOK_ANCHOR_URL', 'HTTP:secret-token', 'a path or an http address is wanted'],
  ['PLATBOOK_ANCHOR_URL', ' FTP://a.example/secret-token', 'a path or an http address is wanted'],
  ['PLATBOOK_ANCHOR_URL', 's3:secret-token/x', 'a path or an http address is wanted'],
  [
    'PLATBOOK_ANCHOR_URL',
    '"https://a.example/secret-token"',
    'a path or an http address is wanted',
  ],
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

const ANCHORS: [value: string, read: string | null][] = [
  ['HTTP://127.0.0.1:9/secret-token', 'HTTP://127.0.0.1:9/secret-token'],
  [' https://a.example/heads\n', 'https://a.example/heads'],
  ['/mnt/other/accounts.heads', '/mnt/other/accounts.heads'],
  ['./a:b.heads', './a:b.heads'],
  ['heads/a.heads', 'heads/a.heads'],
  ['C:\\heads\\a.heads', 'C:\\heads\\a.heads'],
  [' ', null],
]
for (const [value, read] of ANCHORS) {
  test(`PLATBOOK_ANCHOR_URL=${JSON.stringify(value)} is read`, () => {
    assert.equal(readConfig({ PLATBOOK_ANCHOR_URL: value }).anchorUrl, read)
  })
}
