/** Making, reading, changing and deleting watches. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address,latitude,longitude\n'
const service = await startService(
  `${HEAD}WI,Dane,1,"QUILLON, MARA",last-first,1 MAIN ST,43.07,-89.4\n`,
)
after(() => service.close())
const PATH = '/public/watches/'

const send = (method: string, path: string, body?: unknown, key?: string) =>
  service.get(path, {}, { method, ...(body !== undefined && { body }), ...(key && { key }) })
const make = (body: unknown, key?: string) => send('POST', PATH, body, key)

test('makes a watch of parcels, with a secret that no later answer has', async () => {
  const key = await service.keyFor()
  const asked = {
    name: 'Elm Street',
    kind: 'parcels',
    propertyIds: ['55025-1', { state: 'wi', county: 'Dane', parcelId: '0709-2' }],
    groups: ['owner', 'sale'],
    url: 'https://192.0.43.8/hook#part',
  }
  const { status, body } = await make(asked, key)
  assert.equal(status, 201, JSON.stringify(body))
  const { id, secret, createdAt, ...shown } = body
  assert.match(id, /^wat_[0-9a-f]{24}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.ok(Date.parse(createdAt) > 0)
  const expected = {
    name: 'Elm Street',
    kind: 'parcels',
    parcels: 2,
    propertyIds: ['55025-0709-2', '55025-1'],
    groups: ['owner', 'sale'],
    url: 'https://192.0.43.8/hook',
    status: 'active',
  }
  assert.deepEqual(shown, expected)
  const read = await service.get(`${PATH}${id}/`, {}, { key })
  assert.deepEqual(read.body, { id, createdAt, ...expected, deliveries: [] })
  const list = await service.get(PATH, {}, { key })
  const { propertyIds: _, ...listed } = expected
  assert.deepEqual(list.body.watches, [{ id, createdAt, ...listed }])
  assert.deepEqual(list.body.metadata, {
    count: 1,
    watchesMax: 100,
    parcels: 2,
    watchedParcelsMax: 100_000,
  })
  assert.ok(!JSON.stringify([read.body, list.body]).includes(secret))
})

const SQUARE = [
  [-90, 43],
  [-89, 43],
  [-89, 44],
  [-90, 43],
]
const raised = (point: number[]) => [...point, 7]
const KINDS: [body: Record<string, unknown>, shown: Record<string, unknown>][] = [
  [{ kind: 'owner', owner: 'QUILLON' }, { owner: 'QUILLON' }],
  [
    { kind: 'owner', owner: 'Roe, Jo', state: 'wi', county: 'Dane' },
    { owner: 'Roe, Jo', state: 'WI', county: 'Dane' },
  ],
  [
    { kind: 'owner', owner: { nameContains: 'family trust', fuzzy: true, state: 'WI' } },
    { owner: { nameContains: 'family trust', fuzzy: true }, state: 'WI' },
  ],
  [
    { kind: 'shape', shape: { type: 'Polygon', coordinates: [SQUARE] } },
    { shape: { type: 'Polygon', coordinates: [SQUARE] } },
  ],
  [
    {
      kind: 'shape',
      shape: { type: 'Polygon', coordinates: [SQUARE.map((one) => [...one, 7, 'x'.repeat(99)])] },
    },
    { shape: { type: 'Polygon', coordinates: [SQUARE] } },
  ],
  [
    { kind: 'shape', shape: { type: 'MultiPolygon', coordinates: [[SQUARE.map(raised)]] } },
    { shape: { type: 'MultiPolygon', coordinates: [[SQUARE]] } },
  ],
  [
    { kind: 'shape', shape: [-90, 43, -89, 44] },
    {
      shape: {
        type: 'Polygon',
        coordinates: [
          [
            [-90, 43],
            [-89, 43],
            [-89, 44],
            [-90, 44],
            [-90, 43],
          ],
        ],
      },
    },
  ],
  [
    { kind: 'search', search: '?state=WI&county=Dane&acresMin=5&limit=20' },
    { search: 'state=WI&county=Dane&acresMin=5&limit=20' },
  ],
]

for (const [asked, shown] of KINDS) {
  test(`makes a watch of ${JSON.stringify(asked)}`, async () => {
    const { status, body } = await make(asked)
    assert.equal(status, 201, JSON.stringify(body))
    for (const [name, value] of Object.entries(shown)) assert.deepEqual(body[name], value)
    assert.equal(body.url, null)
    assert.equal(body.groups.length, 8)
  })
}

const WRONG: [body: unknown, error: RegExp][] = [
  [{}, /^kind must be one of parcels, owner, shape, search$/],
  [[], /^The body must be a JSON object$/],
  [null, /^The body must be a JSON object$/],
  [{ kind: 'parcels' }, /^propertyIds is required/],
  [{ kind: 'parcels', propertyIds: [] }, /^propertyIds must be a list/],
  [{ kind: 'parcels', propertyIds: ['55025-1', 'nothing'] }, /^propertyIds\[1\] is not/],
  [
    { kind: 'parcels', propertyIds: [{ state: 'WI', county: 'Nowhere', parcelId: '1' }] },
    /must be/,
  ],
  [
    { kind: 'parcels', propertyIds: Array.from({ length: 10_001 }, (_, at) => `55025-${at}`) },
    /more than 10,000/,
  ],
  [{ kind: 'parcels', propertyIds: ['55025-1'], owner: 'ROE' }, /takes no owner$/],
  [{ kind: 'owner', owner: ' . ' }, /^owner has no word/],
  [{ kind: 'owner', owner: 'ROE', state: 'XX' }, /^state is not/],
  [{ kind: 'owner', owner: 'ROE', county: 'Dane' }, /^state is required/],
  [{ kind: 'shape', shape: [1, 2, 3] }, /^shape must/],
  [{ kind: 'shape', shape: [-89, 43, -90, 44] }, /^shape must have its west/],
  [{ kind: 'shape', shape: { type: 'Point', coordinates: [1, 2] } }, /^shape must be a GeoJSON/],
  [{ kind: 'shape', shape: { type: 'Polygon', coordinates: [[[0, 0]]] } }, /^shape must be/],
  [{ kind: 'owner', owner: 'ROE', state: ['WI'] }, /^state must be a text$/],
  [{ kind: 'owner', owner: { lastName: 'ROE', state: 5 } }, /^state must be a text$/],
  [{ kind: 'owner', owner: 'ROE', state: 'WI', county: {} }, /^county must be a text$/],
  [{ kind: 'owner', owner: 'ROE\u0000' }, /^owner contains a control character$/],
  [{ kind: 'owner', owner: { lastName: 'R\u0007OE' } }, /^owner.lastName contains a control/],
  [{ kind: 'owner', owner: 'ROE', name: 'A\u0000B' }, /^name contains a control character$/],
  [{ kind: 'parcels', propertyIds: ['55025-1\u00002'] }, /^propertyIds\[0\] contains a control/],
  [{ kind: 'parcels', propertyIds: [`55025-${'1'.repeat(1000)}`] }, /is longer than 1000/],
  [{ kind: 'search', search: 'county=Dane' }, /^state is required/],
  [{ kind: 'search', search: 'state=WI&query=1 MAIN ST' }, /takes no query$/],
  [{ kind: 'search', search: 'state=WI&county=Nowhere' }, /^county does not match/],
  [{ kind: 'search', search: 'state=WI&acresMin=x' }, /acresMin must be a number/],
  [{ kind: 'owner', owner: 'ROE', groups: ['nothing'] }, /^groups must be some of/],
  [{ kind: 'owner', owner: 'ROE', name: 'x'.repeat(201) }, /^name must be/],
  [{ kind: 'owner', owner: 'ROE', url: 'ftp://example.org/' }, /^url must be an https or http/],
  [{ kind: 'owner', owner: 'ROE', url: 'https://a:b@example.org/' }, /^url must be an https/],
]

for (const [body, error] of WRONG) {
  test(`refuses ${JSON.stringify(body).slice(0, 70)}`, async () => {
    const answer = await make(body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error, error)
  })
}

test('a body that is no JSON is 400, and a large one 413', async () => {
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers: { ...headers, authorization: await service.keyFor() } }
  const wrong = await fetch(`${service.address}${PATH}`, { ...options, body: '{"kind":' })
  assert.equal(wrong.status, 400)
  const large = await fetch(`${service.address}${PATH}`, {
    ...options,
    body: 'x'.repeat(2_100_000),
  })
  assert.equal(large.status, 413)
})

/** Spellings of addresses that are not of the public internet. */
const PRIVATE = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '10.0.0.1'],
  ...['172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fe80::1]', '[fd00::1]', '[fec0::1]', '[ff02::1]'],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:1::1]', '224.0.0.1', '255.255.255.255'],
  ...['１２７.0.0.1', '127.0.0.1.', 'localhost', '198.18.0.1', '192.0.2.1', '[2001:db8::1]'],
]

for (const host of PRIVATE) {
  test(`refuses to send to ${host}`, async () => {
    const { status, body } = await make({ kind: 'owner', owner: 'ROE', url: `http://${host}:8/h` })
    assert.equal(status, 400)
    assert.equal(body.error, 'url must be an address of the public internet')
  })
}

test('changes the members that are sent, and no others', async () => {
  const { body: made } = await make({ kind: 'parcels', propertyIds: ['55025-1'], name: 'A' })
  const path = `${PATH}${made.id}/`
  const named = await send('PATCH', path, { name: 'B', groups: 'owner' })
  assert.deepEqual([named.status, named.body.name, named.body.groups], [200, 'B', ['owner']])
  assert.deepEqual(named.body.propertyIds, ['55025-1'])
  assert.equal(named.body.secret, undefined)
  const listed = await send('PATCH', path, { propertyIds: ['55025-2', '55025-3'] })
  assert.deepEqual(listed.body.propertyIds, ['55025-2', '55025-3'])
  assert.equal(listed.body.name, 'B')
  const other = await send('PATCH', path, { owner: 'ROE' })
  assert.deepEqual(
    [other.status, other.body.error],
    [400, 'This is a watch of parcels; make another one'],
  )
  assert.equal((await send('PATCH', path, { kind: 'parcels' })).status, 200)
  const refused: [object, string][] = [
    [{ kind: 'owner' }, 'This is a watch of parcels; make another one'],
    [{ kind: 'all' }, 'kind must be one of parcels, owner, shape, search'],
    [{ rotateSecret: 'maybe' }, 'rotateSecret must be true or false'],
    [{ URL: null }, 'URL is not a member; did you mean url?'],
    [{ nmae: 'B' }, 'nmae is not a member; did you mean name?'],
    [{ rotatesecret: true }, 'rotatesecret is not a member; did you mean rotateSecret?'],
    [{ anything: 1 }, 'anything is not a member'],
  ]
  for (const [body, error] of refused) {
    const answer = await send('PATCH', path, body)
    assert.deepEqual([answer.status, answer.body.error], [400, error])
  }
  const { body: shown } = await send('GET', path)
  assert.equal((await send('PATCH', path, { ...shown, name: 'C' })).body.name, 'C')
  const rotated = await send('PATCH', path, { rotateSecret: true })
  assert.notEqual(rotated.body.secret, made.secret)
  assert.ok(Date.parse(rotated.body.oldSecretUntil) > 0)
})

test('an unknown member is refused, and named', async () => {
  const kind = 'owner'
  for (const [body, error] of [
    [{ kind, owner: 'ROE', Url: 'x' }, 'Url is not a member; did you mean url?'],
    [{ kind, owner: 'ROE', group: 'sale' }, 'group is not a member; did you mean groups?'],
    [{ kind, owner: 'ROE', __proto: 1 }, '__proto is not a member'],
    [
      { kind, owner: { lastName: 'ROE', frstName: 'J' } },
      'owner.frstName is not a member; did you mean firstName or lastName?',
    ],
    [{ kind, owner: { lastName: 'ROE', limit: 5 } }, 'owner.limit is not a member'],
    [
      {
        kind: 'parcels',
        propertyIds: [{ state: 'WI', county: 'Dane', parcelId: '1', parcelID: 1 }],
      },
      'propertyIds[0].parcelID is not a member; did you mean parcelId?',
    ],
  ] as const) {
    const answer = await make(body)
    assert.deepEqual([answer.status, answer.body.error], [400, error])
  }
})

test('a place next to a shape, a search or parcels is refused', async () => {
  for (const body of [
    { kind: 'shape', shape: [-90, 40, -89, 41], state: 'WI' },
    { kind: 'search', search: 'state=WI', county: 'Dane' },
    { kind: 'parcels', propertyIds: ['55025-1'], state: 'WI', county: 'Dane' },
  ]) {
    const answer = await make(body)
    assert.deepEqual([answer.status, answer.body.error], [400, 'state and county need owner'])
  }
})

test('deletes a watch; afterwards there is none', async () => {
  const { body } = await make({ kind: 'owner', owner: 'ROE' })
  const path = `${PATH}${body.id}/`
  const deleted = await send('DELETE', path)
  assert.deepEqual([deleted.status, deleted.text], [204, ''])
  for (const method of ['GET', 'DELETE', 'PATCH']) {
    const answer = await send(method, path, method === 'PATCH' ? {} : undefined)
    assert.equal(answer.status, 404, method)
  }
  assert.equal((await service.get(`${path}events/`)).status, 404)
  assert.equal((await send('POST', `${path}test/`)).status, 404)
})

test('an account neither sees nor changes the watches of another one', async () => {
  const [own, other] = [await service.keyFor(), await service.keyFor()]
  const { body } = await make({ kind: 'owner', owner: 'ROE' }, own)
  const path = `${PATH}${body.id}/`
  assert.equal((await service.get(path, {}, { key: other })).status, 404)
  assert.equal((await send('DELETE', path, undefined, other)).status, 404)
  assert.deepEqual((await service.get(PATH, {}, { key: other })).body.watches, [])
  assert.equal((await service.get(path, {}, { key: own })).status, 200)
})

test('watchesMax and watchedParcelsMax limit what an account has', async () => {
  const key = await service.keyFor({ watchesMax: 2, watchedParcelsMax: 3 })
  const first = await make({ kind: 'parcels', propertyIds: ['55025-1', '55025-2'] }, key)
  assert.equal(first.status, 201)
  const more = await make({ kind: 'parcels', propertyIds: ['55025-3', '55025-4'] }, key)
  assert.deepEqual(
    [more.status, more.body.error],
    [400, 'The watches of the account may list 3 parcels'],
  )
  const change = { propertyIds: ['55025-1', '55025-2', '55025-3', '55025-4'] }
  assert.equal((await send('PATCH', `${PATH}${first.body.id}/`, change, key)).status, 400)
  assert.equal((await make({ kind: 'owner', owner: 'ROE' }, key)).status, 201)
  const third = await make({ kind: 'owner', owner: 'ROE' }, key)
  assert.deepEqual([third.status, third.body.error], [400, 'The account may have 2 watches'])
})

test('a request that is repeated with its Idempotency-Key makes one watch', async () => {
  const key = await service.keyFor()
  const options = { key, method: 'POST', headers: { 'idempotency-key': 'one' } }
  const body = { kind: 'owner', owner: 'ROE' }
  const first = await service.get(PATH, {}, { ...options, body })
  const again = await service.get(PATH, {}, { ...options, body })
  assert.deepEqual(again.body, first.body)
  for (const other of [
    { ...body, owner: 'DOE' },
    { ...body, name: 'Mine' },
  ]) {
    assert.equal((await service.get(PATH, {}, { ...options, body: other })).status, 422)
  }
  assert.equal((await service.get(PATH, {}, { key })).body.watches.length, 1)
})

test('a state without its owner changes nothing, and is said', async () => {
  const key = await service.keyFor()
  const { body } = await make({ kind: 'owner', owner: 'ROE' }, key)
  const path = `${PATH}${body.id}/`
  const changed = await send('PATCH', path, { state: 'WI' }, key)
  assert.deepEqual([changed.status, changed.body.error], [400, 'state and county need owner'])
  assert.equal((await send('PATCH', path, { owner: 'ROE', state: 'WI' }, key)).body.state, 'WI')
})

test('needs a key, and one that is not of the sandbox', async () => {
  assert.equal((await service.get(PATH, {}, { key: null })).status, 401)
  const put = await send('PUT', PATH)
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'POST, GET'])
})
