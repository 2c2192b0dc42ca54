import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NOON, startService } from '../../service.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue\n'
const row = (id: number, owner: string, value = 1000) =>
  `WI,Dane,${id},"${owner}",last-first,${id} MAIN ST,${value}\n`
const ROLL = HEAD + [1, 2, 3, 4].map((id) => row(id, 'QUILLON, MARA')).join('')
const DAY = 86_400_000

const service = await startService(ROLL)
after(() => service.close())

const ask = (query: Record<string, string | number>) =>
  service.get('/public/changes/', { state: 'WI', ...query })

await service.importRoll(
  HEAD +
    row(1, 'ROE, JANE') +
    row(2, 'QUILLON, MARA', 2000) +
    row(3, 'QUILLON, MARA') +
    row(5, 'DOE, ANN'),
  { force: true, at: NOON + DAY },
)
service.setClock(NOON + DAY)

type Change = { what: string; propertyId: string | null; groups: string[]; sequence: number }

test('a first load is one change, later loads are a change per parcel', async () => {
  const { status, body } = await ask({})
  assert.equal(status, 200)
  const [first, ...rest] = body.changes as Change[]
  assert.equal(first?.what, 'loaded')
  assert.equal(body.changes[0].parcels, 4)
  assert.deepEqual(
    rest.map(({ what, propertyId, groups }) => [what, propertyId, groups]).toSorted(),
    [
      ['added', '55025-5', []],
      ['changed', '55025-1', ['owner']],
      ['changed', '55025-2', ['value']],
      ['removed', '55025-4', []],
    ],
  )
  assert.deepEqual(
    body.changes.map(({ sequence }: Change) => sequence),
    [1, 2, 3, 4, 5],
  )
  assert.equal(body.changes[1].import, 2)
  assert.equal(body.changes[1].loadedAt, '2026-03-11T12:00:00.000Z')
})

test('ids are those of the records', async () => {
  const { body } = await ask({ groups: 'owner' })
  const changed = body.changes.find(({ what }: Change) => what === 'changed')
  const found = await service.get('/public/property/parcelId/', {
    state: 'WI',
    county: 'Dane',
    parcelId: '1',
  })
  assert.ok(found.text.includes(changed.id), changed.id)
})

test('the last cursor returns nothing new until the next import', async () => {
  const seen: number[] = []
  let cursor = ''
  for (;;) {
    const { body } = await ask({ cursor, limit: 2 })
    if (body.changes.length === 0) break
    seen.push(...body.changes.map(({ sequence }: Change) => sequence))
    cursor = body.metadata.nextCursor
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5])
})

test('filters by group, county and day', async () => {
  const owner = await ask({ groups: 'owner,sale' })
  assert.ok(
    owner.body.changes.every(
      ({ what, groups }: Change) => what !== 'changed' || groups.includes('owner'),
    ),
  )
  assert.equal(owner.body.changes.length, 4)
  assert.equal((await ask({ county: 'Dane' })).body.changes.length, 5)
  assert.equal((await ask({ county: 'Iowa' })).body.changes.length, 0)
  assert.equal((await ask({ since: '2026-03-11' })).body.changes.length, 4)
  const later = await ask({ since: '2026-03-12' })
  assert.equal(later.body.changes.length, 0)
  assert.equal(later.body.metadata.oldestSequence, 1)
})

test('an unrecognized county finds nothing, as in every other list', async () => {
  for (const county of ['Nowhere', '999', '31109', 'Lancaster']) {
    const { status, body } = await ask({ county })
    assert.deepEqual([status, body.changes], [200, []], county)
    assert.equal(body.metadata.nextCursor, String(body.metadata.lastSequence))
  }
})

test('refuses wrong groups, days and cursors', async () => {
  for (const query of [
    { groups: 'price' },
    { since: '2026-13-01' },
    { since: 'May' },
    { since: '2026-02-30' },
    { since: '2026' },
    { cursor: 'x' },
  ]) {
    assert.equal(
      (await ask(query as unknown as Record<string, string>)).status,
      400,
      JSON.stringify(query),
    )
  }
  assert.equal((await ask({ cursor: '1', since: '2026-03-11' })).status, 400)
})

test('costs nothing, also when the tokens are used up', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  assert.equal((await service.get('/public/changes/', { state: 'WI' }, { key })).status, 200)
  assert.equal(await service.charges(key), 0)
})

test('a cursor older than the kept changes is 410 with the oldest sequence', async () => {
  service.setClock(NOON + 90 * DAY + DAY / 2)
  const { status, body } = await ask({ cursor: '0' })
  assert.deepEqual([status, body.oldestSequence], [410, 2])
  assert.equal((await ask({ cursor: '1' })).status, 200)
  service.setClock(NOON + DAY)
})
