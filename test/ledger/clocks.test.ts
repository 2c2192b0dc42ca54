/**
 * The clock of the running service is changed under load: over the end of a billing period, a year
 * ahead, back, and a year back.
 *
 * docs/accounts.md: a charge is never in a period earlier than the account's latest, whatever the
 * clock shows; the cap is exact.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { dateOf } from '../../src/accounts/period.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { askBothWorkers } from '../processes/ask.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { until } from '../until.ts'
import { createMovingClock } from './moving-clock.ts'
import { QUERY } from './promises.ts'
import { endAll, startLoad, startRunning } from './running-service.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-clocks-'))
after(endAll)
after(() => rmSync(data, { recursive: true }))

const DAY = 86_400_000
const YEAR = 365 * DAY
const TOKENS = 120
const CONNECTIONS = 6
const URL_PATH = `/public/premium/owner/?${QUERY}`

const clock = createMovingClock(data)

test(`clock set past a period's end, a year ahead and back under load (${clock.by})`, async () => {
  await operate(data, 'sample', '--parcels', '300')
  const midnight = Math.floor(Date.now() / DAY) * DAY
  const periodEnd = midnight + 20 * DAY
  // 25 days are not the length of a month, so the period moves by days.
  const period = [`periodStart=${dateOf(periodEnd - 25 * DAY)}`, `periodEnd=${dateOf(periodEnd)}`]
  const capped = await makeCustomer(data, `includedTokens=${TOKENS}`, ...period)
  const open = await makeCustomer(data, ...period)
  const others = [await makeCustomer(data), await makeCustomer(data)] as const
  const service = await startRunning({ data, workers: 2, env: clock.env })
  const loads = {
    capped: startLoad(() => service.address, capped.key, CONNECTIONS),
    open: startLoad(() => service.address, open.key, CONNECTIONS),
  }
  const statuses = async (key: string) =>
    (await askBothWorkers(service.address, URL_PATH, key)).map(({ status }) => status)

  /**
   * Until the account has had so many answers and is refused, with both accounts asking all the
   * time.
   */
  async function untilUsedUp(answers: number): Promise<void> {
    await until(() => loads.capped.answered.size >= answers)
    await keepAsking()
    assert.equal(loads.capped.answered.size, answers)
  }

  async function keepAsking(): Promise<void> {
    const refused = loads.capped.statuses.get('403') ?? 0
    const answered = loads.open.answered.size
    await until(
      () =>
        (loads.capped.statuses.get('403') ?? 0) >= refused + 3 * CONNECTIONS &&
        loads.open.answered.size >= answered + 50,
    )
  }

  await untilUsedUp(TOKENS)
  // The period ends a moment later, by itself.
  const ending = periodEnd - Date.now() - 500
  clock.set(ending)
  await untilUsedUp(2 * TOKENS)
  clock.set(ending + YEAR)
  await keepAsking()
  assert.equal(loads.capped.answered.size, 2 * TOKENS, 'a clock a year ahead gives no tokens')
  for (const { key } of others) assert.deepEqual(await statuses(key), [200, 200])

  // The operator's own clock was right all the time.
  for (const [turn, offset] of [0, -YEAR].entries()) {
    clock.set(offset)
    await keepAsking()
    assert.equal(
      loads.capped.answered.size,
      2 * TOKENS + turn,
      'the tokens are not given out again',
    )
    const { key, keyId } = others[turn as 0 | 1]
    assert.deepEqual(await statuses(key), [200, 200])
    await operate(data, 'key', 'revoke', keyId)
    await operate(data, 'account', 'set', capped.account, `includedTokens=${TOKENS + turn + 1}`)
    const { key: fresh } = await operate(data, 'key', 'create', open.account)
    assert.deepEqual(await statuses(fresh), [200, 200], 'a new key works at once')
    // docs/accounts.md: within a second, or later where the machine is busy.
    await wait(1000)
    await until(async () => (await statuses(key)).every((status) => status === 401))
    await untilUsedUp(2 * TOKENS + turn + 1)
  }
  assert.deepEqual(await statuses(others[0].key), [401, 401], 'no clock revives a revoked key')
  clock.set(0)
  await keepAsking()
  await Promise.all(Object.values(loads).map((load) => load.stop()))
  assert.equal(await service.stop(), 0)

  const used = readPeriods(capped.account)
  assert.deepEqual([...used.values()], [TOKENS, TOKENS + 2])
  assert.deepEqual([...used.keys()], [dateOf(periodEnd - 25 * DAY), dateOf(periodEnd)])
  assert.equal(readPeriods(open.account).size, 2)
  for (const [name, load] of Object.entries(loads)) {
    const odd = [...load.statuses.keys()].filter((status) => !/^(200|403)$/.test(status))
    assert.deepEqual(odd, [], `${name}: answers and refusals only`)
  }
  assert.equal(sum(used.values()), loads.capped.answered.size, 'rows are answers')
  assert.equal((await operate(data, 'ledger', 'verify')).ok, true)
})

/**
 * Charges of an account by period, in the order of its rows; a period that comes again later fails.
 */
function readPeriods(account: string): Map<string, number> {
  const db = openDatabase(join(data, 'accounts.db'), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  const rows = db
    .prepare('SELECT period FROM ledger WHERE account_id = ? ORDER BY seq')
    .all(account)
    .map(({ period }) => String(period))
  db.close()
  const counts = new Map<string, number>()
  rows.forEach((period, index) => {
    const before = rows[index - 1] ?? period
    assert.ok(period >= before, `row ${index + 1} lies in ${period}, the one before in ${before}`)
    counts.set(period, (counts.get(period) ?? 0) + 1)
  })
  return counts
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}
