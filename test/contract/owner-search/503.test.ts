/**
 * `GET /public/premium/owner/` answers 503: docs/decisions/owner-matching.md; and 500, where we are
 * at fault.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UNAVAILABLE } from '../../../src/ledger/ledger.ts'
import { startService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'
import { PATH, PLAIN_PATH } from './roll.ts'

/**
 * More parcels of one name than a slice of a walk examines; no slot has both words of the query.
 */
const LONG = makeRoll(
  times(12_000, (number) => ({
    parcelId: `L${number}`,
    ownerName1: 'LONGROW, ABEL',
    ownerName2: 'SHORTROW, CORA',
  })),
)
const query = { state: 'WI', lastName: 'Longrow', nameContains: 'cora' }

const slow = await startService(LONG, { ownerTimeMs: 0 })
const broken = await startService(makeRoll([{ ownerName1: 'LONGROW, ABEL' }]), {}, (ledger) => ({
  ...ledger,
  async charge({ requestId }) {
    if (failing === 'defect') throw new TypeError(`a private detail of ${requestId}`)
    return { kind: 'unavailable', reason: UNAVAILABLE.down }
  },
}))
let failing: 'outage' | 'defect' = 'outage'
after(() => Promise.all([slow.close(), broken.close()]))

for (const dataReads of ['v2', 'v3'] as const) {
  test(`a ${dataReads} search past its deadline is a free 503 with Retry-After`, async () => {
    const key = await slow.keyFor({ dataReads })
    const asked = dataReads === 'v3' ? query : { state: 'WI', lastName: 'Longrow', offset: 11_900 }
    for (const path of [PATH, PLAIN_PATH]) {
      const { status, headers } = await slow.get(path, asked, { key })
      assert.equal(status, 503)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal(headers.get('x-tokens-charged'), null)
    }
    assert.equal(await slow.charges(key), 0)
  })
}

test('when the ledger cannot be reached it is 503 and no record is shown', async () => {
  failing = 'outage'
  const { status, body, headers } = await broken.get(PATH, { state: 'WI', lastName: 'Longrow' })
  assert.equal(status, 503)
  assert.deepEqual(body, { error: 'Service temporarily unavailable' })
  assert.equal(headers.get('x-tokens-charged'), null)
  assert.match(broken.logged.at(-1) ?? '', /ledger/)
})

test('operations that cost nothing go on without the ledger', async () => {
  const search = await broken.get('/public/property/search/', { state: 'WI' })
  assert.equal(search.status, 200)
})

test('a defect of ours is 500 with a fixed text; the cause is in the log alone', async () => {
  failing = 'defect'
  const key = await broken.keyFor()
  const { status, body, headers } = await broken.get(
    PATH,
    { state: 'WI', lastName: 'Longrow' },
    { key },
  )
  assert.deepEqual([status, body], [500, { error: 'Internal server error' }])
  const line = JSON.parse(broken.logged.at(-1) ?? '{}')
  assert.equal(line.requestId, headers.get('x-request-id'))
  assert.match(line.error, /a private detail/)
  assert.equal(await broken.charges(key), 0)
})
