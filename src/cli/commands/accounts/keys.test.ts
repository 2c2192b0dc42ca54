import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { isSandboxKey, isWellFormed } from '../../../accounts/api-key.ts'
import { createKeyDirectory } from '../../../accounts/directory.ts'
import { identify } from '../../../accounts/identify.ts'
import { CommandError } from '../../../base/errors.ts'
import { createAccountReader } from '../../../store/accounts/reader.ts'
import { loadSecrets } from '../../../store/key-secret.ts'
import { openAccountDatabase } from '../../../store/sqlite/account-database.ts'
import { openDatabase } from '../../../store/sqlite/connection.ts'
import { createLedgerStore } from '../../../store/sqlite/ledger.ts'
import type { Command } from '../../command.ts'
import { accountCreate } from './accounts.ts'
import { keyCreate, keyList, keyRevoke, keyRotate, secretPrune, secretRotate } from './keys.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-keys-'))
after(() => rmSync(data, { recursive: true }))
const NOW = Date.UTC(2026, 4, 20, 12)
const HOUR = 3_600_000

const runAt = (now: number, command: Command, ...words: string[]) =>
  runCommand(command, words, { data, now })
const run = (command: Command, ...words: string[]) => runAt(NOW, command, ...words)

let account = ''
before(async () => {
  account = String((await run(accountCreate, 'Acme', '--json')).json().id)
})

async function create(...words: string[]): Promise<{ id: string; key: string }> {
  const made = await run(keyCreate, account, ...words, '--json')
  assert.deepEqual(Object.keys(made.json()), ['id', 'key'])
  return made.json() as { id: string; key: string }
}

/** Reports whether a newly started serving process accepts a key. */
async function works(key: string, now: number): Promise<boolean> {
  const db = openDatabase(join(data, 'accounts.db'), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  const directory = createKeyDirectory(readerOf(db), () => loadSecrets(data, null))
  const caller = await identify(key, directory, now).catch(() => undefined)
  await createLedgerStore(db).noteUses(directory.takeUses())
  db.close()
  return caller?.account.id === account
}

function fails(code: 1 | 2, ...parts: string[]) {
  return (error: unknown) =>
    error instanceof CommandError &&
    error.exitCode === code &&
    parts.every((part) => error.message.includes(part))
}

test('a new key works, is shown once, and is in no file', async () => {
  const { id, key } = await create('--label', 'web shop')
  assert.ok(isWellFormed(key))
  assert.ok(await works(key, NOW))
  const listed = await run(keyList, account, '--json')
  assert.ok(!listed.out.includes(key))
  const { keys } = listed.json() as { keys: Record<string, unknown>[] }
  assert.deepEqual(
    keys.find((shown) => shown.id === id),
    {
      id,
      label: 'web shop',
      prefix: key.slice(0, 8),
      createdAt: '2026-05-20T12:00:00.000Z',
      lastUsedAt: '2026-05-20T12:00:00.000Z',
      revokedAt: null,
    },
  )
  for (const name of readdirSync(data)) assert.ok(!readFileSync(join(data, name)).includes(key))
})

test('a sandbox key has its own prefix and store, and rotates to a sandbox key', async () => {
  const { id, key } = await create('--sandbox')
  assert.match(key, /^pbk_test_\w{38}$/)
  assert.ok(isWellFormed(key) && isSandboxKey(key))
  assert.ok(!isWellFormed(key.replace('test_', '')), 'the checksum covers the prefix')
  assert.ok(existsSync(join(data, 'sandbox', 'parcels.db')))
  const made = (await run(keyRotate, id, '--json')).json() as { key: string }
  assert.match(made.key, /^pbk_test_/)
  const { keys } = (await run(keyList, account, '--json')).json() as { keys: { prefix: string }[] }
  assert.ok(keys.some(({ prefix }) => prefix === key.slice(0, 13)))
})

test('a revoked key ends at once, and revoking twice keeps its end', async () => {
  const { id, key } = await create()
  const first = await run(keyRevoke, id, '--json')
  assert.equal(first.json().revokedAt, '2026-05-20T12:00:00.000Z')
  assert.equal(await works(key, NOW), false)
  const second = await runAt(NOW + HOUR, keyRevoke, id, '--json')
  assert.equal(second.json().revokedAt, '2026-05-20T12:00:00.000Z')
})

test('rotation gives a key with the old label; the old one is valid for the overlap', async () => {
  const old = await create('--label', 'shop')
  const made = await run(keyRotate, old.id, '--overlap', '2h', '--json')
  const fresh = made.json() as { id: string; key: string }
  assert.notEqual(fresh.id, old.id)
  assert.ok((await works(old.key, NOW + 2 * HOUR - 1)) && (await works(fresh.key, NOW)))
  assert.equal(await works(old.key, NOW + 2 * HOUR), false)
  assert.ok(await works(fresh.key, NOW + 2 * HOUR))
  const { keys } = (await run(keyList, account, '--json')).json() as {
    keys: Record<string, unknown>[]
  }
  assert.equal(keys.find(({ id }) => id === fresh.id)?.label, 'shop')
})

test('the overlap is 24 hours by default; a later rotation does not lengthen it', async () => {
  const old = await create()
  const ends = async () => {
    const { keys } = (await run(keyList, account, '--json')).json() as {
      keys: Record<string, unknown>[]
    }
    return keys.find(({ id }) => id === old.id)?.revokedAt
  }
  await run(keyRotate, old.id)
  assert.equal(await ends(), '2026-05-21T12:00:00.000Z')
  await run(keyRotate, old.id, '--overlap', '30d')
  assert.equal(await ends(), '2026-05-21T12:00:00.000Z')
  await run(keyRotate, old.id, '--overlap', '0')
  assert.equal(await ends(), '2026-05-20T12:00:00.000Z')
  await assert.rejects(run(keyRotate, old.id), fails(1, old.id, 'has ended'))
})

test('unknown ids and wrong overlaps give sentences that never repeat a key', async () => {
  const { id, key } = await create()
  await assert.rejects(run(keyCreate, 'acc_none'), fails(1, 'acc_none'))
  await assert.rejects(run(keyList, 'acc_none'), fails(1, 'acc_none'))
  for (const command of [keyRevoke, keyRotate]) {
    await assert.rejects(run(command, 'key_none'), fails(1, 'key_none'))
    await assert.rejects(
      run(command, key),
      (error) => error instanceof CommandError && !error.message.includes(key),
    )
  }
  for (const overlap of ['', '5', '5x', '-1h', '1.5h', '400d']) {
    await assert.rejects(run(keyRotate, id, `--overlap=${overlap}`), fails(2, '--overlap'))
  }
})

test('a secret rotation keeps all keys valid; prune drops unused secrets', async () => {
  const { key } = await create()
  const unused = await create()
  await run(secretRotate)
  assert.equal(loadSecrets(data, null).length, 2)
  assert.ok(await works(key, NOW + HOUR))
  assert.ok(Array.isArray((await run(secretPrune, '--json')).json().dropped))
  assert.equal(loadSecrets(data, null).length, 2, 'keys that were not used still need the old one')
  assert.ok(await works(unused.key, NOW + HOUR))
  await run(secretPrune, '--force')
  assert.equal(loadSecrets(data, null).length, 1)
  assert.ok(await works(key, NOW + 2 * HOUR))
  assert.ok(await works(unused.key, NOW + 2 * HOUR))
})

test('secrets of the settings are not rotated in the file', async () => {
  const env = { PLATBOOK_KEY_SECRET: 's'.repeat(32) }
  await assert.rejects(runCommand(secretRotate, [], { data, env }), fails(1, 'PLATBOOK_KEY_SECRET'))
})

function readerOf(db: DatabaseSync) {
  const { ask, dialect } = openAccountDatabase(db)
  return createAccountReader(ask, dialect)
}
