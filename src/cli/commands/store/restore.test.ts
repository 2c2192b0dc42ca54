import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { operate } from '../../../../test/processes/operator.ts'

const ROLL = new URL('../../../../test/fixtures/example-roll.csv', import.meta.url).pathname

/** A backup, after which a key was revoked, an account suspended and more parcels loaded. */
async function makeWorld(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-restore-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')]
  await operate(data, 'import', ROLL, '--mapping', 'platbook')
  const first = (await operate(data, 'account', 'create', 'A')).id as string
  const second = (await operate(data, 'account', 'create', 'B')).id as string
  const leaked = (await operate(data, 'key', 'create', first)).id as string
  const kept = (await operate(data, 'key', 'create', first)).id as string
  await operate(data, 'backup', copy)
  await operate(data, 'key', 'revoke', leaked)
  await operate(data, 'account', 'set', second, 'suspended=true')
  const given = newestId(data) + 500
  write(join(data, 'parcels.db'), `UPDATE counters SET value = ${given} WHERE name = 'parcel'`)
  return { data, copy, first, second, leaked, kept, given }
}

function write(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

function newestId(data: string): number {
  const db = new DatabaseSync(join(data, 'parcels.db'))
  const row = db.prepare("SELECT value FROM counters WHERE name = 'parcel'").get()
  db.close()
  return Number(row?.value)
}

test('a restore keeps revocations and suspensions, and gives no record ID twice', async (t) => {
  const { data, copy, first, second, leaked, kept, given } = await makeWorld(t)
  const report = await operate(data, 'restore', copy)
  assert.deepEqual(report.revokedKeys, [leaked])
  assert.deepEqual(report.suspendedAccounts, [second])
  assert.deepEqual(report.unknown, [])
  assert.equal(report.newestId, given)
  assert.equal(newestId(data), given)
  assert.ok(existsSync(join(report.damaged, 'accounts.db')))
  const { keys } = await operate(data, 'key', 'list', first)
  const valid = keys.filter((key: { revokedAt: string | null }) => key.revokedAt === null)
  assert.deepEqual(
    valid.map(({ id }: { id: string }) => id),
    [kept],
  )
  assert.equal((await operate(data, 'account', 'show', second)).suspended, true)
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
  assert.equal((await operate(data, 'check')).ok, true)
})

test('a backup with a cut secret changes nothing, and one with another is named', async (t) => {
  const { data, copy } = await makeWorld(t)
  const own = readFileSync(join(data, 'secret'), 'utf8')
  for (const cut of ['', own.slice(0, 10)]) {
    writeFileSync(join(copy, 'secret'), cut)
    const { message } = await operate(data, 'restore', copy).catch((error: Error) => error)
    assert.match(message, /a secret has at least 32 characters/)
    assert.ok(message.includes(join(copy, 'secret')), message)
    assert.equal(readFileSync(join(data, 'secret'), 'utf8'), own)
  }
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('damaged')),
    [],
  )
  writeFileSync(join(copy, 'secret'), 'x'.repeat(40))
  chmodSync(join(copy, 'secret'), 0o644)
  const { unknown } = await operate(data, 'restore', copy)
  assert.match(unknown.join(), /1 valid keys are hashed under a secret that is not there/)
  assert.equal(statSync(join(data, 'secret')).mode & 0o777, 0o600)
})

test('a restore over unreadable files lists what it could not read', async (t) => {
  const { data, copy, leaked } = await makeWorld(t)
  for (const name of ['accounts.db', 'parcels.db']) {
    const path = join(data, name)
    writeFileSync(path, readFileSync(path).fill(0x5a))
  }
  const before = newestId(copy)
  const report = await operate(data, 'restore', copy)
  assert.deepEqual(report.revokedKeys, [])
  const unknownText = report.unknown.join('\n')
  for (const what of ['keys that were revoked', 'accounts that were suspended', 'record ID']) {
    assert.ok(unknownText.includes(what), unknownText)
  }
  assert.ok(newestId(data) >= before + 1_000_000)
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
  assert.ok(leaked)
})

test('a restore with an open database, or without a backup, changes nothing', async (t) => {
  const { data, copy } = await makeWorld(t)
  await assert.rejects(operate(data, 'restore', join(copy, 'none')), /there is no backup/)
  const db = new DatabaseSync(join(data, 'accounts.db'))
  db.prepare('SELECT * FROM account').all()
  await assert.rejects(operate(data, 'restore', copy), /stop the service first/)
  db.close()
  writeFileSync(join(copy, 'accounts.db'), 'no database')
  await assert.rejects(operate(data, 'restore', copy), /accounts\.db/)
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

test('a backup or a folder of another version is refused by its name', async (t) => {
  const { data, copy } = await makeWorld(t)
  write(join(copy, 'accounts.db'), 'PRAGMA user_version = 1')
  const other = 'take an empty data folder or database and import the rolls again'
  await assert.rejects(operate(data, 'restore', copy), says(other))
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
  write(join(data, 'parcels.db'), 'PRAGMA user_version = 1')
  await assert.rejects(operate(data, 'backup', `${copy}-2`), says(other))
})

/** Reports whether the last words of an error are these. */
function says(words: string): (error: Error) => boolean {
  return ({ message }) => message.trimEnd().endsWith(words)
}
