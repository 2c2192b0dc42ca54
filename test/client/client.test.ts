/** The TypeScript client against the real service, over a real socket. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  AccessDeniedError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  Platbook,
} from '../../client/src/index.ts'
import { CENTER, SOLD } from '../contract/comparables/roll.ts'
import { NOON, startService } from '../service.ts'

const PARCELS = 260
const rows = Array.from(
  { length: PARCELS },
  (_, at) => `WI,Dane,P-${at},${at + 1} OAK ST,MADISON,53703,"GARCIA, MARIA ${at}"`,
)
const service = await startService(
  ['state,county,parcelId,address,city,zipCode,ownerName1', ...rows].join('\n'),
)
after(() => service.close())

const key = await service.keyFor({ responseShape: 'flat' })
const platbook = new Platbook({ baseUrl: service.address, key })

describe('lookups', () => {
  test('return the property, with the values of the headers', async () => {
    const property = await platbook.addressLookup({ state: 'WI', address: '7 Oak Street' })
    assert.equal(property?.parcelId, 'P-6')
    assert.equal(property?.meta.match, 'exact')
    assert.match(property?.meta.requestId ?? '', /./)
    assert.equal(JSON.stringify(property).includes('"meta"'), false)
  })

  test('show history and lineage, and earlier days by asOf', async () => {
    const propertyId = '55025-P-6'
    const [history, lineage] = [
      await platbook.history({ propertyId }),
      await platbook.lineage({ propertyId, generations: 2 }),
    ]
    assert.equal(history?.versions[0]?.what, 'loaded')
    assert.deepEqual(
      [lineage?.kind, lineage?.children, lineage?.meta.tokensCharged],
      ['none', [], 1],
    )
    assert.equal(await platbook.lineage({ propertyId: '55025-NONE' }), null)
    const asked = { state: 'WI', county: 'Dane', parcelId: 'P-6' }
    assert.equal((await platbook.parcelIdLookup({ ...asked, asOf: '2099-01-01' }))?.parcelId, 'P-6')
    const former = platbook.ownerSearch({ state: 'WI', lastName: 'Garcia', former: true, limit: 1 })
    for await (const page of former.pages()) {
      assert.equal(page.metadata.held?.length, 1)
      break
    }
  })

  test('answer questions: filters, fields, summaries, suggestions and networks', async () => {
    const found = platbook.propertySearch({
      ...{ state: 'WI', hasSitus: true, ownerType: ['individual'] },
      ...{ sort: '-id', fields: 'parcelId', limit: 2, cursor: '' },
    })
    const ids: unknown[] = []
    for await (const one of found) if (ids.push(one.parcelId) === 3) break
    assert.deepEqual(ids, ['P-259', 'P-258', 'P-257'])
    const summary = await platbook.summary({ state: 'WI', groupBy: ['city'], county: 'Dane' })
    assert.deepEqual(summary.groups, [{ key: { city: 'MADISON' }, count: PARCELS }])
    const suggested = await platbook.suggest({ state: 'WI', q: '17 oa' })
    const first = suggested?.suggestions[0]
    assert.deepEqual([first?.text, first?.propertyId], ['17 OAK ST', '55025-P-16'])
    const network = await platbook.network({ propertyId: '55025-P-6', depth: 1 })
    assert.deepEqual(
      network.nodes.map(({ kind, label }) => [kind, label]),
      [['owner', 'GARCIA, MARIA 6']],
    )
    await assert.rejects(
      platbook.propertySearch({ state: 'WI', acresMin: 2, acresMax: 1 }).all(),
      BadRequestError,
    )
  })

  test('give null where there is nothing, or throw where that was asked', async () => {
    const asked = { state: 'WI', county: 'Dane', parcelId: 'NONE' }
    assert.equal(await platbook.parcelIdLookup(asked), null)
    const strict = new Platbook({ baseUrl: service.address, key, throwOnMissing: true })
    await assert.rejects(strict.parcelIdLookup(asked), NotFoundError)
  })
})

describe('lists', () => {
  test('a property search goes through all pages, each property once', async () => {
    const seen: (string | null | undefined)[] = []
    for await (const { parcelId } of platbook.propertySearch({ state: 'WI', limit: 100 })) {
      seen.push(parcelId)
    }
    assert.equal(seen.length, PARCELS)
    assert.equal(new Set(seen).size, PARCELS)
  })

  test('all({ max }) requests no page that it does not need', async () => {
    const found = await platbook.ownerSearch({ state: 'WI', lastName: 'Garcia' }).all({ max: 15 })
    assert.equal(found.length, 15)
  })

  test('an owner search ends at its window, marked as truncated', async () => {
    let [count, truncated] = [0, false]
    const asked = { state: 'WI', lastName: 'Garcia', limit: 25 }
    for await (const page of platbook.premiumOwnerSearch(asked).pages()) {
      count += page.items.length
      truncated = page.meta.truncated
      assert.equal(page.meta.tokensCharged, 1)
    }
    assert.deepEqual([count, truncated], [200, true])
  })

  test('a page size that does not divide the window loses nothing', async () => {
    const found = await platbook.ownerSearch({ state: 'WI', lastName: 'Garcia', limit: 30 }).all()
    assert.equal(found.length, 200)
  })

  test('an owner that nobody is gives an empty list', async () => {
    assert.deepEqual(await platbook.ownerSearch({ state: 'WI', lastName: 'Nobody' }).all(), [])
  })

  test('next() called several times at once gives each property once', async () => {
    const list = platbook.propertySearch({ state: 'WI', limit: 10 })[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: PARCELS + 5 }, () => list.next()))
    const ids = results.flatMap(({ done, value }) => (done ? [] : [value.parcelId]))
    assert.equal(new Set(ids).size, PARCELS)
    assert.equal(ids.length, PARCELS)
  })
})

describe('lists of other kinds', () => {
  test('the changes of a state end, and begin with a day where one is asked', async () => {
    const whole = await platbook.changes({ state: 'WI', limit: 1 }).all()
    assert.deepEqual(
      whole.map(({ what }) => what),
      ['loaded'],
    )
    const since = new Date(NOON).toISOString().slice(0, 10)
    assert.deepEqual(await platbook.changes({ state: 'WI', since }).all(), whole)
    assert.deepEqual(await platbook.changes({ state: 'TX' }).all(), [])
  })
})

describe('lists of sales', () => {
  test('comparable sales go through all pages, each once', async () => {
    const sold = await startService(SOLD)
    try {
      const asking = new Platbook({ baseUrl: sold.address, key: await sold.keyFor({}) })
      const whole = await asking.comparables({ ...CENTER, maxResults: 50 }).all()
      const paged = await asking.comparables({ ...CENTER, maxResults: 8 }).all()
      assert.ok(whole.length > 16)
      assert.deepEqual(paged, whole)
    } finally {
      await sold.close()
    }
  })
})

describe('errors', () => {
  test('a 403 has code, action and billing page', async () => {
    const blocked = await service.keyFor({ unpaidInvoices: 2 })
    const client = new Platbook({ baseUrl: service.address, key: blocked })
    const error = await client.usage().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof AccessDeniedError)
    assert.equal(error.status, 403)
    assert.equal(error.code, 'unpaid_invoices')
    assert.match(error.action ?? '', /./)
    assert.match(error.billingUrl ?? '', /billing/)
    assert.match(error.requestId ?? '', /./)
  })

  test('a wrong key and a wrong parameter are different errors', async () => {
    const client = new Platbook({ baseUrl: service.address, key: 'pbk_wrong' })
    await assert.rejects(client.usage(), AuthenticationError)
    await assert.rejects(platbook.propertySearch({ state: 'XX' }).all(), BadRequestError)
  })

  test('nobody there is a ConnectionError, after the tries', async () => {
    const client = new Platbook({ baseUrl: 'http://127.0.0.1:1', key, retries: 1 })
    await assert.rejects(client.usage(), ConnectionError)
  })

  test('an address that is none, and a missing key, are named at once', () => {
    assert.throws(() => new Platbook({ baseUrl: 'plat.example', key }), /baseUrl/)
    assert.throws(() => new Platbook({ baseUrl: service.address, key: '' }), /key/)
  })
})

test('raw() asks any path and gives body and headers', async () => {
  const { body, meta } = await platbook.raw('/public/property/search', { state: 'WI', limit: 1 })
  assert.equal((body as { properties: unknown[] }).properties.length, 1)
  assert.equal(meta.status, 200)
})
