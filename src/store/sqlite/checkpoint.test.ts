import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openExportAt } from '../open-rolls.ts'
import { LOG_BYTES, openDatabase } from './connection.ts'

const PARCELS = { kind: 'parcels', synchronous: 'NORMAL' } as const

test('the log that an export let grow shrinks when the export ends, without a writer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-log-'))
  const path = join(folder, 'parcels.db')
  const logSize = () => statSync(`${path}-wal`).size
  const writer = openDatabase(path, PARCELS)
  // A worker of the service, which stays.
  const worker = openDatabase(path, { ...PARCELS, readOnly: true })
  worker.prepare('SELECT count(*) FROM scopes').get()
  const reader = await openExportAt(folder)
  writer.exec(`CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(${LOG_BYTES}))`)
  writer.exec('PRAGMA busy_timeout = 1; PRAGMA wal_checkpoint(TRUNCATE)')
  writer.close()
  assert.ok(logSize() > LOG_BYTES)
  await reader.close()
  assert.ok(logSize() <= LOG_BYTES)
  worker.close()
  rmSync(folder, { recursive: true })
})

test('a log that grew shrinks with the next writes of any connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-log-'))
  const path = join(folder, 'accounts.db')
  const options = { kind: 'accounts', synchronous: 'FULL' } as const
  const writer = openDatabase(path, options)
  const reader = openDatabase(path, { ...options, readOnly: true })
  reader.exec('BEGIN; SELECT * FROM state')
  writer.exec(`CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(${LOG_BYTES}))`)
  reader.exec('COMMIT')
  for (let at = 0; at < 3; at += 1) writer.exec('INSERT INTO large VALUES (zeroblob(100))')
  assert.ok(statSync(`${path}-wal`).size <= LOG_BYTES)
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})
