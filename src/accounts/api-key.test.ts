import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { Refusal } from '../base/errors.ts'
import type { Caller } from '../base/model/account.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import { demoKey, hashKey, isWellFormed, makeKey } from './api-key.ts'
import { createKeyDirectory, type KeyDirectory } from './directory.ts'
import { identify } from './identify.ts'

const CALLER = { account: { id: 'acc_1' }, keyId: 'key_1' } as Caller

function directoryOf(known: string): KeyDirectory {
  return {
    recall: () => undefined,
    find: async (key) => (key === known ? CALLER : undefined),
    price: () => undefined,
    pending: () => [],
    tokenUse: async () => undefined,
    takeUses: () => [],
  }
}

function refusedWith(text: string) {
  return (error: unknown) =>
    error instanceof Refusal && error.kind === 'unauthenticated' && error.message === text
}

test('a key is pbk_, 32 random base62 characters and 6 of CRC-32 over all before', () => {
  const keys = Array.from({ length: 200 }, makeKey)
  assert.equal(new Set(keys).size, 200)
  for (const key of keys) {
    assert.match(key, /^pbk_[0-9A-Za-z]{38}$/)
    assert.ok(isWellFormed(key))
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const sum = [...key.slice(-6)].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0)
    assert.equal(sum, crc32(key.slice(0, -6)))
  }
  const used = new Set(keys.flatMap((key) => [...key.slice(4, 36)]))
  assert.equal(used.size, 62, 'every character occurs')
})

test('one wrong character anywhere, or two swapped neighbours, make a key ill-formed', () => {
  const position = fc.integer({ min: 0, max: 41 })
  const letter = fc.constantFrom(...'0aZ_-é ')
  fc.assert(
    fc.property(fc.constant(null).map(makeKey), position, letter, (key, at, other) => {
      if (key[at] !== other) {
        assert.ok(!isWellFormed(key.slice(0, at) + other + key.slice(at + 1)))
      }
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2)
      if (swapped !== key) assert.ok(!isWellFormed(swapped))
    }),
  )
})

test('garbage is refused without a look at the database', async () => {
  const key = makeKey()
  const untouched = async () => assert.fail('the database was asked')
  const reader: AccountReader = {
    version: untouched,
    pendingSuppressions: async () => [],
    prices: async () => new Map(),
    keyByHash: untouched,
    tokenUse: untouched,
    usageByDay: untouched,
  }
  const secrets = [{ id: 's', value: Buffer.alloc(32) }]
  const directory = createKeyDirectory(reader, () => secrets)
  const garbage = ['x', 'pbk_', key.slice(1), `${key}0`, key.toLowerCase(), `${key} ${key}`]
  for (const header of [...garbage, 'pbk_'.padEnd(42, '0'), 'pbk_'.padEnd(8000, 'A')]) {
    await assert.rejects(
      identify(header, directory, 0),
      refusedWith('Unauthorized: Invalid API key'),
    )
  }
  await assert.rejects(identify(key, directory, 0), /the database was asked/)
})

test('missing, unknown and Bearer keys are refused with the texts of D9', async () => {
  const key = makeKey()
  const directory = directoryOf(key)
  for (const header of [undefined, '', '  ']) {
    await assert.rejects(
      identify(header, directory, 0),
      refusedWith('Unauthorized: Missing API key'),
    )
  }
  await assert.rejects(
    identify(makeKey(), directory, 0),
    refusedWith('Unauthorized: Invalid API key'),
  )
})

test('a key after a word is refused with how to send it, and is not repeated', async () => {
  const key = makeKey()
  const directory = directoryOf(key)
  for (const word of ['Bearer', 'bearer', 'Token', 'ApiKey', 'Basic', 'Key']) {
    for (const header of [`${word} ${key}`, `${word}\t${key} more`, `${word}: ${key}`, 'Bearer']) {
      const named = header === 'Bearer' ? header : word
      const text = `Send the API key alone as the Authorization header, without "${named}"`
      await assert.rejects(identify(header, directory, 0), refusedWith(`Unauthorized: ${text}`))
    }
  }
  for (const header of ['Token', `"${key}"`, `${key} ${key}`, `${key}Bearer `, 'pbk_x y', '1 2']) {
    await assert.rejects(
      identify(header, directory, 0),
      refusedWith('Unauthorized: Invalid API key'),
    )
  }
})

test('a known key is its caller', async () => {
  const key = makeKey()
  assert.equal(await identify(key, directoryOf(key), 0), CALLER)
  assert.equal(await identify(` ${key} `, directoryOf(key), 0), CALLER)
})

test('the demo key is well-formed and depends only on the oldest secret', () => {
  const one = { id: '1', value: Buffer.from('a secret of thirty-two characters') }
  const two = { id: '2', value: Buffer.from('another secret of many characters') }
  assert.ok(isWellFormed(demoKey([one])))
  assert.equal(demoKey([one]), demoKey([two, one]))
  assert.notEqual(demoKey([one]), demoKey([two]))
})

test('the stored form of a key depends on the secret and does not contain the key', () => {
  const key = makeKey()
  const one = hashKey(key, { id: '1', value: Buffer.from('a') })
  const two = hashKey(key, { id: '2', value: Buffer.from('b') })
  assert.equal(one.hash.length, 32)
  assert.notDeepEqual(one.hash, two.hash)
  assert.equal(Buffer.from(one.hash).includes(key), false)
})
