/** A parcel that is hidden whole answers as one that never was: words, headers, order and time. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operate } from '../processes/operator.ts'
import { repetitions } from '../repetitions.ts'
import { startService, type TestService } from '../service.ts'
import { askApi, canaryRoll, type Shown } from './canaries.ts'

const GEOJSON = { name: 'roll.geojson', geometry: true }
const folder = mkdtempSync(join(tmpdir(), 'platbook-alike-'))
const services: TestService[] = []
/** Suppressed before the roll came; suppressed after it; never on the roll. */
let [early, late, never]: (TestService | undefined)[] = []

async function suppress(data: string): Promise<void> {
  for (const id of ['55025-HIDE-1', '55025-HIDE-2']) {
    const words = ['--property', id, '--scope', 'both', '--basis', 'x']
    await operate(data, 'suppress', 'add', ...words)
  }
}

async function open(name: string): Promise<TestService> {
  const service = await startService('', { data: join(folder, name) })
  services.push(service)
  return service
}

before(async () => {
  early = await open('early')
  await suppress(early.config.data)
  await early.importRoll(canaryRoll(), GEOJSON)
  late = await open('late')
  await late.importRoll(canaryRoll(), GEOJSON)
  await suppress(late.config.data)
  never = await open('never')
  await never.importRoll(canaryRoll('', false), GEOJSON)
})
after(async () => {
  await Promise.all(services.map((service) => service.close()))
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Without what differs between any two services, and any two requests. Provenance names rows of the
 * file, which has the hidden ones too.
 */
async function shownBy(service: TestService | undefined): Promise<Shown> {
  assert.ok(service)
  const shown: Shown = new Map()
  await askApi(service, shown)
  for (const [place, text] of shown) {
    const own = text.replaceAll(/^(date|x-request-id|etag),.*$/gm, '')
    shown.set(place, own.replaceAll(/"row":\d+/g, '"row":0'))
  }
  return shown
}

/** Ids were given, and changes noted, when the parcels came. */
function withoutPast(shown: Shown): Shown {
  const kept = [...shown].filter(([place]) => !place.includes(' changes'))
  return new Map(
    kept.map(([place, text]) => [
      place,
      text
        .replaceAll(/"(_id|id|siteId|nextCursor)":("[^"]*"|\d+|null)/g, '"$1":0')
        .replaceAll(/"(updatedAt|lastUpdated|loadedAt)":"[^"]*"/g, '"$1":0')
        .replaceAll(/^(last-modified|content-length),.*$/gm, ''),
    ]),
  )
}

test('suppressed before it was loaded: all answers are those of a roll without it', async () => {
  assert.deepEqual(await shownBy(early), await shownBy(never))
})

test('suppressed after it was loaded: all answers but ids and the feed are the same', async () => {
  assert.deepEqual(withoutPast(await shownBy(late)), withoutPast(await shownBy(never)))
})

test('the feed reports it as removed, and nothing else of it', async () => {
  assert.ok(late)
  const { body } = await late.get('/public/changes/', { state: 'WI' })
  const told = body.changes.map(({ what, propertyId }: { what: string; propertyId: string }) => [
    what,
    propertyId,
  ])
  assert.deepEqual(told, [
    ['loaded', null],
    ['removed', '55025-HIDE-1'],
    ['removed', '55025-HIDE-2'],
  ])
})

const PAIRS: [path: string, hidden: string, none: string][] = [
  [
    'property/parcelId',
    'state=WI&county=Dane&parcelId=HIDE-1',
    'state=WI&county=Dane&parcelId=NONE-1',
  ],
  ['property/address', 'state=WI&address=100+Plumfirth+St', 'state=WI&address=104+Plumfirth+St'],
  ['premium/owner', 'state=WI&lastName=zyxwell', 'state=WI&lastName=zyxwoll'],
]
const TRIES = repetitions(100)

for (const [path, hidden, none] of PAIRS) {
  test(`${path}: ${TRIES} answers each take as long`, async (t) => {
    assert.ok(late)
    const { address } = late
    const headers = { authorization: await late.keyFor() }
    const time = async (query: string) => {
      const from = performance.now()
      const response = await fetch(`${address}/public/${path}/?${query}`, { headers })
      assert.equal(response.status, 404)
      await response.arrayBuffer()
      return performance.now() - from
    }
    const times: Record<'hidden' | 'none', number[]> = { hidden: [], none: [] }
    let slower = 0
    for (let tries = 0; tries < TRIES; tries += 1) {
      // Each goes first as often as the other.
      const isFirst = tries % 2 === 0
      const first = await time(isFirst ? hidden : none)
      const second = await time(isFirst ? none : hidden)
      const [ofHidden, ofNone] = isFirst ? [first, second] : [second, first]
      times.hidden.push(ofHidden)
      times.none.push(ofNone)
      if (ofHidden > ofNone) slower += 1
    }
    for (const [name, list] of Object.entries(times)) t.diagnostic(`${name}: ${describe(list)}`)
    t.diagnostic(`the hidden one was slower in ${slower} of ${TRIES} pairs`)
    // About half, within five standard deviations of a fair coin; a larger difference would reveal
    // something to a caller.
    const spread = 5 * Math.sqrt(TRIES / 4)
    assert.ok(Math.abs(slower - TRIES / 2) < spread, `${slower} of ${TRIES}`)
  })
}

function describe(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const shares = [0.1, 0.5, 0.9, 0.99].map((share) => {
    const ms = sorted[Math.floor(sorted.length * share)] ?? 0
    return `p${share * 100} ${ms.toFixed(3)} ms`
  })
  return shares.join(', ')
}
