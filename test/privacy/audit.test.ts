/** The audit through the real service: the entries of answers, and the output of its commands. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  auditAccount as account,
  auditVerify as verify,
  auditWhoSaw as whoSaw,
} from '../../src/cli/commands/service/audit.ts'
import { chainNotes, createAuditStore } from '../../src/store/audit/audit-store.ts'
import { openAccountDatabase } from '../../src/store/sqlite/account-database.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { createLedgerStore, findSegments } from '../../src/store/sqlite/ledger.ts'
import { NO_FILES } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { makeRoll } from '../contract/rolls.ts'
import { startService } from '../service.ts'

type Answer = { operation: string; account: string; query: string; properties: string[] }

const roll = makeRoll([
  { parcelId: 'A-1', ownerName1: 'SMITH JOHN', address: '12 MAIN ST', city: 'MADISON' },
  { parcelId: 'A-2', ownerName1: 'SMITH MARY', address: '14 MAIN ST', city: 'MADISON' },
  { parcelId: 'A-3', ownerName1: 'JONES ANN', address: '16 MAIN ST', city: 'MADISON' },
])
const service = await startService(roll)
after(() => service.close())
const { data } = service.config

/** Notes of free answers are written within a second: asks until `count` are there. */
async function answersOf(propertyId: string, count: number): Promise<Answer[]> {
  for (let tries = 0; ; tries += 1) {
    const run = await runCommand(whoSaw as never, [propertyId, '--json'], { data })
    const answers = run.json().answers as Answer[]
    if (answers.length >= count || tries > 400) return answers
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

test('a paid search is in the audit with all its parcels when its answer is there', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  const found = await service.get(
    '/public/premium/owner/',
    { state: 'WI', lastName: 'Smith' },
    { key },
  )
  assert.equal(found.status, 200)
  const ids = found.body.properties.map((one: { propertyId: string }) => one.propertyId)
  for (const id of ids) {
    const run = await runCommand(whoSaw as never, [id, '--json'], { data })
    const [answer] = run.json().answers as Answer[]
    assert.deepEqual(
      [answer?.operation, answer?.properties],
      ['premiumOwnerSearch', ids],
      'the audit knows it before the caller does',
    )
  }
  const run = await runCommand(account as never, ['acc_2', '--json'], { data })
  assert.equal((run.json().answers as Answer[]).length, 1)
})

test('a free lookup, a batch row and a list are noted too; a 404 and a count are not', async () => {
  const address = { state: 'WI', address: '16 Main St', county: 'Dane' }
  const first = await service.get('/public/property/address/', address)
  assert.equal(first.status, 200)
  const id = '55025-A-3'
  await service.get('/public/property/address/', address)
  await service.get('/public/property/address/', { ...address, address: '99 Main St' })
  await fetch(`${service.address}/public/batch/`, {
    method: 'POST',
    headers: {
      authorization: await service.keyFor(),
      'content-type': 'application/json',
    },
    body: JSON.stringify([address, { ...address, address: '99 Main St' }]),
  })
  const answers = await answersOf(id, 3)
  assert.deepEqual(
    answers.map(({ operation }) => operation),
    ['addressLookup', 'addressLookup', 'batch'],
  )
  assert.equal(answers[0]?.query, answers[1]?.query, 'equal queries have equal hashes')
  assert.notEqual(answers[0]?.query, answers[2]?.query)
  assert.deepEqual(answers[2]?.properties, [id])
})

test('the audit contains no owner name, address or query in clear text', {
  skip: NO_FILES,
}, async () => {
  const db = openDatabase(`${data}/accounts.db`, { kind: 'accounts', synchronous: 'FULL' })
  const rows = db.prepare('SELECT * FROM audit').all()
  db.close()
  assert.ok(rows.length > 0)
  assert.doesNotMatch(JSON.stringify(rows), /smith|jones|main/i)
})

test('verify is ok, or names an entry that was changed, removed or truncated', {
  skip: NO_FILES,
}, async () => {
  const whole = await runCommand(verify as never, ['--json'], { data })
  assert.deepEqual([whole.code, whole.json().ok], [0, true])
  const damages: [sql: string, at: RegExp][] = [
    ["UPDATE audit SET ids = '' WHERE id = 2", /entry 2: entry was changed/],
    ['DELETE FROM audit WHERE id = 2', /entry 2: entry is missing/],
    ['DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)', /entries are cut off/],
  ]
  for (const [sql, expected] of damages) {
    const db = openDatabase(`${data}/accounts.db`, { kind: 'accounts', synchronous: 'FULL' })
    assert.throws(() => db.exec(sql), /append-only/)
    const kept = db.prepare('SELECT * FROM audit').all()
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`)
    db.exec(sql)
    const run = await runCommand(verify as never, [], { data })
    assert.equal(run.code, 1)
    assert.match(run.out, expected)
    db.exec('DELETE FROM audit')
    for (const row of kept) {
      const values = Object.values(row)
      db.prepare(`INSERT INTO audit VALUES (${values.map(() => '?').join()})`).run(...values)
    }
    for (const trigger of triggers) db.exec(String(trigger.sql))
    db.close()
  }
  assert.equal((await runCommand(verify as never, [], { data })).code, 0)
})

test('a cut or rewritten end is detected by the head saved outside the database', {
  skip: NO_FILES,
}, async () => {
  const own = await startService(roll)
  const world = { data: own.config.data }
  try {
    const key = await own.keyFor()
    for (const lastName of ['Smith', 'Jones', 'Smith']) {
      await own.get('/public/premium/owner/', { state: 'WI', lastName }, { key })
    }
    // Each command notes the heads at its end.
    assert.equal((await runCommand(verify as never, [], world)).code, 0)
    const db = openDatabase(`${world.data}/accounts.db`, {
      ...{ kind: 'accounts', synchronous: 'FULL' },
    })
    for (const { name } of db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all()) {
      db.exec(`DROP TRIGGER ${String(name)}`)
    }
    // The end of the chain is adapted, so the database alone does not show the removal.
    db.exec('DELETE FROM audit WHERE id = 3')
    db.exec(`UPDATE audit_state SET newest_id = 2,
      newest_hash = (SELECT hash FROM audit WHERE id = 2)`)
    const cut = await runCommand(verify as never, [], world)
    assert.match(cut.out, /entry 3: entries are cut off: .*accounts\.heads noted entry 3/)
    const store = createAuditStore(openAccountDatabase(db), findSegments(db))
    const { newest } = await store.state()
    const note = { accountId: 'acc_2', keyId: 'key_2', requestId: 'r', operation: 'usage' }
    const [entry] = chainNotes([{ ...note, query: '0'.repeat(32), ids: '' }], newest, 1)
    assert.ok(entry)
    const nothing = { entries: [], heads: new Map(), result: undefined }
    await createLedgerStore(db).append(
      [],
      () => nothing,
      [],
      () => [entry],
    )
    const forged = await runCommand(verify as never, [], world)
    assert.match(forged.out, /entry 3: .*accounts\.heads has a different entry with this id/)
    db.close()
  } finally {
    await own.close()
  }
})

test('PLATBOOK_AUDIT=all records refusals, off records nothing', async () => {
  for (const [audit, count] of [
    ['all', 2],
    ['off', 0],
  ] as const) {
    const own = await startService(roll, { audit })
    try {
      const key = await own.keyFor()
      const address = { state: 'WI', address: '99 Main St', county: 'Dane' }
      assert.equal((await own.get('/public/property/address/', address, { key })).status, 404)
      await own.get('/public/premium/owner/', { state: 'WI', lastName: 'Smith' }, { key })
      const world = { data: own.config.data }
      for (let tries = 0; ; tries += 1) {
        const run = await runCommand(account as never, ['acc_2', '--json'], world)
        const { answers } = run.json() as { answers: Answer[] }
        if (answers.length < count && tries < 400) {
          await new Promise((resolve) => setTimeout(resolve, 25))
          continue
        }
        assert.equal(answers.length, count, audit)
        break
      }
    } finally {
      await own.close()
    }
  }
})
