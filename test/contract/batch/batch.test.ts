import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeSandboxKey } from '../../../src/accounts/api-key.ts'
import { openAccounts } from '../../../src/store/open.ts'
import { startService, type TestService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'

const ROLL = makeRoll([
  ...times(30, (number) => ({ address: `${number} OAK ST`, city: 'MADISON', zipCode: '53703' })),
  { parcelId: 'VERONA', address: '1 OAK ST', city: 'VERONA', zipCode: '53593' },
  ...times(2, () => ({ address: '300 ELM ST', city: 'MADISON', zipCode: '53703' })),
])

let service: TestService
before(async () => {
  service = await startService(ROLL)
})
after(() => service.close())

async function post(body: string, headers: Record<string, string>, type = 'application/json') {
  const response = await fetch(`${service.address}/public/batch/`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const ROWS: Record<string, unknown>[] = [
  { id: 'a', state: 'WI', address: '2 Oak Street' },
  { id: 2, state: 'WI', address: '1 Oak St', zipCode: '53593' },
  { state: 'WI', address: '1 Oak St' },
  { state: 'WI', address: '1 Oak St', candidates: true },
  { state: 'WI', county: 'Dane', parcelId: 'VERONA' },
  { state: 'WI', address: '300 Elm St' },
  { state: 'WI', address: '2 Oak St & 4%20+ "Elm" \u00e9' },
  { state: 'WI', county: 'Dane', parcelId: 'NONE' },
  { state: 'WI', address: '99 Nowhere' },
  { address: '2 Oak St' },
  { state: 'XX', address: '2 Oak St' },
  { latitude: 43, longitude: -89 },
  { latitude: 'north', longitude: -89 },
]

const EXPLAINED: Record<string, unknown>[] = [
  { state: 'WI', address: '2 Oak St', explain: true },
  { state: 'WI', county: 'Dane', parcelId: 'NONE', explain: true },
]

/** Sends the single lookup that corresponds to a row. */
async function askAlone(row: Record<string, unknown>, key: string) {
  const { id: _, ...query } = row
  const path = row.parcelId
    ? 'property/parcelId'
    : row.latitude
      ? 'property/point'
      : 'property/address'
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  const url = `${service.address}/public/${path}/?${new URLSearchParams(texts)}`
  const response = await fetch(url, { headers: { authorization: key } })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

test('each row has the status, match and body that it would have had alone', async () => {
  const rows = [...ROWS, ...EXPLAINED]
  for (const facts of [{}, { responseShape: 'flat' }, { emptyFields: 'omit' }] as const) {
    const key = await service.keyFor(facts)
    const { status, text } = await post(JSON.stringify(rows), { authorization: key })
    assert.equal(status, 200)
    const { results, metadata } = JSON.parse(text)
    assert.deepEqual(metadata, { count: rows.length, found: 5 })
    for (const [at, row] of rows.entries()) {
      const alone = await askAlone(row, key)
      const match = alone.headers.get('x-match')
      assert.deepEqual(results[at], {
        ...(row.id !== undefined && { id: row.id }),
        status: alone.status,
        ...(match !== null && { match }),
        ...(row.address === '300 Elm St' && { alike: 2 }),
        ...alone.body,
      })
    }
    const statuses = results.map((one: { status: number }) => one.status)
    const expected = [200, 200, 404, 300, 200, 200, 404, 404, 404, 400, 400, 404, 400, 200, 404]
    assert.deepEqual(statuses, expected)
  }
})

test('NDJSON is answered line by line', async () => {
  const key = await service.keyFor()
  const lines = `${ROWS.map((row) => JSON.stringify(row)).join('\n')}\n\n`
  const whole = await post(JSON.stringify(ROWS), { authorization: key })
  const { status, headers, text } = await post(
    lines,
    { authorization: key },
    'application/x-ndjson',
  )
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/x-ndjson')
  const rows = text.trimEnd().split('\n')
  assert.deepEqual(
    rows.map((line) => JSON.parse(line)),
    JSON.parse(whole.text).results,
  )
})

test('each found row is charged once, and not again under an Idempotency-Key', async () => {
  const accounts = await openAccounts(service.config)
  await accounts.admin.putPrice('batch', 2)
  service.setClock(Date.UTC(2026, 2, 10, 12, 1))
  try {
    const key = await service.keyFor({ includedTokens: 20 })
    const headers = { authorization: key, 'idempotency-key': 'once' }
    const first = await post(JSON.stringify(ROWS), headers)
    assert.equal(first.headers.get('x-tokens-charged'), '8')
    assert.equal(first.headers.get('x-tokens-remaining'), '12')
    const again = await post(JSON.stringify(ROWS), headers)
    assert.equal(again.headers.get('x-tokens-charged'), '0')
    assert.equal((await post('[{}]', headers)).status, 200, 'nothing found, nothing to charge')
    const [entry] = await service.entries(key)
    assert.equal(await service.charges(key), 1)
    assert.equal(entry?.endpoint, 'batch')
    const dear = await post(
      JSON.stringify(
        times(30, (number) => ({ state: 'WI', address: `${number} Oak St`, zipCode: '53703' })),
      ),
      {
        authorization: key,
      },
    )
    assert.equal(dear.status, 403)
    assert.equal(JSON.parse(dear.text).code, 'overage_limit_exceeded')
    assert.equal(await service.charges(key), 1)
    const sandbox = await service.keyFor({}, makeSandboxKey)
    const free = await post('[{"state":"WI","address":"1200 Pecanhill Ave"}]', {
      authorization: sandbox,
    })
    assert.equal(free.headers.get('x-tokens-charged'), '0')
    assert.equal(JSON.parse(free.text).metadata.found, 1)
  } finally {
    await accounts.admin.putPrice('batch', 0)
    await accounts.close()
    service.setClock(Date.UTC(2026, 2, 10, 12, 2))
  }
})

test('a thousand rows are answered, and one more is refused', async () => {
  const key = await service.keyFor()
  const rows = times(1000, (number) => ({
    state: 'WI',
    address: `${(number % 30) + 1} Oak St`,
    zipCode: '53703',
  }))
  const full = await post(JSON.stringify(rows), { authorization: key })
  assert.equal(JSON.parse(full.text).metadata.found, 1000)
  const more = await post(JSON.stringify([...rows, {}]), { authorization: key })
  assert.equal(more.status, 400)
})

test('a row is the lookup that its filled columns name', async () => {
  const authorization = await service.keyFor({ responseShape: 'flat' })
  const rows = [
    { propertyId: '55025-VERONA' },
    { realieParcelId: '55025-VERONA' },
    { state: 'WI', address: '2 Oak St', parcelId: '', latitude: null, longitude: '' },
    { state: 'WI', address: '2 Oak St', propertyId: 'row 17', tags: ['a'], __proto: { b: 1 } },
    { state: 'WI', county: 'Dane', parcelId: '' },
    { latitude: 1e-7, longitude: 2e-7 },
  ]
  const { text } = await post(JSON.stringify(rows), { authorization })
  const { results } = JSON.parse(text)
  const shown = results.map((one: { property?: { address: string }; error?: string }) =>
    one.property === undefined ? one.error : one.property.address,
  )
  const oak = ['1 OAK ST', '1 OAK ST', '2 OAK ST', '2 OAK ST']
  assert.deepEqual(shown, [...oak, 'parcelId is required', 'Property not found'])
})

test('any way of naming the type of JSON is taken, also none and a byte order mark', async () => {
  const authorization = await service.keyFor()
  const row = '{"state":"WI","address":"2 Oak St"}'
  const types = ['application/ndjson', 'text/plain', 'application/x-www-form-urlencoded', '']
  for (const type of types) {
    const answer = await fetch(`${service.address}/public/batch/`, {
      method: 'POST',
      headers: { authorization, ...(type !== '' && { 'content-type': type }) },
      // Bytes have no type of their own.
      body: Buffer.from(`\ufeff${row}\n${row}\n`),
    })
    assert.equal(answer.status, 200, type)
    assert.equal((await answer.text()).trim().split('\n').length, 2)
  }
})

test('a compressed body is 415 and says so', async () => {
  const authorization = await service.keyFor()
  const answer = await post('[{}]', { authorization, 'content-encoding': 'gzip' })
  assert.deepEqual(
    [answer.status, JSON.parse(answer.text).error],
    [415, 'The body must not be compressed'],
  )
})

test('bodies that are not a batch are refused whole', async () => {
  const authorization = await service.keyFor()
  const wrong: [string, string, number][] = [
    ['', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['[{', 'application/json', 400],
    ['{"a":1}\nx', 'application/x-ndjson', 400],
    ['[{}]', 'text/csv', 415],
    ['state=WI&address=2+Oak+St', 'application/x-www-form-urlencoded', 400],
    ['x'.repeat(1_100_000), 'application/json', 413],
  ]
  for (const [body, type, status] of wrong) {
    const answer = await post(body, { authorization }, type)
    assert.equal(answer.status, status, `${body.slice(0, 10)} ${type}`)
    assert.deepEqual(Object.keys(JSON.parse(answer.text)), ['error'])
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  const strange = await post('[1, null, [], {"state":{}}]', { authorization })
  const { results } = JSON.parse(strange.text)
  assert.ok(results.every((one: { status: number }) => one.status === 400))
  assert.equal((await post('[{}]', {})).status, 401)
  const blocked = await service.keyFor({ suspended: true })
  assert.equal((await post('[{}]', { authorization: blocked })).status, 403)
  assert.equal((await fetch(`${service.address}/public/batch/`)).status, 405)
  assert.deepEqual(service.logged, [])
})
