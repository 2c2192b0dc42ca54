/** What clients of the contract send and read that no operation's own tests show, as one walk. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { describeApi } from '../../src/http/openapi/openapi.ts'
import { sampleCsv } from '../../src/sample/generate.ts'
import { importRoll, makeFolder, write } from '../import/small-roll.ts'
import { startService } from '../service.ts'
import { makeRoll } from './rolls.ts'

/** Units in forms that the sample has not: a building, a floor, letters, a range, a wing. */
const UNITS = [
  ...['700 HARBOR DR BLDG 2 UNIT 1A', '700 HARBOR DR BLDG 2 UNIT 1B', '700 HARBOR DR UNIT 1A'],
  ...['9 QUAY ST FL 3', '9 QUAY ST PH B', '9 QUAY ST # 12-C', '9 QUAY ST APT 7 REAR'],
  ...['44 PIER AVE STE 100', '44 PIER AVE SUITE 100A', '44 PIER AVE LOT 9'],
]
const near = (at: number) => ({ latitude: 43.07 + at * 1e-5, longitude: -89.4 })
const DANE = UNITS.map((address, at) => ({
  ...{ parcelId: `U-${at}`, address, city: 'MADISON', zipCode: '53703', ...near(at) },
  ...{ ownerName1: 'QUAYLAND MARLOWE', useCode: '1004', buildingArea: 900 },
  ...{ transferDate: '2025-10-01', transferPrice: 200_000 + at },
}))

const service = await startService('')
await service.importRoll([...sampleCsv({ parcels: 600, seed: 31 })].join(''), { force: true })
await service.importRoll(makeRoll(DANE), { partial: true, force: true })
const origins = 'https://one.example, https://two.example:8443'
const listed = await startService('', { corsOrigins: origins })
after(async () => {
  await service.close()
  await listed.close()
})
const key = await service.keyFor({ responseShape: 'flat', emptyFields: 'omit' })

const ADDRESS = '/public/property/address/'
const SEARCH = '/public/property/search/'

async function readAll() {
  const records = []
  for (const state of ['WI', 'IL', 'FL', 'TX']) {
    for (let offset = 0; ; offset += 100) {
      const { body } = await service.get(SEARCH, { state, limit: 100, offset }, { key })
      records.push(...(body.properties ?? []))
      if ((body.properties ?? []).length < 100) break
    }
  }
  return records
}

test('every unit of the sample, and compound ones, is found as it is shown', async () => {
  const records = await readAll()
  assert.ok(records.length > 500, String(records.length))
  const units = records.filter(({ unitNumberStripped }) => unitNumberStripped !== undefined)
  assert.ok(units.length > 30, String(units.length))
  for (const record of units) {
    const { state, county, address, addressLine1, propertyId, unitNumber } = record
    const line = addressLine1 ?? address
    const stripped = record.unitNumberStripped
    const queries = [
      { address: line, unit: unitNumber },
      { address: line, unit: stripped },
      { address: line, unitNumberStripped: stripped },
      { address: `${line} ${unitNumber}` },
    ]
    for (const query of queries) {
      const answer = await service.get(ADDRESS, { state, county, ...query }, { key })
      const told = `${JSON.stringify(query)}: ${answer.text.slice(0, 100)}`
      assert.equal(answer.status, 200, told)
      assert.equal(answer.body.property.propertyId, propertyId, told)
    }
  }
})

test('the account’s layout and empty fields are those of a new account of the contract', () => {
  assert.deepEqual([DEFAULT_FACTS.responseShape, DEFAULT_FACTS.dataReads], ['flat', 'v3'])
})

const ORIGINS = [
  ...[
    ['https://one.example', true],
    ['https://two.example:8443', true],
  ],
  ...[
    ['https://two.example', false],
    ['http://one.example', false],
    ['https://ONE.example', false],
  ],
  ...[
    ['https://one.example.evil.test', false],
    ['null', false],
  ],
] as [string, boolean][]
for (const [origin, allowed] of ORIGINS) {
  test(`CORS: ${origin} is ${allowed ? 'answered' : 'not answered'}, refusals too`, async () => {
    const at = (path: string, method: string, more: Record<string, string> = {}) =>
      fetch(`${listed.address}${path}`, { method, headers: { origin, ...more } })
    const asked = { 'access-control-request-method': 'GET' }
    const preflight = await at(SEARCH, 'OPTIONS', asked)
    assert.equal(preflight.status, allowed ? 204 : 405)
    const below = await at(`/api${SEARCH}`, 'OPTIONS', asked)
    assert.equal(below.status, preflight.status)
    const refused = await at(`${SEARCH}?state=WI`, 'GET')
    assert.equal(refused.status, 401)
    for (const answer of [preflight, below, refused]) {
      const told = answer.headers.get('access-control-allow-origin')
      assert.equal(told, allowed ? origin : null)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    }
  })
}

for (const path of ['/ogc/', '/ogc/none', '/mcp', '/llms.txt', '/docs/api.md', '/billing']) {
  test(`CORS: a page of a listed origin reads ${path}, as its preflight says`, async () => {
    const headers = { origin: 'https://one.example' }
    const answer = await fetch(`${listed.address}${path}`, { headers })
    assert.equal(answer.headers.get('access-control-allow-origin'), headers.origin)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Request-Id/)
    assert.match(answer.headers.get('vary') ?? '', /\borigin\b/)
    const elsewhere = await fetch(`${listed.address}${path}`, { headers: { origin: 'null' } })
    assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
    assert.ok(elsewhere.headers.get('x-request-id'), 'every answer has X-Request-Id')
  })
}

test('CORS: no origin is listed by default', async () => {
  const { status, headers } = await fetch(`${service.address}${SEARCH}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://one.example', 'access-control-request-method': 'GET' },
  })
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [405, null])
})

// biome-ignore lint/suspicious/noExplicitAny: a document of nested plain objects, walked by name
const api = describeApi() as any
test('OpenAPI: operations have tags, a summary and a description; info names a contact', () => {
  assert.match(api.info.version, /^\d+\.\d+\.\d+/)
  assert.ok(api.info['x-interface-version'] && api.info.contact.name && api.info.license)
  const known = new Set(api.tags.map(({ name }: { name: string }) => name))
  for (const [path, item] of Object.entries<object>(api.paths)) {
    for (const [method, told] of Object.entries<Record<string, string[]>>(item as never)) {
      if (method === 'parameters') continue
      assert.ok(
        told.tags?.every((tag) => known.has(tag)),
        `${method} ${path}: tags`,
      )
      assert.ok(told.summary && told.description && told.operationId, `${method} ${path}`)
    }
  }
})

test('OpenAPI: every field of records has a description, and arrays have items', () => {
  let fields = 0
  // biome-ignore lint/suspicious/noExplicitAny: any schema
  const walk = (schema: any, at: string): void => {
    if (schema === null || typeof schema !== 'object') return
    if ([schema.type].flat().includes('array'))
      assert.ok('items' in schema || 'prefixItems' in schema, `${at}: items`)
    for (const [name, part] of Object.entries<Record<string, unknown>>(schema.properties ?? {})) {
      if (/^(?:Flat|Nested)/.test(at)) {
        fields += 1
        assert.ok(part.description !== undefined || part.$ref !== undefined, `${at}.${name}`)
      }
      walk(part, `${at}.${name}`)
    }
    for (const name of ['items', 'additionalProperties']) walk(schema[name], `${at}[]`)
    for (const name of ['oneOf', 'anyOf', 'allOf'])
      for (const part of schema[name] ?? []) walk(part, at)
  }
  const schemas = Object.entries(api.components.schemas)
  for (const [name, schema] of schemas) walk(schema, name)
  assert.ok(fields > 400, String(fields))
  for (const name of ['FlatProperty', 'NestedProperty']) {
    assert.notEqual(api.components.schemas[name].additionalProperties, false, name)
  }
})

const mcp = new Client({ name: 'walk', version: '1' })
const url = new URL(`${service.address}/mcp`)
await mcp.connect(
  new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: key } } }),
)
after(() => mcp.close())
type Told = { properties?: { parcelId: string }[]; comparables?: { parcelId: string }[] }
const call = async (name: string, args: Record<string, unknown>) => {
  const { isError, structuredContent } = await mcp.callTool({ name, arguments: args })
  assert.notEqual(isError, true, JSON.stringify(args))
  const { properties, comparables } = structuredContent as Told
  return (properties ?? comparables ?? []).map(({ parcelId }) => parcelId)
}

const PAGED: [tool: string, args: Record<string, unknown>][] = [
  ['location_search', { latitude: 43.07, longitude: -89.4, radius: 0.5 }],
  ['owner_search', { state: 'WI', lastName: 'Quayland' }],
]
for (const [tool, args] of PAGED) {
  test(`MCP: ${tool} pages by offset and by limit, without a gap`, async () => {
    const whole = await call(tool, args)
    assert.ok(whole.length >= UNITS.length, String(whole.length))
    const first = await call(tool, { ...args, limit: 4 })
    const next = await call(tool, { ...args, limit: 4, offset: 4 })
    assert.deepEqual([...first, ...next], whole.slice(0, 8))
    assert.deepEqual(await call(tool, { ...args, offset: 8 }), whole.slice(8))
  })
}

test('MCP: comparables take maxResults, above its cap too', async () => {
  const args = { latitude: 43.07, longitude: -89.4, radius: 1 }
  assert.equal((await call('comparables', { ...args, maxResults: 3 })).length, 3)
  assert.ok((await call('comparables', { ...args, maxResults: 900 })).length >= UNITS.length)
})

test('a dry run counts uses without a known code, and coverage shows the shares', async (t) => {
  const rows = [
    { useCode: '1001', useCodeLocal: 'R1' },
    // Words of a use are read; a code of the county is not.
    { useCode: 'Duplex' },
    ...['ZX9', 'ZX9', '10*', '100', '1099', ' 2001 '].map((useCode) => ({ useCode })),
    { useCodeLocal: 'QQ', useDescription: 'OTHER THAN ALL' },
    { useCode: '' },
  ].map((row, at) => ({ parcelId: `D-${at}`, city: 'MADISON', ...row }))
  const file = write(makeFolder(t), 'uses.csv', makeRoll(rows))
  const data = makeFolder(t)
  const { preview, unread } = await importRoll(data, [file], { dryRun: true })
  const told = Object.fromEntries(preview?.uncodedUses ?? [])
  assert.deepEqual(told, { ZX9: 2, '10*': 1, '100': 1, '1099': 1, 'QQ OTHER THAN ALL': 1 })
  assert.deepEqual(unread, { useCode: 5 })
  await importRoll(join(data, 'loaded'), [file], { force: true })
  const other = await startService(makeRoll(rows), {})
  try {
    const { body } = await other.get('/public/coverage/')
    const [{ parcels, share }] = body.counties
    assert.deepEqual([parcels, share.useCode, share.localUse], [10, 0.3, 0.8])
  } finally {
    await other.close()
  }
})
