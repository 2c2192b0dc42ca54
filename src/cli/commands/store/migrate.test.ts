import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { accountsPath, parcelsPath } from '../../../store/data-folder.ts'
import { migrateCommand } from './migrate.ts'

test('creates and migrates the embedded store; a second run changes nothing', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  t.after(() => rmSync(data, { recursive: true }))
  const first = (await runCommand(migrateCommand, ['--json'], { data })).json()
  const databases = first.databases as { name: string; version: number }[]
  assert.deepEqual(
    databases.map(({ name }) => name),
    [parcelsPath(data), accountsPath(data)],
  )
  assert.ok(databases.every(({ version }) => version >= 1))
  const { out } = await runCommand(migrateCommand, [], { data })
  assert.equal(
    out,
    databases.map(({ name, version }) => `${name} is at version ${version}\n`).join(''),
  )
})

test('--citus is of PostgreSQL only', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  t.after(() => rmSync(data, { recursive: true }))
  await assert.rejects(
    runCommand(migrateCommand, ['--citus'], { data }),
    /--citus needs --database: the coordinator/,
  )
})
