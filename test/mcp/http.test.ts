import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { makeSandboxKey } from '../../src/accounts/api-key.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { startService, type TestService } from '../service.ts'
import { MCP_ROLL } from './roll.ts'

let service: TestService
before(async () => {
  service = await startService(MCP_ROLL)
})
after(() => service.close())

const VERSIONS = [
  ['2025-11-25, with initialize', 'legacy'],
  ['2026-07-28, without sessions', { pin: '2026-07-28' }],
] as const

type Mode = (typeof VERSIONS)[number][1]

async function connect(
  headers: Record<string, string>,
  mode: Mode = 'legacy',
  path = '/mcp',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const url = new URL(`${service.address}${path}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

type Content = Record<string, unknown>

async function call(client: Client, name: string, given: Content): Promise<Content> {
  const result = await client.callTool({ name, arguments: given })
  const content = result.structuredContent as Content
  const [text] = result.content as { type: string; text: string }[]
  assert.deepEqual(JSON.parse(text?.text ?? ''), content, 'the text is the structured content')
  assert.equal(result.isError ?? false, 'status' in content)
  return content
}

for (const [name, mode] of VERSIONS) {
  test(`the official client finds and pays by version ${name}`, async () => {
    const key = await service.keyFor({ includedTokens: 5 })
    const client = await connect({ authorization: `Bearer ${key}` }, mode)
    const { tools } = await client.listTools()
    for (const tool of tools) {
      assert.equal(tool.annotations?.readOnlyHint, tool.name !== 'watch_create')
      assert.equal(tool.inputSchema.type, 'object')
      assert.match(tool.description ?? '', /Free\.$|Costs 1 token for each call that finds/)
    }
    for (const { outputSchema } of tools) {
      assert.ok(Object.keys(outputSchema?.properties ?? {}).length >= 15)
    }
    const found = await call(client, 'address_lookup', { state: 'wi', address: '12 Oak Street' })
    assert.equal(found.match, 'exact')
    assert.ok(!JSON.stringify(found).includes('null'), 'empty fields are left out')
    const owned = await call(client, 'owner_search', { state: 'WI', lastName: 'Larsen' })
    assert.equal(owned.tokensCharged, 1)
    assert.equal(owned.tokensRemaining, 4)
    assert.equal((owned.properties as unknown[]).length, 2)
    assert.equal(await service.charges(key), 1)
    const once = { name: 'owner_search', arguments: { state: 'WI', lastName: 'Larsen', limit: 1 } }
    const meta = { 'platbook/idempotencyKey': 'call-7' }
    const told = []
    for (let round = 0; round < 2; round += 1) {
      const { structuredContent } = await client.callTool({ ...once, _meta: meta })
      told.push((structuredContent as Content).tokensCharged)
    }
    assert.deepEqual(told, [1, 0], 'the same call under the same key is charged once')
    assert.deepEqual(
      await call(client, 'parcel_lookup', { state: 'WI', county: 'Dane', parcelId: 'X' }),
      {
        status: 404,
        error: 'Property not found',
      },
    )
    assert.equal(await service.charges(key), 2, 'what finds nothing costs nothing')
    await client.close()
  })
}

test('a tool is listed for each operation that has one, with its own parameters', async () => {
  const client = await connect({}, 'legacy', '/api/mcp')
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  for (const name of [
    'address_lookup',
    'parcel_lookup',
    'property_search',
    'owner_search',
    'usage',
  ]) {
    assert.ok(names.includes(name), name)
  }
  const ids = OPERATIONS.map(({ operationId }) => operationId)
  assert.equal(names.includes('comparables'), ids.includes('comparables'))
  const owner = tools.find(({ name }) => name === 'owner_search')
  const { properties = {}, required } = owner?.inputSchema ?? {}
  const expected = [
    'state',
    'lastName',
    'prefix',
    'firstName',
    'nameContains',
    'fuzzy',
    'former',
    'county',
    'limit',
    'fields',
    'cursor',
    'offset',
  ]
  assert.deepEqual(Object.keys(properties), expected)
  assert.deepEqual(required, ['state'])
  await client.close()
})

test('without a valid key the tools are listed and a call is an error', async () => {
  for (const headers of [{}, { authorization: 'Bearer pbk_wrong' }] as Record<string, string>[]) {
    const client = await connect(headers)
    assert.ok((await client.listTools()).tools.length > 0)
    const { status, error } = await call(client, 'usage', {})
    assert.equal(status, 401)
    assert.match(String(error), /^Unauthorized/)
    await client.close()
  }
})

test('a blocked account reads code, action and billing page', async () => {
  const key = await service.keyFor({ unpaidInvoices: 1 })
  const client = await connect({ authorization: key })
  const content = await call(client, 'owner_search', { state: 'WI', lastName: 'Larsen' })
  assert.equal(content.status, 403)
  assert.equal(content.code, 'unpaid_invoices')
  assert.match(String(content.action), /billing page/)
  assert.equal(content.billing_url, `${service.address}/billing`)
  await client.close()
})

test('the rate limit of an account counts calls of tools', async () => {
  const key = await service.keyFor({ requestsPerMinute: 2 })
  const client = await connect({ authorization: key })
  const statuses: unknown[] = []
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await call(client, 'property_search', { state: 'WI' })).status)
  }
  assert.equal(statuses.at(-1), 429)
  await client.close()
})

test('lists are capped at ten, and cursors go through all of them', async () => {
  const client = await connect({ authorization: await service.keyFor() })
  const seen = new Set<unknown>()
  const given: Content = { state: 'WI', limit: 500 }
  for (;;) {
    const { properties, metadata } = await call(client, 'property_search', given)
    const page = properties as { parcelId: string }[]
    assert.ok(page.length <= 10)
    for (const { parcelId } of page) seen.add(parcelId)
    given.cursor = (metadata as { nextCursor: string | null }).nextCursor
    if (given.cursor === null) break
  }
  assert.equal(seen.size, MCP_ROLL.trim().split('\n').length - 1)
  const first = await call(client, 'owner_search', { state: 'WI', nameContains: 'OWNER' })
  assert.equal((first.properties as unknown[]).length, 10)
  const next = { state: 'WI', nameContains: 'OWNER', cursor: first.nextCursor }
  const second = await call(client, 'owner_search', next)
  assert.equal((second.properties as unknown[]).length, 2)
  assert.equal(second.nextCursor, null)
  await client.close()
})

test('wrong arguments name themselves and cost nothing', async () => {
  const key = await service.keyFor()
  const client = await connect({ authorization: key })
  const wrong: [Content, RegExp][] = [
    [{ lastName: 'Larsen' }, /state is required/],
    [{ state: 'WI', surname: 'Larsen' }, /no argument surname; the arguments are state, lastName/],
    [{ state: 'WI', lastName: ['Larsen'] }, /lastName must be a single value/],
    [{ state: 'WI', lastName: 2 ** 60 }, /lastName is a number above 2\^53: send it as text/],
    [{ state: 'WI', lastName: 'Larsen', cursor: 'x' }, /Invalid cursor/],
    [{ state: 'WI', lastName: 'Larsen', limit: 0 }, /limit must be 1 or more/],
  ]
  for (const [given, said] of wrong) {
    const { status, error } = await call(client, 'owner_search', given)
    assert.equal(status, 400)
    assert.match(String(error), said)
  }
  await assert.rejects(client.callTool({ name: 'drop_table', arguments: {} }), /no tool/)
  assert.equal(await service.charges(key), 0)
  await client.close()
})

test('arguments have their other names over HTTP too', async () => {
  const client = await connect({ authorization: await service.keyFor() })
  const near = { latitude: 43.07, lng: -89.4, limit: 900, time_frame: 600 }
  const { metadata } = await call(client, 'comparables', near)
  const { searchParams } = metadata as { searchParams: Record<string, unknown> }
  assert.deepEqual([searchParams.maxResults, searchParams.timeFrame], [10, 60])
  for (const [more, name] of [
    [{ maxResults: 2 }, 'maxResults'],
    [{ lon: -90 }, 'longitude'],
  ] as const) {
    const twice = await call(client, 'comparables', { ...near, ...more })
    assert.equal(twice.error, `${name} is given more than once`)
  }
  const once = await call(client, 'comparables', { ...near, maxResults: null, lon: null })
  assert.equal(once.error, undefined, 'null is nothing')
  const hidden = await call(client, 'comparables', { ...near, explain: true })
  assert.match(String(hidden.error), /^There is no argument explain/)
  await client.close()
})

test('a sandbox key works and provokes refusals', async () => {
  const key = await service.keyFor({}, makeSandboxKey)
  const client = await connect({ authorization: key, 'x-sandbox': '403/card_not_verified' })
  const { code } = await call(client, 'owner_search', { state: 'WI', lastName: 'Larsen' })
  assert.equal(code, 'card_not_verified')
  await client.close()
})

test('a message that is not MCP is refused, and large bodies are not read', async () => {
  const post = (body: string, type = 'application/json') =>
    fetch(`${service.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
      body,
    })
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('x'.repeat(100_000))).status, 413)
  assert.equal((await post('{}', 'text/plain')).status, 415)
  const got = await fetch(`${service.address}/mcp`)
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
  assert.deepEqual(service.logged, [])
})

for (const [accept, isTaken] of [
  ['application/json', true],
  ['*/*', true],
  ['application/*;q=0.5', true],
  ['text/html, */*;q=0.1', true],
  ['application/json, text/event-stream', true],
  [undefined, true],
  ['text/event-stream', false],
  ['text/html', false],
  ['application/jsonlines', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.000, application/*, */*;q=0.1', false],
  ['application/*;q=0, application/json', true],
  ['application/json, text/event-stream;q=0', true],
  ['*/*;q=0', false],
] as const) {
  test(`a message with Accept ${accept} is ${isTaken ? 'answered' : '406'}`, async () => {
    const { hostname, port } = new URL(service.address)
    const headers = { 'content-type': 'application/json', ...(accept && { accept }) }
    const sent = request({ hostname, port, path: '/mcp', method: 'POST', headers })
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await text(answer)
    assert.equal(answer.statusCode === 406, !isTaken)
    // Only who takes a stream gets one.
    const isStream = answer.headers['content-type'] === 'text/event-stream'
    assert.equal(isStream, isTaken && accept?.endsWith('event-stream') === true)
    if (isTaken && !isStream) assert.deepEqual(JSON.parse(body).result, {})
  })
}
