/** Each line of the contract by value: what clients read and send, by the names that they use. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { newFacts } from '../../src/accounts/account-facts.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { type Query, startService } from '../service.ts'
import { makeRoll } from './rolls.ts'

const SHAPE = 'POLYGON((-89.41 43.06, -89.39 43.06, -89.39 43.08, -89.41 43.08, -89.41 43.06))'
const HOUSE = {
  ...{ parcelId: 'R-3726-00C', address: '123 Main St', city: 'Madison', zipCode: '53703' },
  ...{ latitude: 43.07, longitude: -89.4, geometry: SHAPE, acres: 0.5, landArea: 21_780 },
  ...{ ownerName1: 'ROE JANE Q', ownerAddressLine1: '9 ELM ST', ownerCity: 'VERONA' },
  ...{ ownerState: 'WI', ownerZipCode: '53593-1234', siteCensusTract: '000201' },
  ...{ transferDate: '2025-12-01', recordingDate: '2025-12-09', transferPrice: 300_000 },
  ...{ transferDocType: 'WARRANTY DEED', saleQualificationCode: 'Q', bookNum: '7', pageNum: '9' },
  ...{ useCode: '1001', useCodeLocal: 'R1', buildingArea: 1500, unitNumber: '' },
}
const EARLIER = {
  ...{ transferDate: '2019-05-07', recordingDate: '2019-05-09', transferPrice: 200_000 },
  ...{ transferDocType: 'QUIT CLAIM DEED', bookNum: '5' },
}
const ROLL = makeRoll([
  HOUSE,
  { ...HOUSE, ...EARLIER },
  { parcelId: 'ODD', useCode: 'R1', siteCensusTract: 'TRACT', transferDocType: 'STRANGE PAPER' },
])

/** The plain layout, in which a parcel's second row is its earlier sale. */
const folder = mkdtempSync(join(tmpdir(), 'platbook-by-value-'))
const mapping = join(folder, 'two-sales.json')
const plain = JSON.parse(
  readFileSync(new URL('../../mappings/platbook.json', import.meta.url), 'utf8'),
)
const repeats = { merge: ['transfers'], otherwise: 'first' }
writeFileSync(mapping, JSON.stringify({ ...plain, name: 'two-sales', repeats }))

const service = await startService('')
await service.importRoll(ROLL, { mapping, force: true, geometry: true })
const priced = await startService(ROLL, {
  ...{ prices: 'contract' as const, acceptBearer: false },
  publicUrl: 'https://x.example/props/v1',
})
after(async () => {
  await service.close()
  await priced.close()
  rmSync(folder, { recursive: true })
})
const flat = await service.keyFor({ responseShape: 'flat', emptyFields: 'null' })
const { emptyFields } = newFacts([], 0, new Map())
const omit = await service.keyFor({ responseShape: 'flat', emptyFields })
const old = await service.keyFor({ dataReads: 'v2', emptyFields: 'null' })
const nested = await service.keyFor({ emptyFields: 'null' })

const PARCEL = '/public/property/parcelId/'
async function read(key: string, parcelId = 'R-3726-00C') {
  const { body } = await service.get(PARCEL, { state: 'WI', county: 'Dane', parcelId }, { key })
  return body.property
}

const FLAT: [line: string, fields: Record<string, unknown>][] = [
  ['state_parcelId has a hyphen', { state_parcelId: 'WI-R-3726-00C' }],
  ['state_parcelIdSTD has no punctuation in the ID', { state_parcelIdSTD: 'WI-R372600C' }],
  ['siteCensusTract is county, tract and its dot', { siteCensusTract: '550250002.01' }],
  ['addressFormal spells the type out', { addressFormal: '123 MAIN STREET' }],
  ['purchaseSaleDate is the newest sale’s', { purchaseSaleDate: '20251201' }],
  ['purchaseRecordingDate is the newest sale’s', { purchaseRecordingDate: '20251209' }],
  ['LTVCurrentEstRange is there without a value', { LTVCurrentEstRange: null }],
  ['countyUSPS', { countyUSPS: 'DANE' }],
  ['lotSizeArea is landArea', { lotSizeArea: 21_780, landArea: 21_780 }],
  ['mailerAddress and mailingAddress', { mailerAddress: '9 ELM ST', mailingAddress: '9 ELM ST' }],
  ['mailingCity, mailingState', { mailingCity: 'VERONA', mailingState: 'WI' }],
  ['mailingZip5', { mailingZip5: '53593' }],
  ['ownerZipCode has five digits', { ownerZipCode: '53593' }],
  ['ownerZipCodePlusFour has the nine', { ownerZipCodePlusFour: '53593-1234' }],
  ['transferDocType is short', { transferDocType: 'WD' }],
  ['transferDocTypeRecorded is as recorded', { transferDocTypeRecorded: 'WARRANTY DEED' }],
  ['useCode is national, useCodeLocal the roll’s', { useCode: '1001', useCodeLocal: 'R1' }],
  ['useStandardCode is the same code', { useStandardCode: '1001' }],
]
for (const [line, fields] of FLAT) {
  test(`flat: ${line}`, async () => {
    const record = await read(flat)
    const shown = Object.keys(fields).map((name) => [name, record[name]])
    assert.deepEqual(Object.fromEntries(shown), fields)
  })
}

test('flat: siteId is text of digits', async () => {
  assert.match((await read(flat)).siteId, /^\d{1,15}$/)
})

test('flat: geometry is always a MultiPolygon', async () => {
  const { geometry } = await read(flat)
  assert.equal(geometry.type, 'MultiPolygon')
})

test('transfers have saleCode in both layouts, buyerIDCode, buyerVestingCode', async () => {
  const [sale] = (await read(flat)).transfers
  assert.deepEqual([sale.saleCode, sale.saleQualificationCode], ['Q', 'Q'])
  assert.deepEqual([sale.buyerIDCode, sale.buyerVestingCode], [null, null])
  const [own] = (await read(nested)).transfers
  assert.equal(own.saleCode, 'Q')
})

test('nested: use code, tract, addressFullUSPS, and buildings at the top too', async () => {
  const record = await read(nested)
  const { propertyUseCode, localUseCode } = record.propertyClassification
  assert.deepEqual([propertyUseCode, localUseCode], ['1001', 'R1'])
  assert.equal(record.propertyLocation.censusTract, '550250002.01')
  assert.equal(record.propertyLocation.addressFullUSPS, '123 MAIN ST, MADISON, WI 53703')
  assert.deepEqual(record.buildings, record.buildingInformation.buildings)
  assert.equal(record.buildings.length, 1)
})

test('past and prior sales are on v2 reads only, from transfers and owner', async () => {
  const record = await read(old)
  const names = [
    ...['pastPriceSale', 'pastPriceTransfer', 'pastSaleDateTransfer', 'pastRecoDateSale'],
    ...['pastDocumentTypeSale', 'priorSalesDate', 'saleDocumentTypeLastSale'],
    ...['saleBookLastSale', 'owner1FirstName', 'owner1LastName'],
  ]
  assert.deepEqual(Object.fromEntries(names.map((name) => [name, record[name]])), {
    ...{ pastPriceSale: 200_000, pastPriceTransfer: 200_000, pastSaleDateTransfer: '20190507' },
    ...{ pastRecoDateSale: '20190509', pastDocumentTypeSale: 'QC', priorSalesDate: '20190507' },
    ...{ saleDocumentTypeLastSale: 'WD', saleBookLastSale: '7' },
    ...{ owner1FirstName: 'JANE', owner1LastName: 'ROE' },
  })
  const now = await read(flat)
  for (const name of names) assert.ok(!(name in now), name)
})

test('a code that is not of the table is the roll’s; a bad tract is unknown', async () => {
  const { useCode, useCodeLocal, siteCensusTract, transferDocType } = await read(flat, 'ODD')
  assert.deepEqual([useCode, useCodeLocal, siteCensusTract], [null, 'R1', null])
  assert.equal(transferDocType, 'STRANGE PAPER')
})

test('keys without a value are left out on v3 reads of new accounts', async () => {
  const record = await read(omit)
  assert.ok(!Object.values(record).includes(null))
  assert.ok('useCode' in record && !('LTVCurrentEstRange' in record))
})

const SEARCH = '/public/property/search/'
for (const name of ['postal_code', 'zip', 'zipcode', 'zip_code', 'zipCode']) {
  test(`${name} is the ZIP code`, async () => {
    const found = async (zip: string) =>
      (await service.get(SEARCH, { state: 'WI', [name]: zip }, { key: flat })).body.metadata.count
    assert.deepEqual([await found('53703'), await found('53704')], [1, 0])
  })
}

test('query of a partial line answers', async () => {
  const { body } = await service.get(SEARCH, { state: 'WI', query: '123 Ma' }, { key: flat })
  assert.equal(body.properties[0].parcelId, 'R-3726-00C')
})

const COMPARABLES = '/public/premium/comparables/'
test('comparables: radius and timeFrame above their caps are capped and told', async () => {
  const asked = { latitude: 43.07, longitude: -89.4, radius: 500, timeFrame: 600, maxResults: 900 }
  const { status, body } = await service.get(COMPARABLES, asked, { key: flat })
  assert.equal(status, 200)
  const { radius, timeFrame, maxResults } = body.metadata.searchParams
  assert.deepEqual([radius, timeFrame, maxResults], [10, 60, 50])
})

test('comparables: defaults show in searchParams', async () => {
  const asked = { latitude: 43.07, longitude: -89.4 }
  const { body } = await service.get(COMPARABLES, asked, { key: flat })
  const { radius, timeFrame, maxResults, propertyType } = body.metadata.searchParams
  assert.deepEqual([radius, timeFrame, maxResults, propertyType], [1, 18, 25, 'any'])
})

test('MCP: location and owner search take offset, comparables maxResults', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: flat }
  const url = new URL(`${service.address}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  const takes = (name: string) =>
    Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
  for (const name of ['location_search', 'owner_search']) assert.ok(takes(name).includes('offset'))
  assert.ok(takes('comparables').includes('maxResults'))
  const near = { latitude: 43.07, longitude: -89.4, offset: 1 }
  const found = await client.callTool({ name: 'location_search', arguments: near })
  assert.notEqual(found.isError, true)
  await client.close()
})

test('Bearer is taken, or PLATBOOK_ACCEPT_BEARER is false and a text says why', async () => {
  const asked = { state: 'WI', limit: 1 }
  const taken = await service.get(SEARCH, asked, { key: `Bearer ${flat}` })
  assert.equal(taken.status, 200)
  const key = await priced.keyFor({})
  const refused = await priced.get(SEARCH, asked, { key: `Bearer ${key}` })
  assert.equal(refused.status, 401)
  assert.match(refused.body.error, /^Unauthorized: Send the API key alone as the Authorization/)
})

test('PLATBOOK_PRICES=contract: any 200 costs one token, a refusal none', async () => {
  const subject = { propertyId: '55025-R-3726-00C' }
  const queries: Record<string, Query> = {
    addressLookup: { state: 'WI', address: '123 Main St' },
    parcelIdLookup: subject,
    propertySearch: { state: 'WI' },
    premiumOwnerSearch: { state: 'WI', lastName: 'Roe' },
    ownerSearch: { state: 'WI', lastName: 'Roe' },
    locationSearch: { latitude: 43.07, longitude: -89.4 },
    comparables: { latitude: 43.07, longitude: -89.4 },
    portfolioSearch: subject,
    propertyHistory: subject,
  }
  const key = await priced.keyFor({ includedTokens: 9, responseShape: 'flat' })
  let charged = 0
  for (const { operationId, path } of OPERATIONS) {
    const query = queries[operationId]
    if (query === undefined) continue
    const refused = await priced.get(path, { ...(query as object), limit: 0, state: 'ZZ' }, { key })
    assert.notEqual(refused.status, 200)
    const answer = await priced.get(path, query, { key })
    charged += 1
    assert.equal(answer.status, 200, `${operationId} ${answer.text}`)
    assert.equal(answer.headers.get('x-tokens-charged'), '1', operationId)
    assert.equal(answer.headers.get('x-tokens-remaining'), String(9 - charged), operationId)
  }
  assert.equal(await priced.charges(key), charged)
  const over = await priced.get(SEARCH, { state: 'WI' }, { key })
  assert.deepEqual([over.status, over.body.code], [403, 'overage_limit_exceeded'])
})

test('links keep the path of PLATBOOK_PUBLIC_URL', async () => {
  const base = 'https://x.example/props/v1'
  const key = await priced.keyFor({})
  const blocked = await priced.keyFor({ subscription: 'canceled' })
  const document = await (await fetch(`${priced.address}/openapi.json`)).json()
  const { servers } = document as { servers: unknown }
  assert.deepEqual(servers, [{ url: base }])
  const deep = await priced.get(SEARCH, { state: 'WI', offset: 1 }, { key })
  assert.equal(deep.headers.get('link'), `<${base}/openapi.json>; rel="deprecation"`)
  const { tiles } = (await priced.get('/public/tiles.json/', {}, { key })).body
  assert.deepEqual(tiles, [`${base}/public/tiles/{z}/{x}/{y}`])
  const { billing_url } = (await priced.get(SEARCH, { state: 'WI' }, { key: blocked })).body
  assert.equal(billing_url, `${base}/billing`)
  const pages = await (await fetch(`${priced.address}/llms.txt`)).text()
  assert.match(pages, /https:\/\/x\.example\/props\/v1\/docs\/api\.md/)
  const home = await (
    await fetch(`${priced.address}/ogc/`, { headers: { authorization: key } })
  ).text()
  for (const [, at = ''] of home.matchAll(/"href":"([^"]+)"/g)) assert.ok(at.startsWith(base), at)
})
