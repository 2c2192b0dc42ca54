/** Programs that others wrote read a release: DuckDB its Parquet. Fetched from npm; see `skip`. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lot } from '../contract/ogc/roll.ts'
import { times } from '../contract/rolls.ts'
import { startPublisher } from './follower.ts'

const tools = mkdtempSync(join(tmpdir(), 'platbook-tools-'))
const publisher = await startPublisher()
after(async () => {
  await publisher.close()
  rmSync(tools, { recursive: true })
})

/** 70 MB of binaries, and therefore no development dependency. */
function fetchDuckDb(): string | false {
  writeFileSync(join(tools, 'package.json'), '{"private":true}')
  try {
    const words = ['install', '--no-audit', '--no-fund', '@duckdb/node-api@1.5.6-r.1']
    execFileSync('npm', words, { cwd: tools, stdio: 'ignore', timeout: 240_000 })
    return false
  } catch {
    return 'DuckDB cannot be fetched from npm'
  }
}

test('DuckDB reads the parcels and the changes of a release', async (t) => {
  const skip = fetchDuckDb()
  if (skip !== false) return t.skip(skip)
  await publisher.publish('r1', times(60, lot))
  await publisher.publish('r2', [...times(58, lot), { ...lot(70), totalMarketValue: 7 }])
  const { DuckDBInstance } = createRequire(join(tools, 'package.json'))('@duckdb/node-api')
  const database = await (await DuckDBInstance.create()).connect()
  const ask = async (text: string) => (await database.runAndReadAll(text)).getRowsJson()
  const file = (name: string) => `'${join(publisher.folder, 'r2', name)}'`
  const parcels = file('parcels-wi.parquet')
  const rows = await ask(`SELECT count(*), sum(totalMarketValue), min(yearBuilt) FROM ${parcels}`)
  assert.deepEqual(rows, [['59', String(58 * 59 * 500 + 7), '1901']])
  const changes = await ask(
    `SELECT change, count(*) FROM ${file('changes-wi.parquet')} GROUP BY 1 ORDER BY 1`,
  )
  assert.deepEqual(changes, [
    ['added', '1'],
    ['removed', '2'],
  ])
  const removed = await ask(
    `SELECT propertyId, old->>'address' FROM ${file('changes-wi.parquet')}
    WHERE change = 'removed' ORDER BY 1`,
  )
  assert.deepEqual(removed, [
    ['55025-LOT/059', '59 MAPLE ST'],
    ['55025-LOT/060', '60 MAPLE ST'],
  ])
})
