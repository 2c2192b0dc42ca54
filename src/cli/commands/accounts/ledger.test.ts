import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { MAY, makeCharge, makeLedgerDatabase } from '../../../../test/ledger/fixture.ts'
import { CommandError } from '../../../base/errors.ts'
import { openLedgerWriter } from '../../../ledger/writer.ts'
import { openDatabase } from '../../../store/sqlite/connection.ts'
import type { Command } from '../../command.ts'
import { explainRefusal } from '../../explain-errors.ts'
import { ledgerCredit, ledgerShow, ledgerVerify } from './ledger.ts'
import { plotDays, usage } from './usage.ts'

const base = mkdtempSync(join(tmpdir(), 'platbook-ledger-'))
after(() => rmSync(base, { recursive: true }))
let data = ''

const run = (command: Command, ...words: string[]) => runCommand(command, words, { data, now: MAY })

/** Two accounts; `acc_a` is charged three times on two days. */
beforeEach(async () => {
  data = mkdtempSync(join(base, 'data-'))
  const { db, store } = await makeLedgerDatabase(join(data, 'accounts.db'), {
    acc_a: { includedTokens: 10 },
    acc_b: {},
  })
  let now = MAY - 86_400_000
  const writer = await openLedgerWriter(store, () => now)
  await writer.charge(makeCharge('acc_a', { requestId: 'req_a1' }))
  await writer.charge(makeCharge('acc_a', { requestId: 'req_a2' }))
  now = MAY
  await writer.charge(makeCharge('acc_a', { requestId: 'req_a3', endpoint: 'ownerSearch' }))
  db.close()
})

function fails(code: 1 | 2, ...parts: string[]) {
  return (error: unknown) =>
    error instanceof CommandError &&
    error.exitCode === code &&
    parts.every((part) => error.message.includes(part))
}

test('show gives every entry of an account in the documented shape', async () => {
  const shown = (await run(ledgerShow, 'acc_a', '--json')).json()
  assert.equal(shown.account, 'acc_a')
  assert.equal(shown.used, 3)
  const entries = shown.entries as Record<string, unknown>[]
  assert.equal(entries.length, 3)
  assert.deepEqual(entries[2], {
    id: 3,
    requestId: 'req_a3',
    at: '2026-05-20T12:00:00.000Z',
    endpoint: 'ownerSearch',
    cost: 1,
    key: 'key_1',
    reason: null,
  })
  assert.deepEqual((await run(ledgerShow, 'acc_b', '--json')).json(), {
    account: 'acc_b',
    used: 0,
    entries: [],
  })
  await assert.rejects(run(ledgerShow, 'acc_none'), fails(1, 'acc_none'))
})

test('a credit is a row with its reason, and lowers what is used', async () => {
  const made = await run(ledgerCredit, 'acc_a', '2', '--reason', 'lost answers', '--json')
  assert.equal(made.json().cost, -2)
  const shown = (await run(ledgerShow, 'acc_a', '--json')).json()
  assert.equal(shown.used, 1)
  const last = (shown.entries as Record<string, unknown>[]).at(-1)
  assert.deepEqual([last?.cost, last?.reason, last?.key], [-2, 'lost answers', null])
  assert.match((await run(ledgerShow, 'acc_a')).out, /-2 {2}correction .* "lost answers"/)
  assert.equal((await run(ledgerVerify)).code, 0)
})

test('a credit of more than was used is a sentence, and leaves no row', async () => {
  const words = ['4', '--reason', 'a slip of the keyboard']
  await assert.rejects(run(ledgerCredit, 'acc_a', ...words), fails(1, 'has used 3', 'overageCap'))
  const shown = (await run(ledgerShow, 'acc_a', '--json')).json()
  assert.deepEqual([shown.used, (shown.entries as unknown[]).length], [3, 3])
})

test('a credit without reason, of no tokens or to nobody is a sentence', async () => {
  await assert.rejects(run(ledgerCredit, 'acc_a', '2'), fails(2, '--reason'))
  for (const tokens of ['0', '1.5', 'x', '99999999999']) {
    await assert.rejects(run(ledgerCredit, 'acc_a', tokens, '--reason', 'r'), fails(2, tokens))
  }
  await assert.rejects(run(ledgerCredit, 'acc_none', '1', '--reason', 'r'), fails(1, 'acc_none'))
})

test('verify prints ok with heads, or exits 1 and names the first bad row', async () => {
  const good = await run(ledgerVerify, '--json')
  assert.equal(good.code, 0)
  const { ok, rows, heads, bad } = good.json()
  assert.deepEqual({ ok, rows, bad }, { ok: true, rows: 3, bad: null })
  assert.match(String((heads as Record<string, string>).acc_a), /^[0-9a-f]{64}$/)

  damage('UPDATE ledger SET cost = 0 WHERE id = 2')
  const found = await run(ledgerVerify, '--json')
  assert.equal(found.code, 1)
  assert.equal(found.json().ok, false)
  const fault = found.json().bad as Record<string, unknown>
  assert.deepEqual([fault.id, fault.account, fault.seq], [2, 'acc_a', 2])
  const text = await run(ledgerVerify)
  assert.equal(text.code, 1)
  assert.match(text.out, /id 2, row 2, account acc_a: row was changed/)
})

test('verify against heads kept elsewhere finds a ledger that was put back', async () => {
  const kept = join(data, 'heads.json')
  writeFileSync(kept, (await run(ledgerVerify, '--json')).out)
  assert.equal((await run(ledgerVerify, '--against', kept)).code, 0)
  damage(`DELETE FROM ledger; DELETE FROM ledger_head; DELETE FROM usage_day`)
  const { out } = await run(ledgerVerify)
  assert.match(out, /accounts\.heads noted row/)
  rmSync(join(data, 'accounts.heads'))
  assert.equal((await run(ledgerVerify)).code, 0, 'an empty ledger is whole by itself')
  assert.equal((await run(ledgerVerify, '--against', kept)).code, 1)
  await assert.rejects(run(ledgerVerify, '--against', '/none.json'), fails(1, '/none.json'))
})

test('usage shows tokens used and left per account, and requests by day and endpoint', async () => {
  const { accounts } = (await run(usage, 'acc_a', '--json')).json() as { accounts: unknown[] }
  assert.deepEqual(accounts, [
    {
      id: 'acc_a',
      name: 'Account acc_a',
      period: { start: '2026-05-01', end: '2026-06-01' },
      includedTokens: 10,
      overageCap: 0,
      used: 3,
      remaining: 7,
      days: [
        { day: '2026-05-19', endpoint: 'premiumOwnerSearch', requests: 2, tokens: 2 },
        { day: '2026-05-20', endpoint: 'ownerSearch', requests: 1, tokens: 1 },
      ],
    },
  ])
  const all = (await run(usage)).out
  assert.match(all, /acc_a[\s\S]*used 3, left 7, requests 3[\s\S]*acc_b[\s\S]*used 0, left ∞/)
})

test('the plot has a bar per day, the fullest day a full one', () => {
  const day = (date: string, requests: number) => ({
    day: date,
    endpoint: 'x',
    requests,
    tokens: 0,
  })
  const week = { start: '2026-05-01', end: '2026-05-08' }
  const plot = plotDays(week, [day('2026-05-01', 1), day('2026-05-03', 8), day('2026-05-07', 4)])
  assert.equal(plot, '▁ █   ▄| 8 at most in a day')
  const year = plotDays({ start: '2026-01-01', end: '2027-01-01' }, [day('2026-12-31', 1)])
  assert.match(year, /^ {60}█\| 1 at most in 6 days$/)
})

function damage(sql: string): void {
  const db = openDatabase(join(data, 'accounts.db'), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`)
  db.exec(sql)
  for (const trigger of triggers) db.exec(String(trigger.sql))
  db.close()
}

test('verify reports an unreadable ledger, also in JSON; others give a sentence', async () => {
  for (const table of ['ledger', 'account']) {
    const path = join(data, 'accounts.db')
    const whole = damageTable(path, table)
    const verdict = await run(ledgerVerify, '--json')
    assert.equal(verdict.code, 1)
    const { ok, rows, heads, bad } = verdict.json()
    assert.deepEqual({ ok, rows, heads }, { ok: false, rows: 0, heads: {} })
    assert.match((bad as { problem: string }).problem, /^it cannot be read: .*malformed/)
    const { code, out } = await run(ledgerVerify)
    assert.equal(code, 1)
    assert.match(out, /^the ledger is broken: it cannot be read/)
    const refusal = await run(ledgerShow, 'acc_a').catch(explainRefusal)
    assert.ok(refusal instanceof CommandError, String(refusal))
    assert.match(refusal.message, /platbook check says where/)
    writeFileSync(path, whole)
  }
  writeFileSync(join(data, 'accounts.db'), 'no database at all')
  const { code, json } = await run(ledgerVerify, '--json')
  assert.equal(code, 1)
  assert.match((json().bad as { problem: string }).problem, /not a database/)
})

/** Overwrites the first page of a table and returns its former bytes. */
function damageTable(path: string, table: string): Buffer {
  const db = openDatabase(path, { kind: 'accounts', synchronous: 'FULL' })
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage
  const page = Number(db.prepare('PRAGMA page_size').get()?.page_size)
  db.close()
  const whole = readFileSync(path)
  const damaged = Buffer.from(whole).fill(0x5a, (Number(root) - 1) * page, Number(root) * page)
  writeFileSync(path, damaged)
  return whole
}
