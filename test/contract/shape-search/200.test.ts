/** `GET /public/property/shape/` answers 200 and 400. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const PATH = '/public/property/shape/'
const [WEST, SOUTH] = [-89.4, 43.07]

/** A grid of parcels 0.001 degrees apart: more of them than are gathered for one page. */
const SIDE = 91
const rows = Array.from({ length: SIDE * SIDE }, (_, at) => {
  const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
  const point = `${(SOUTH + y / 1000).toFixed(6)},${(WEST + x / 1000).toFixed(6)}`
  const address = at % 5 === 0 ? '' : `${at} MAIN ST`
  return `WI,Dane,${x}-${y},"${address}",${point}`
})
const ROLL = `state,county,parcelId,address,latitude,longitude\n${rows.join('\n')}
WI,Rock,R-1,1 ELM ST,42.7,-89.1
`

const service = await startService(ROLL)
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

type Query = Record<string, string | number | boolean>

async function ask(query: Query) {
  const { status, body } = await service.get(PATH, query, { key })
  const found: string[] = (body.properties ?? []).map(
    ({ parcelId }: { parcelId: string }) => parcelId,
  )
  return { status, found, metadata: body.metadata, error: body.error }
}

async function askAll(query: Query): Promise<string[]> {
  const all: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { found, metadata } = await ask({ ...query, limit: 100, cursor })
    all.push(...found)
    cursor = metadata.nextCursor
  }
  return all
}

/** Google's encoded polyline. */
function encode(points: [number, number][]): string {
  let [last, text] = [[0, 0], '']
  for (const [x, y] of points) {
    const next = [Math.round(y * 1e5), Math.round(x * 1e5)]
    for (const axis of [0, 1]) {
      const delta = (next[axis] as number) - (last[axis] as number)
      let value = delta < 0 ? ~(delta << 1) : delta << 1
      for (; value >= 32; value >>= 5) text += String.fromCharCode((32 | (value & 31)) + 63)
      text += String.fromCharCode(value + 63)
    }
    last = next
  }
  return text
}

const all = { includeUnassignedAddress: true }

test('a box finds the points in it and on its sides, by ascending id', async () => {
  const { found, metadata } = await ask({ bbox: '-89.4,43.07,-89.398,43.071', ...all })
  assert.deepEqual(found, ['0-0', '1-0', '2-0', '0-1', '1-1', '2-1'])
  assert.deepEqual([metadata.count, metadata.nextCursor], [6, null])
  assert.ok(metadata.areaSqMiles > 0 && metadata.areaSqMiles < 0.01)
})

test('property search’s filters hold here', async () => {
  const box = '-89.4,43.07,-89.398,43.071'
  assert.deepEqual((await ask({ bbox: box })).found, ['1-0', '2-0', '0-1', '1-1', '2-1'])
  assert.deepEqual((await ask({ bbox: box, state: 'TX' })).found, [])
  assert.deepEqual((await ask({ bbox: box, state: 'WI', county: 'Rock' })).found, [])
})

test('a polygon finds the points in it, closed or not', async () => {
  const triangle: [number, number][] = [
    [WEST - 0.0005, SOUTH - 0.0005],
    [WEST + 0.003, SOUTH - 0.0005],
    [WEST - 0.0005, SOUTH + 0.003],
  ]
  const expected = ['0-0', '1-0', '2-0', '0-1', '1-1', '0-2']
  for (const points of [triangle, [...triangle, triangle[0] as [number, number]]]) {
    assert.deepEqual((await ask({ polygon: encode(points), ...all })).found, expected)
  }
})

test('pages hold each parcel once, in a small area and in a very large one', async () => {
  const small = await askAll({ bbox: '-89.4,43.07,-89.38,43.09', ...all })
  assert.equal(small.length, 21 * 21)
  assert.equal(new Set(small).size, small.length)
  const large = await askAll({ bbox: '-89.4,43.07,-89.31,43.16', ...all })
  assert.equal(large.length, SIDE * SIDE)
  assert.equal(new Set(large).size, large.length)
  const half = encode([
    [WEST, SOUTH],
    [WEST + 0.0901, SOUTH],
    [WEST + 0.0901, SOUTH + 0.0901],
    [WEST, SOUTH + 0.0901],
    [WEST, SOUTH + 0.0005],
  ])
  assert.equal((await askAll({ polygon: half, ...all })).length, SIDE * SIDE)
})

test('a box over the antimeridian is two', async () => {
  assert.deepEqual((await ask({ bbox: '179.9,43,-179.9,43.1' })).found, [])
})

const REFUSED: [Query, RegExp][] = [
  [{}, /bbox or polygon is required/],
  [{ bbox: '1,2,3', polygon: 'abc' }, /cannot be given together/],
  [{ bbox: '1,2,3' }, /bbox must be four numbers/],
  [{ bbox: '1,2,3,x' }, /bbox must be four numbers/],
  [{ bbox: '1,2,181,3' }, /bbox must lie within/],
  [{ bbox: '1,3,2,2' }, /south below its north/],
  [{ bbox: '-90,43,-89,44' }, /400 square miles or less$/],
  [{ bbox: '-89.5,43,-89.6,43.1' }, /its west is above its east$/],
  [{ polygon: '\u007f' }, /control character/],
  [{ polygon: '_p~iF~ps|U_' }, /encoded polyline/],
  [{ polygon: '_p~iF~ps|U' }, /at least three corners/],
  [
    {
      polygon: encode([
        [0, 0],
        [0.01, 0.01],
        [0.01, 0],
        [0, 0.01],
      ]),
    },
    /must not cross itself/,
  ],
  [{ bbox: '1,2,1.1,2.1', cursor: 'x' }, /Invalid cursor/],
  [{ bbox: '1,2,1.1,2.1', county: 'Dane' }, /state is required/],
]

for (const [query, text] of REFUSED) {
  test(`${JSON.stringify(query)} is 400`, async () => {
    const { status, error } = await ask(query)
    assert.equal(status, 400)
    assert.match(error, text)
  })
}

test('an unsupported filter is 400 and named', async () => {
  const bbox = `${WEST},${SOUTH},${WEST + 0.01},${SOUTH + 0.01}`
  for (const name of ['beds', 'maxPrice', 'query', 'lotSizeMin']) {
    const { status, error } = await ask({ bbox, [name]: '3' })
    assert.equal(status, 400, name)
    assert.equal(error, `${name} is not a filter of this operation; leave it out`)
  }
  assert.deepEqual((await ask({ bbox, propertyType: 'CONDO' })).found, [])
})

test('an offset is 400: pages follow each other by cursor', async () => {
  const bbox = `${WEST},${SOUTH},${WEST + 0.01},${SOUTH + 0.01}`
  const { status, error } = await ask({ bbox, offset: '10' })
  assert.deepEqual([status, error], [400, 'offset must be 0 or less'])
  assert.equal((await ask({ bbox, offset: '0' })).status, 200)
  assert.equal((await ask({ bbox, offset: '10', cursor: '' })).status, 200)
})
