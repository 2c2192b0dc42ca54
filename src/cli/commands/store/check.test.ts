import assert from 'node:assert/strict'
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { IS_LONG } from '../../../../test/repetitions.ts'
import { openLedgerWriter } from '../../../ledger/writer.ts'
import { openDatabase } from '../../../store/sqlite/connection.ts'
import { createLedgerStore } from '../../../store/sqlite/ledger.ts'
import { accountCreate } from '../accounts/accounts.ts'
import { keyCreate } from '../accounts/keys.ts'
import { importCommand } from '../rolls/import.ts'
import { checkCommand } from './check.ts'

const ROLL = new URL('../../../../test/fixtures/example-roll.csv', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'platbook-check-'))
const whole = join(folder, 'whole')

before(async () => {
  await runCommand(importCommand, [ROLL, '--mapping', 'platbook'], { data: whole })
  const { id } = (await runCommand(accountCreate, ['A', '--json'], { data: whole })).json()
  await runCommand(keyCreate, [String(id)], { data: whole })
  const db = openDatabase(join(whole, 'accounts.db'), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  const ledger = await openLedgerWriter(createLedgerStore(db), () => 1_700_000_000_000)
  for (const requestId of ['r1', 'r2', 'r3']) {
    await ledger.charge({ requestId, accountId: String(id), keyId: 'k', endpoint: 'e', cost: 1 })
  }
  await ledger.close()
  db.close()
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('whole data passes, and nothing is changed by looking', async () => {
  const data = copyWhole()
  const before = statSync(join(data, 'parcels.db')).mtimeMs
  const run = await runCommand(checkCommand, ['--json'], { data })
  assert.deepEqual(run.json(), { ok: true, findings: [], parcels: 6, accounts: 1, ledgerRows: 3 })
  assert.equal(run.code, 0)
  assert.equal(statSync(join(data, 'parcels.db')).mtimeMs, before)
})

/** Damage to the rolls, and the expected finding. */
const DAMAGES: [string, RegExp][] = [
  ['DELETE FROM records WHERE id = 2', /1 parcels have no record \(0{23}2\)/],
  ['DELETE FROM parcels WHERE id = 3', /1 rows of records belong to no parcel \(0{23}3\)/],
  [
    "DELETE FROM alternate_ids WHERE key = '60123'",
    /1 keys of parcels are missing in alternate_ids/,
  ],
  ["DELETE FROM situs WHERE key LIKE '125|%'", /2 keys of parcels are missing in situs/],
  [
    "INSERT INTO situs VALUES ('WI', '1||X|ST|', 1, '', 0, '')",
    /situs and the keys of the records differ by 1/,
  ],
  [
    "DELETE FROM owner_heads WHERE head = 'LINDQVIST' AND id = 6",
    /keys of parcels are missing in owner_heads/,
  ],
  [
    "INSERT INTO owner_words VALUES ('WI', 'GARCIA', 6, 1, 55029)",
    /owner_words and the keys of the records differ/,
  ],
  ["DELETE FROM owner_words WHERE word = 'MONONA'", /1 keys of parcels are missing in owner_words/],
  [
    'UPDATE records SET owned = owned + 4 WHERE id = 4',
    /1 records have another owner, use or address than their parcels \(0{23}4\)/,
  ],
  ['DELETE FROM grid', /\d cells of points are not those of their parcels/],
  ['UPDATE grid SET data = substr(data, 13)', /\d cells of points are not those of their parcels/],
  ["INSERT INTO grid VALUES (7, x'00')", /1 cells of points are not those of their parcels/],
  ['UPDATE parcels SET x = x + 1 WHERE id = 1', /1 cells of points are not those/],
  ['INSERT INTO shapes VALUES (1, 1, 1, 1, 1)', /1 bounds belong to no polygon/],
  ['DELETE FROM point_counts', /the counts of \d+ map tiles are not those of their parcels/],
  [
    'DELETE FROM facts',
    /1 blocks of facts are not those of their parcels \(WI, block 0\); load the rolls again/,
  ],
  ["INSERT INTO facts VALUES ('WI', 0, 7, 1, x'00')", /1 blocks of facts belong to no parcel/],
  [
    "UPDATE parcels SET unit = 'X' WHERE id = 1",
    /1 blocks of facts are not those of their parcels \(WI, block 0\)/,
  ],
  ['DELETE FROM loose_situs', /addresses are not found by their loose key/],
  [
    "DELETE FROM owner_deletions WHERE word = 'GARCIA'",
    /rows of owner_words cannot be found by a fuzzy search/,
  ],
  [
    'UPDATE scopes SET parcels = parcels + 1 WHERE fips = 55025',
    /1 roll scopes have another number of parcels/,
  ],
  ['DELETE FROM scopes', /2 roll scopes have another number of parcels/],
  [
    'UPDATE counters SET value = 4',
    /2 parcels have an id above the highest assigned one \(0{23}5\)/,
  ],
  [
    "UPDATE records SET field_values = replace(field_values, '\"123\"', '\"123') WHERE id = 1",
    /1 records cannot be shown \(0{23}1\)/,
  ],
  [
    'UPDATE records SET field_values = replace(field_values, \'"123"\', \'"124"\') WHERE id = 1',
    /1 records do not fit their checksum \(0{23}1\)/,
  ],
  ['UPDATE records SET loaded_at = loaded_at + 1 WHERE id = 2', /1 records do not fit their/],
  ["UPDATE parcels SET unit = 'X' WHERE id = 1", /pages are not as the last import left them/],
]

for (const [damage, finding] of DAMAGES) {
  test(`finds what this does: ${damage}`, async () => {
    const data = copyWhole()
    change(join(data, 'parcels.db'), damage)
    const run = await runCommand(checkCommand, [], { data })
    assert.equal(run.code, 1)
    assert.match(run.out, finding)
    assert.match(run.out, /^parcels\.db: /)
  })
}

test('finds a ledger row that was changed', async () => {
  const data = copyWhole()
  change(
    join(data, 'accounts.db'),
    'DROP TRIGGER ledger_stays_unchanged; UPDATE ledger SET cost = 0 WHERE id = 2',
  )
  const run = await runCommand(checkCommand, ['--json'], { data })
  assert.equal(run.code, 1)
  const { ok, findings } = run.json() as {
    ok: boolean
    findings: { where: string; problem: string }[]
  }
  assert.equal(ok, false)
  assert.equal(findings[0]?.where, 'accounts.db')
  assert.match(findings[0]?.problem ?? '', /the ledger is broken at id 2, row 2/)
})

test('finds that the secret of a valid key is lost', async () => {
  const data = copyWhole()
  rmSync(join(data, 'secret'))
  const run = await runCommand(checkCommand, [], { data })
  assert.equal(run.code, 1)
  assert.match(run.out, /^secret: 1 valid keys are hashed under a secret that is not there/)
})

for (const file of ['parcels.db', 'accounts.db']) {
  test(`finds pages of ${file} that were overwritten`, async () => {
    const data = copyWhole()
    const path = join(data, file)
    const handle = openSync(path, 'r+')
    // Everything except the first page, which holds the header and the schema.
    const length = statSync(path).size - 8192
    writeSync(handle, Buffer.alloc(length, 0x5a), 0, length, 8192)
    closeSync(handle)
    const run = await runCommand(checkCommand, [], { data })
    assert.equal(run.code, 1)
    assert.match(run.out, new RegExp(`^${file}: `))
  })
}

test('finds every flipped byte of parcels.db, and never fails on one', async () => {
  const data = copyWhole()
  const path = join(data, 'parcels.db')
  const bytes = readFileSync(path)
  assert.ok(bytes.length > 50_000)
  // The first 100 bytes are the header; a prime step reaches every part of a page.
  const [header, rest] = IS_LONG ? [1, 1999] : [3, 11_987]
  const places: number[] = []
  for (let at = 0; at < bytes.length; at += at < 100 ? header : rest) places.push(at)
  const missed: number[] = []
  for (const at of places) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (bytes[at] as number) ^ (1 << (at % 8))
    writeFileSync(path, flipped)
    const run = await runCommand(checkCommand, [], { data })
    if (run.code !== 1 || !/^parcels\.db: /.test(run.out)) missed.push(at)
  }
  assert.deepEqual(missed, [])
})

test('finds that parcels.db is lost', async () => {
  const data = copyWhole()
  rmSync(join(data, 'parcels.db'))
  const run = await runCommand(checkCommand, [], { data })
  assert.equal(run.code, 1)
  assert.match(run.out, /parcels\.db is missing or empty, but .*parcels\.sums says/)
})

test('a folder without data is an error that says so', async () => {
  await assert.rejects(
    runCommand(checkCommand, [], { data: join(folder, 'none') }),
    /there is no data/,
  )
})

let copies = 0

function copyWhole(): string {
  copies += 1
  const data = join(folder, `copy-${copies}`)
  cpSync(whole, data, { recursive: true })
  return data
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}
