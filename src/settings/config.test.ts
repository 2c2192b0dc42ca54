import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const DATABASES: [address: string, read: string | RegExp][] = [
  ['postgres://u:p@db:5432/x', 'postgres://u:p@db:5432/x'],
  ['postgresql://u@db/x?sslmode=require', 'postgresql://u@db/x?sslmode=require'],
  ['postgres://u@/x?host=/run/postgresql', 'postgres://u@localhost/x?host=/run/postgresql'],
  ['postgres:///x?host=/run/postgresql', 'postgres:///x?host=/run/postgresql'],
  ['postgres://u:a%40b%2F%23@[::1]:5432/x', 'postgres://u:a%40b%2F%23@[::1]:5432/x'],
  [' postgres://u@db/x\r\n', 'postgres://u@db/x'],
  ['postgres://u:p@ss:w/rd#1%@db/x', /not of the form .* @ as %40/],
  ['postgres://u:secret/w@db/x', /not of the form/],
  ['postgres://u:se#cret@db/x', /not of the form/],
  ['postgres://u:secret%@db/x', /not of the form/],
  ['postgres://u:sec@ret@db/x', /not of the form/],
  ['postgres://u:secret@h1:5432,h2:5432/x', /names several hosts/],
  ['postgres://u:secret@h1,h2/x', /names several hosts/],
  ['host=db dbname=x password=secret', /write the address as postgres:/],
  ['host=/run/postgresql', /write the address as postgres:/],
  ['mysql://u:secret@db/x', /an address like postgres:/],
  ['secret', /an address like postgres:/],
]
for (const [address, read] of DATABASES) {
  test(`PLATBOOK_DATABASE_URL=${JSON.stringify(address)}`, () => {
    const open = () => readConfig({ PLATBOOK_DATABASE_URL: address }).databaseUrl
    if (typeof read === 'string') assert.equal(open(), read)
    else {
      assert.throws(open, (error: Error) => read.test(error.message) && !/sec/.test(error.message))
    }
  })
}

test('an address where a folder is wanted is refused, and not shown', () => {
  const wrong = DATABASES.map(([address]) => address).filter((address) => address !== 'secret')
  for (const address of [
    ...wrong,
    'POSTGRES://u:secret@db/x',
    'postgres:u:secret@db',
    'u:s@db/x',
  ]) {
    if (/^host=\//.test(address)) continue
    const open = () => readConfig({ PLATBOOK_DATA: address })
    assert.throws(open, /^Error: PLATBOOK_DATA: a folder is wanted[^@]+$/, address)
  }
  for (const folder of [
    '/srv/a b',
    'C:\\data',
    './data@2026',
    '/mnt/10:30',
    'at-2026-01-01T10:30',
  ]) {
    assert.equal(readConfig({ PLATBOOK_DATA: folder }).data, folder)
  }
})

test('a host may be written as in a URL', () => {
  const hosts = ['[::]', '::', '127.0.0.1', 'plat.example']
  const read = hosts.map((host) => readConfig({ PLATBOOK_HOST: host }).host)
  assert.deepEqual(read, ['::', '::', '127.0.0.1', 'plat.example'])
})

test('blanks, carriage returns and a final newline are no part of a value', () => {
  const config = readConfig({ PLATBOOK_DATA: './a b\r', PLATBOOK_STRIPE_KEY: ' rk_test_1\n' })
  assert.deepEqual([config.data, config.stripeKey], ['./a b', 'rk_test_1'])
})

test('a secret is read from the file that its variable with _FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-secrets-'))
  const file = join(folder, 'secret')
  try {
    writeFileSync(file, `${'s'.repeat(32)}\n`)
    assert.equal(readConfig({ PLATBOOK_KEY_SECRET_FILE: file }).keySecret, 's'.repeat(32))
    writeFileSync(file, 'postgres://u@db/x\n')
    assert.equal(readConfig({ PLATBOOK_DATABASE_URL_FILE: file }).databaseUrl, 'postgres://u@db/x')
    assert.throws(() => readConfig({ PLATBOOK_NOTIFY_SECRET_FILE: file }), {
      message: 'PLATBOOK_NOTIFY_SECRET: a secret has at least 32 characters',
    })
    const both = { PLATBOOK_STRIPE_KEY: 'a', PLATBOOK_STRIPE_KEY_FILE: file }
    assert.throws(() => readConfig(both), /are both set; give one/)
    assert.throws(() => readConfig({ PLATBOOK_STRIPE_KEY_FILE: `${file}x` }), /read \(ENOENT\)/)
    for (const blank of ['', ' \r\n', '\uFEFF']) {
      writeFileSync(file, blank)
      assert.throws(() => readConfig({ PLATBOOK_KEY_SECRET_FILE: file }), /secret is empty/)
    }
    assert.throws(() => readConfig({ PLATBOOK_PORT_FILE: file }), /no setting PLATBOOK_PORT_FILE/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
