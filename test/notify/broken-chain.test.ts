/** Changed ledgers and audits cause a notice to the operator's URL. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { ledgerVerify } from '../../src/cli/commands/accounts/ledger.ts'
import * as auditCommands from '../../src/cli/commands/service/audit.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { listNotices, signNotice } from '../../src/notify/notice.ts'
import { runCommand } from '../command.ts'
import { makeRoll } from '../contract/rolls.ts'
import { endAll, startRunning } from '../ledger/running-service.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'
import { startReceiver, type TestReceiver } from './receiver.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-broken-'))
const SECRET = 'an invented secret of many letters'
let receiver: TestReceiver
let env: Record<string, string> = {}

before(async () => {
  receiver = await startReceiver()
  env = { PLATBOOK_NOTIFY_URL: receiver.url, PLATBOOK_NOTIFY_SECRET: SECRET }
  const roll = makeRoll([{ ownerName1: 'TESTERMAN, IRIS', address: '12 SAMPLE ST' }])
  const service = await startService(roll, { data })
  const key = await service.keyFor()
  const query = { state: 'WI', lastName: 'testerman' }
  for (let time = 0; time < 3; time += 1) {
    const { status } = await service.get('/public/premium/owner/', query, { key })
    assert.equal(status, 200)
  }
  await service.close()
})
after(async () => {
  await endAll()
  await receiver?.close()
  rmSync(data, { recursive: true, force: true })
})

const NOTHING = { kind: '', text: '' }

/** Writes to the file without the triggers, as an intruder could. */
function forge(table: 'ledger' | 'audit', sql: string): void {
  const db = new DatabaseSync(join(data, 'accounts.db'))
  const triggers = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?",
  )
  for (const { name } of triggers.all(table)) db.exec(`DROP TRIGGER ${String(name)}`)
  db.exec(sql)
  db.close()
}

const sentNotices = () =>
  receiver.taken.map(({ notice }) => ({ kind: notice.kind, ...(notice.data as { text: string }) }))

test('audit verify sends a notice of a changed entry', async () => {
  const verify = Object.values(auditCommands).find(({ name }) => name === 'audit verify')
  assert.ok(verify)
  assert.equal((await runCommand(verify, [], { data, env })).code, 0)
  assert.deepEqual(sentNotices(), [], 'a whole chain is not worth a word')
  forge('audit', "UPDATE audit SET operation = 'usage' WHERE id = 2")
  assert.equal((await runCommand(verify, [], { data, env })).code, 1)
  const [{ kind, text } = NOTHING] = sentNotices()
  assert.equal(kind, 'chain_broken')
  assert.match(text, /^the audit is broken at entry 2: /)
  const [{ body, signature } = { body: '', signature: '' }] = receiver.taken
  const seconds = Number(/^t=(\d+)/.exec(signature)?.[1])
  assert.equal(signature, signNotice(body, SECRET, seconds * 1000))
})

test('ledger verify and check send a notice of a changed row, and keep it if unsent', async () => {
  receiver.taken.length = 0
  forge('ledger', 'UPDATE ledger SET cost = 0 WHERE seq = 2')
  const deaf = { ...env, PLATBOOK_NOTIFY_URL: 'http://127.0.0.1:1/hook' }
  assert.equal((await runCommand(ledgerVerify, [], { data, env: deaf })).code, 1)
  assert.equal(listNotices(data).length, 1)
  assert.equal((await runCommand(checkCommand, [], { data, env })).code, 1)
  assert.deepEqual(listNotices(data), [])
  const [{ kind, text } = NOTHING] = sentNotices()
  assert.deepEqual([kind, sentNotices().length], ['chain_broken', 1])
  assert.match(text, /^the ledger is broken at .*row 2/)
})

test('the ledger process of the service sends the notice at its start', async () => {
  receiver.taken.length = 0
  const service = await startRunning({ data, workers: 1, env })
  await until(() => sentNotices().length > 0)
  const [{ kind, text } = NOTHING] = sentNotices()
  assert.equal(kind, 'chain_broken', service.log())
  assert.ok(service.log().includes(text))
  await service.stop()
})

test('ledger verify, audit verify and check send a notice of unreadable accounts', async (t) => {
  receiver.taken.length = 0
  const folder = mkdtempSync(join(tmpdir(), 'platbook-unreadable-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'accounts.db'), 'no database at all')
  const [auditVerify] = Object.values(auditCommands).filter(({ name }) => name === 'audit verify')
  assert.ok(auditVerify)
  for (const command of [ledgerVerify, auditVerify, checkCommand]) {
    const { code, json } = await runCommand(command, ['--json'], { data: folder, env })
    assert.equal(code, 1)
    assert.equal(json().ok, false)
  }
  assert.deepEqual(
    sentNotices().map(({ text }) => text),
    [
      'the ledger is broken: it cannot be read: file is not a database',
      'the audit is broken: it cannot be read: file is not a database',
      'the ledger is broken: cannot be read: file is not a database',
    ],
  )
})
