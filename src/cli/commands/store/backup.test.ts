import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { accountCreate } from '../accounts/accounts.ts'
import { keyCreate } from '../accounts/keys.ts'
import { importCommand } from '../rolls/import.ts'
import { backupCommand } from './backup.ts'
import { checkCommand } from './check.ts'

const ROLL = new URL('../../../../test/fixtures/example-roll.csv', import.meta.url).pathname

/** Creates a data folder with a roll, an account and a key; returns also a path for the copy. */
async function makeData(t: TestContext): Promise<{ data: string; copy: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const world = { data: join(folder, 'data') }
  await runCommand(importCommand, [ROLL, '--mapping', 'platbook'], world)
  const account = await runCommand(accountCreate, ['A', '--json'], world)
  await runCommand(keyCreate, [String(account.json().id)], world)
  return { data: world.data, copy: join(folder, 'copies', 'one') }
}

test('a backup holds both databases and the secret, and check finds it whole', async (t) => {
  const { data, copy } = await makeData(t)
  const run = await runCommand(backupCommand, [copy, '--json'], { data })
  const files = readdirSync(copy).map((name) => ({ name, bytes: statSync(join(copy, name)).size }))
  const listed = run.json() as { folder: string; files: { name: string }[] }
  assert.equal(listed.folder, copy)
  assert.deepEqual(
    listed.files.map(({ name }) => name),
    ['parcels.db', 'parcels.sums', 'accounts.db', 'secret'],
  )
  assert.deepEqual(
    listed.files.toSorted((a, b) => a.name.localeCompare(b.name)),
    files,
  )
  const checked = await runCommand(checkCommand, ['--json'], { data: copy })
  assert.deepEqual(checked.json(), {
    ok: true,
    findings: [],
    parcels: 6,
    accounts: 1,
    ledgerRows: 0,
  })
})

test('a folder whose parcels.db is lost is not copied', async (t) => {
  const { data, copy } = await makeData(t)
  rmSync(join(data, 'parcels.db'))
  await assert.rejects(
    runCommand(backupCommand, [copy], { data }),
    /parcels\.db is missing or empty, but .*parcels\.sums says/,
  )
  assert.equal(existsSync(copy), false)
})

test('nobody but its owner may look into a backup', async (t) => {
  const { data, copy } = await makeData(t)
  await runCommand(backupCommand, [copy], { data })
  assert.equal(statSync(copy).mode & 0o077, 0)
  assert.equal(statSync(join(copy, 'secret')).mode & 0o077, 0)
})

test('a folder that holds something is refused and left alone', async (t) => {
  const { data } = await makeData(t)
  await assert.rejects(runCommand(backupCommand, [data], { data }), /is not empty/)
  assert.ok(existsSync(join(data, 'parcels.db')))
})

test('an empty folder is taken', async (t) => {
  const { data, copy } = await makeData(t)
  mkdirSync(copy, { recursive: true })
  await runCommand(backupCommand, [copy], { data })
  assert.deepEqual(readdirSync(copy).sort(), [
    'accounts.db',
    'parcels.db',
    'parcels.sums',
    'secret',
  ])
})

test('a failed backup leaves no files', async (t) => {
  const { data, copy } = await makeData(t)
  writeFileSync(
    join(data, 'accounts.db'),
    'this is not a database, whatever its name says'.repeat(99),
  )
  await assert.rejects(runCommand(backupCommand, [copy], { data }), /accounts\.db is not an SQLite/)
  assert.equal(existsSync(copy), false)
})

test('a secret from the environment is not copied, and the command says so', async (t) => {
  const { data, copy } = await makeData(t)
  const env = { PLATBOOK_KEY_SECRET: 'x'.repeat(40) }
  const run = await runCommand(backupCommand, [copy], { data, env })
  assert.match(run.out, /PLATBOOK_KEY_SECRET and was not copied/)
  assert.equal(existsSync(join(copy, 'secret')), false)
})

test('without data there is nothing to copy', async (t) => {
  const { copy } = await makeData(t)
  const data = join(copy, '..', 'elsewhere')
  await assert.rejects(runCommand(backupCommand, [copy], { data }), /there is no data/)
  await assert.rejects(runCommand(backupCommand, [], { data }), /usage: platbook backup DIR/)
})
