/** The audit in both stores: chain, filters, trimming, and several writers at once. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { createAuditKeeper } from '../../src/ledger/audit-keeper.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { listSeenBy, verifyAudit, whoSaw } from '../../src/privacy/audit.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { NoteJoiner } from '../../src/store/audit/answers.ts'
import { type AuditNote, type Probe, SEGMENT_ROWS } from '../../src/store/audit/audit-store.ts'
import { FilterKeys, mayHold, probeAccount, probeParcel } from '../../src/store/audit/filter.ts'
import { ledgerPlace } from '../../src/store/data-folder.ts'
import { openAccounts, openLedger, prepareData } from '../../src/store/open.ts'
import { makeCharge } from '../ledger/fixture.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { until } from '../until.ts'

const DAY_MS = 86_400_000

test('a filter has the bits of its distinct keys, 12 a key, 8 of each', async () => {
  const id = fc.stringMatching(/^[0-9A-Z-]{1,9}$/)
  const entry = fc.record({
    accountId: fc.constantFrom('acc_1', 'acc_2'),
    ids: fc.array(
      fc.oneof(
        id,
        id.map((one) => `\t${one}\t${one}`),
      ),
      { maxLength: 2000 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 9 }), async (entries) => {
      const keys = new FilterKeys()
      const probes = new Map<string, Probe>()
      for (const { accountId, ids } of entries) {
        keys.addEntry({ accountId, ids: ids.join('\n') })
        probes.set(`a${accountId}`, probeAccount(accountId))
        for (const one of ids) if (!one.startsWith('\t')) probes.set(`p${one}`, probeParcel(one))
      }
      const wanted = new Uint8Array(Math.max(8, Math.ceil((probes.size * 12) / 8)))
      for (const { first, step } of probes.values()) {
        for (let probe = 0; probe < 8; probe += 1) {
          const place = (first + probe * step) % (wanted.length * 8)
          wanted[place >> 3] = (wanted[place >> 3] as number) | (1 << (place & 7))
        }
      }
      const bits = await keys.makeFilter()
      assert.deepEqual(bits, wanted)
      return [...probes.values()].every((probe) => mayHold(bits, probe))
    }),
  )
})

test('of keys that a filter was not made of it holds about one in three hundred', async () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `55025-0709-${at}`)
  const keys = new FilterKeys()
  keys.addEntry({ accountId: 'acc_1', ids: ids.join('\n') })
  const bits = await keys.makeFilter()
  const others = Array.from({ length: 100_000 }, (_, at) => probeParcel(`55027-1811-${at}`))
  const wrong = others.filter((probe) => mayHold(bits, probe)).length
  assert.ok(wrong < 600, `${wrong} of 100,000`)
})

testStore('SQLite', async () => null)
const missing = whyNoServer()
if (missing !== undefined) test('the audit in PostgreSQL', { skip: missing }, () => undefined)
else {
  testStore('PostgreSQL', async () => {
    const server = await shareServer()
    after(() => server.stop())
    return server.createDatabase('audit')
  })
}

function testStore(name: string, findUrl: () => Promise<string | null>): void {
  test(`${name}: entries are chained, found by parcel or account, trimmed by age`, async () => {
    const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
    const config = { ...readConfig({}), data, databaseUrl: await findUrl() }
    await prepareData(config)
    const accounts = await openAccounts(config)
    await accounts.admin.createAccount({
      id: 'acc_1',
      name: 'One',
      createdAt: 0,
      facts: { ...DEFAULT_FACTS, includedTokens: 'unlimited' },
    })
    const clock = { now: Date.UTC(2026, 2, 1) }
    const writers = await Promise.all([0, 1].map(() => open(ledgerPlace(config), clock)))
    const [one, two] = writers
    assert.ok(one && two)
    try {
      const { audit } = accounts
      for (let at = 0; at < 2 * SEGMENT_ROWS; at += 1) {
        ;(at % 2 === 0 ? one : two).writer.noteAudit([note(at)])
      }
      await until(async () => (await audit.state()).newest.id >= 2 * SEGMENT_ROWS)
      const charge = makeCharge('acc_1', { audit: { query: 'paid', ids: '55025-7\n55025-x' } })
      two.writer.noteAudit(joinNotes())
      const refused = makeCharge('acc_none', { audit: { query: 'no', ids: '55025-7' } })
      const outcomes = await Promise.all([one.writer.charge(charge), one.writer.charge(refused)])
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['charged', 'unavailable'],
      )
      await Promise.all(writers.map(({ close }) => close()))
      const verdict = await verifyAudit(audit)
      assert.deepEqual([verdict.bad, verdict.entries], [undefined, 2 * SEGMENT_ROWS + 4])

      // A keeper that was stopped goes on where filters end.
      clock.now += 100 * DAY_MS
      const keeper = createAuditKeeper(audit, { days: 365, now: () => clock.now, onError: fail })
      // It has seen all entries of the first segment, and not all of the second.
      const all = await audit.entriesAfter(0, 2 * SEGMENT_ROWS + 2)
      keeper.grew(all.slice(0, SEGMENT_ROWS + 10))
      keeper.grew(all.slice(-2))
      await until(async () => (await audit.filteredTo()) >= 2)
      assert.equal((await verifyAudit(audit)).bad, undefined)
      const seven = (await listAll(whoSaw(audit, '55025-7'))).map(({ query }) => query)
      assert.equal(seven.length, 2 * (SEGMENT_ROWS / 100) + 2)
      assert.deepEqual(seven.slice(-2).sort(), ['joined 1', 'paid'])
      assert.deepEqual(await listAll(whoSaw(audit, '55025')), [], 'whole IDs only')
      assert.equal((await listAll(listSeenBy(audit, 'acc_1'))).length, 1)
      const joined = (await listAll(listSeenBy(audit, 'acc_8'))).map(({ requestId, ids }) => [
        requestId,
        ids,
      ])
      assert.deepEqual(joined, [
        ['req_j0', '55025-x'],
        ['req_j1', '55025-7\n55025-8'],
        ['req_j2', ''],
      ])
      assert.equal((await listAll(listSeenBy(audit, 'acc_5'))).length, (2 * SEGMENT_ROWS) / 10)
      await keeper.close()

      const trimmer = createAuditKeeper(audit, { days: 30, now: () => clock.now, onError: fail })
      trimmer.grew(all.slice(-2))
      await until(async () => (await audit.state()).base.id >= 2 * SEGMENT_ROWS)
      await trimmer.close()
      const { bad, entries } = await verifyAudit(audit)
      assert.deepEqual([bad, entries], [undefined, 4], 'a segment that is not full stays')
      assert.equal((await listAll(whoSaw(audit, '55025-7'))).length, 2)
    } finally {
      await Promise.all(writers.map(({ close }) => close()))
      await accounts.close()
      rmSync(data, { recursive: true, force: true })
    }
  })
}

async function open(place: string, clock: { now: number }) {
  const { store, close } = openLedger(place)
  const writer = await openLedgerWriter(store, () => clock.now)
  let closing: Promise<void> | undefined
  return {
    writer,
    close: () => {
      closing ??= writer.close().then(close)
      return closing
    },
  }
}

function note(at: number): AuditNote {
  const ids = `55025-${at % 100}\n55025-${(at % 100) + 1000}`
  return {
    ...{
      accountId: at % 10 === 5 ? 'acc_5' : 'acc_9',
      keyId: 'key_1',
      requestId: `req_${at}`,
      ids,
    },
    ...{ operation: 'addressLookup', query: String(at) },
  }
}

/** Three free answers of one key in one entry. */
function joinNotes(): AuditNote[] {
  const joiner = new NoteJoiner()
  for (const [at, ids] of ['55025-x', '55025-7\n55025-8', ''].entries()) {
    const who = { accountId: 'acc_8', keyId: 'key_8', operation: 'addressLookup' }
    joiner.add({ ...who, requestId: `req_j${at}`, query: `joined ${at}`, ids })
  }
  return joiner.take()
}

async function listAll<Item>(items: AsyncGenerator<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function fail(error: unknown): never {
  throw error
}
