/** Uses a real database that another connection changes, like another process. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { MAY, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { createAccountAdmin } from '../store/accounts/admin.ts'
import { createAccountReader } from '../store/accounts/reader.ts'
import type { AccountReader, NewKey } from '../store/accounts-store.ts'
import type { KeySecret } from '../store/key-secret.ts'
import { openAccountDatabase } from '../store/sqlite/account-database.ts'
import { openDatabase } from '../store/sqlite/connection.ts'
import { hashKey, makeKey } from './api-key.ts'
import { createKeyDirectory } from './directory.ts'
import { identify } from './identify.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-directory-'))
after(() => rmSync(folder, { recursive: true }))
const SECRET: KeySecret = { id: 'one', value: Buffer.from('a secret of thirty-two characters') }
const NEWER: KeySecret = { id: 'two', value: Buffer.from('another secret of many characters') }
/** docs/accounts.md: revoking, and every change of facts, takes effect within 1 s. */
const SOON = 1000

let files = 0
async function open(
  secrets: KeySecret[] = [SECRET],
  wrap: (reader: AccountReader) => AccountReader = (reader) => reader,
) {
  files += 1
  const path = join(folder, `${files}.db`)
  const { db, store } = await makeLedgerDatabase(path, { acc_1: {} })
  const readOnly = openDatabase(path, {
    kind: 'accounts',
    synchronous: 'FULL',
    readOnly: true,
  })
  const reads = { version: 0, keys: 0 }
  const reader = counting(wrap(readerOf(readOnly)), reads)
  const directory = createKeyDirectory(reader, () => [...secrets] as [KeySecret])
  const close = () => {
    readOnly.close()
    db.close()
  }
  return { admin: createAccountAdmin(openAccountDatabase(db)), store, directory, reads, close }
}

function counting(reader: AccountReader, reads: { version: number; keys: number }): AccountReader {
  return {
    ...reader,
    version: () => {
      reads.version += 1
      return reader.version()
    },
    keyByHash: (hash) => {
      reads.keys += 1
      return reader.keyByHash(hash)
    },
  }
}

function newKey(id: string, secret = SECRET): { key: string; row: NewKey } {
  const key = makeKey()
  const row = { id, accountId: 'acc_1', label: null, prefix: key.slice(0, 8), createdAt: MAY }
  return { key, row: { ...row, ...hashKey(key, secret) } }
}

test('a cached key costs only one read of the version every 250 ms', async () => {
  const { admin, directory, reads, close } = await open()
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  for (let at = 0; at < 1000; at += 1) {
    const caller = await directory.find(key, MAY + at)
    assert.equal(caller?.keyId, 'key_1')
  }
  assert.deepEqual(reads, { version: 4, keys: 1 })
  close()
})

test('recall returns cached callers without reading, until the version is due', async () => {
  const { admin, directory, reads, close } = await open()
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  assert.equal(directory.recall(key, MAY), undefined, 'not yet found')
  await directory.find(key, MAY)
  const before = { ...reads }
  assert.equal(directory.recall(key, MAY + 249)?.keyId, 'key_1')
  assert.equal(directory.recall(makeKey(), MAY), undefined)
  assert.equal(directory.recall(key, MAY + 250), undefined, 'the version may be another')
  assert.equal(directory.recall(key, MAY - 1), undefined, 'the clock was set back')
  assert.deepEqual(reads, before)
  await admin.createKey(newKey('key_2').row, { id: 'key_1', at: MAY + 400 })
  await directory.find(key, MAY + 300)
  assert.equal(directory.recall(key, MAY + 399)?.keyId, 'key_1')
  assert.equal(directory.recall(key, MAY + 400), undefined, 'revoked')
  close()
})

test('a new key works at once, also when it was asked for before it was made', async () => {
  const { admin, directory, close } = await open()
  const { key, row } = newKey('key_1')
  assert.equal(await directory.find(key, MAY), undefined)
  await admin.createKey(row)
  assert.equal((await directory.find(key, MAY + 1))?.keyId, 'key_1')
  close()
})

test('a new key made right after a rotation of secrets works at once', async () => {
  const secrets = [SECRET]
  const { admin, directory, close } = await open(secrets)
  assert.equal(await directory.find(makeKey(), MAY), undefined)
  secrets.unshift(NEWER)
  const { key, row } = newKey('key_1', NEWER)
  await admin.createKey(row)
  assert.equal((await directory.find(key, MAY + 1))?.keyId, 'key_1')
  close()
})

test('revoking and changes of facts take effect within a second', async () => {
  const { admin, directory, close } = await open()
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  assert.ok(await directory.find(key, MAY))
  await admin.changeFacts('acc_1', (facts) => ({ ...facts, suspended: true }))
  const caller = await directory.find(key, MAY + SOON)
  assert.equal(caller?.account.facts.suspended, true)
  await admin.revokeKey('key_1', MAY + SOON)
  assert.equal(await directory.find(key, MAY + 2 * SOON), undefined)
  close()
})

test('a change announced while the version is read is seen by the next request', async () => {
  let hear = () => {}
  let meanwhile: () => Promise<unknown> = async () => undefined
  const { admin, directory, close } = await open([SECRET], (reader) => ({
    ...reader,
    onChange: (heard) => {
      hear = heard
    },
    async version() {
      const version = await reader.version()
      await meanwhile()
      return version
    },
  }))
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  meanwhile = async () => {
    meanwhile = async () => undefined
    await admin.changeFacts('acc_1', (facts) => ({ ...facts, suspended: true }))
    hear()
  }
  await directory.find(key, MAY)
  assert.equal((await directory.find(key, MAY + 1))?.account.facts.suspended, true)
  close()
})

test('a clock that is set back does not keep a revoked key alive', async () => {
  const { admin, directory, close } = await open()
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  assert.ok(await directory.find(key, MAY))
  await admin.revokeKey('key_1', MAY - 1_000_000_000)
  assert.equal(await directory.find(key, MAY - 900_000_000), undefined)
  close()
})

test('a clock set back does not revive a revoked key or a replaced one', async () => {
  const { admin, store, directory, close } = await open([NEWER, SECRET])
  const [revoked, replaced, fresh] = [newKey('key_1'), newKey('key_2'), newKey('key_3', NEWER)]
  await admin.createKey(revoked.row)
  await admin.createKey(replaced.row)
  assert.ok(await directory.find(revoked.key, MAY))
  await admin.revokeKey('key_1', MAY)
  await admin.createKey(fresh.row, { id: 'key_2', at: MAY })
  // A note of an earlier use, which would rehash the key with the newest secret.
  await store.noteUses(directory.takeUses())
  for (const { key } of [revoked, replaced]) {
    assert.equal(await directory.find(key, MAY - 365 * 86_400_000), undefined)
  }
  assert.ok(await directory.find(fresh.key, MAY - 365 * 86_400_000))
  assert.deepEqual(await admin.keysBySecret(MAY - 1), new Map([['two', 1]]))
  close()
})

test('rotation with overlap: both keys are valid until the old one ends', async () => {
  const { admin, directory, close } = await open()
  const old = newKey('key_1')
  const fresh = newKey('key_2')
  await admin.createKey(old.row)
  await admin.createKey(fresh.row, { id: 'key_1', at: MAY + 60_000 })
  for (const at of [MAY, MAY + SOON, MAY + 59_999]) {
    assert.equal((await directory.find(old.key, at))?.keyId, 'key_1')
    assert.equal((await directory.find(fresh.key, at))?.keyId, 'key_2')
  }
  assert.equal(await directory.find(old.key, MAY + 60_000), undefined)
  assert.ok(await directory.find(fresh.key, MAY + 60_000))
  close()
})

test('a rotation of the server secret keeps all keys valid and rehashes used ones', async () => {
  const secrets = [SECRET]
  const { admin, store, directory, close } = await open(secrets)
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  assert.ok(await identify(key, directory, MAY))
  secrets.unshift(NEWER)
  await admin.raiseVersion()
  const later = MAY + 60_000
  assert.ok(await identify(key, directory, later))
  const uses = directory.takeUses()
  assert.equal(uses.length, 1)
  await store.noteUses(uses)
  assert.deepEqual(await admin.keysBySecret(later), new Map([['two', 1]]))
  secrets.pop()
  await admin.raiseVersion()
  assert.ok(await identify(key, directory, later + SOON), 'the old secret is no longer needed')
  close()
})

test('last use is stored to the minute, with one note per key and minute', async () => {
  const { admin, store, directory, close } = await open()
  const { key, row } = newKey('key_1')
  await admin.createKey(row)
  const minute = Math.floor(MAY / 60_000) * 60_000
  for (let at = minute; at < minute + 60_000; at += 100) await directory.find(key, at)
  const uses = directory.takeUses()
  assert.deepEqual(uses, [{ keyId: 'key_1', at: minute }])
  assert.deepEqual(directory.takeUses(), [])
  await store.noteUses(uses)
  assert.equal((await admin.key('key_1'))?.lastUsedAt, minute)
  await store.noteUses([{ keyId: 'key_1', at: minute - 60_000 }])
  assert.equal((await admin.key('key_1'))?.lastUsedAt, minute, 'it never goes back')
  close()
})

test('revoking a key that has ended leaves its end; one that overlaps ends now', async () => {
  const { admin, close } = await open()
  await admin.createKey(newKey('key_1').row)
  await admin.createKey(newKey('key_2').row, { id: 'key_1', at: MAY + 5000 })
  assert.equal((await admin.revokeKey('key_1', MAY))?.revokedAt, MAY)
  assert.equal((await admin.revokeKey('key_1', MAY + 9000))?.revokedAt, MAY)
  assert.equal(await admin.revokeKey('key_9', MAY), undefined)
  close()
})

function readerOf(db: DatabaseSync) {
  const { ask, dialect } = openAccountDatabase(db)
  return createAccountReader(ask, dialect)
}
