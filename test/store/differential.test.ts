/**
 * The same requests to the whole service over both stores: status, headers and bytes are equal. Requests are made from what is in the
 * roll, with names and streets shortened, misspelt and put together as callers do.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { writeSampleFile } from '../../src/sample/file.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { type Answer, startService, type TestService } from '../service.ts'

const PARCELS = 1200
/** `PLATBOOK_TEST_REQUESTS` asks for more. */
const REQUESTS = Number(process.env.PLATBOOK_TEST_REQUESTS ?? 1000)
const AT_A_TIME = 20

type Row = Record<string, string>
type Request = { path: string; query: Record<string, string> }

const missing = whyNoServer()
if (missing !== undefined) test('both stores answer alike', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const services: TestService[] = []
  after(async () => {
    await Promise.all(services.map((service) => service.close()))
    await server.stop()
  })

  test('both stores answer generated requests with the same bytes', async () => {
    const roll = await makeRoll()
    const databaseUrl = await server.createDatabase('differential')
    services.push(await startService(roll), await startService(roll, { databaseUrl }))
    const shapes = [{}, { responseShape: 'flat' }, { dataReads: 'v2' }] as const
    const keys = await Promise.all(
      services.map(async (service) => {
        const own: string[] = []
        for (const facts of shapes) own.push(await service.keyFor(facts))
        return own
      }),
    )
    const rows: Row[] = parse(roll, { columns: true })
    const requests = fc.sample(anyRequest(rows), { numRuns: REQUESTS, seed: 8 })
    const statuses = new Map<number, number>()
    for (let start = 0; start < requests.length; start += AT_A_TIME) {
      const group = requests.slice(start, start + AT_A_TIME)
      await Promise.all(
        group.map(async ({ path, query }, at) => {
          const shape = (start + at) % shapes.length
          const [one, two] = await Promise.all(
            services.map((service, which) =>
              service.get(path, query, { key: keys[which]?.[shape] ?? null }),
            ),
          )
          assert.ok(one && two)
          assert.deepEqual(shown(two), shown(one), `${path} ${JSON.stringify(query)}`)
          statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
        }),
      )
    }
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 3, JSON.stringify([...statuses]))
    assert.ok((statuses.get(404) ?? 0) > REQUESTS / 50, JSON.stringify([...statuses]))
  })

  test('both stores end a walk over all pages with the same records', async () => {
    const [one, two] = await Promise.all(services.map(walkState))
    assert.ok((one?.length ?? 0) > 100)
    assert.deepEqual(two, one)
  })

  test('both stores make the same of a roll that has changed, and keep the same ids', async () => {
    const lines = (await makeRoll()).trimEnd().split('\n')
    const changed = lines
      .filter((_, at) => at === 0 || at % 50 !== 7)
      .map((line, at) =>
        at % 40 === 3 ? line.replace(/ ST,/, ' AVE,').replace('SMITH', 'SMYTHE') : line,
      )
      .concat(lines.slice(1, 3).map((line) => line.replace(/(\d)(\d)(\d)/, '9$1$2$3')))
      .join('\n')
    const options = { force: true, at: Date.UTC(2026, 3, 1) }
    const reports = []
    for (const service of services) {
      const { loaded, updated, unchanged, removed, duplicates, rejected } =
        await service.importRoll(`${changed}\n`, options)
      reports.push({ loaded, updated, unchanged, removed, duplicates, rejected })
    }
    assert.deepEqual(reports[1], reports[0])
    assert.ok((reports[0]?.removed ?? 0) > 0 && (reports[0]?.updated ?? 0) > 0)
    const [one, two] = await Promise.all(services.map(walkState))
    assert.deepEqual(two, one)
  })
}

/** What a caller sees, without what differs from request to request. */
function shown({ status, headers, text }: Answer) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  return { status, headers: Object.fromEntries(kept), text }
}

async function walkState(service: TestService): Promise<unknown[]> {
  const records: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { state: 'WI', limit: '100', includeUnassignedAddress: 'true', cursor }
    const { body } = await service.get('/public/property/search/', query)
    records.push(...body.properties)
    cursor = body.metadata.nextCursor
  }
  return records
}

async function makeRoll(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-roll-'))
  try {
    await writeSampleFile({ parcels: PARCELS, seed: 8 }, join(folder, 'roll.csv'))
    return readFileSync(join(folder, 'roll.csv'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function anyRequest(rows: Row[]): fc.Arbitrary<Request> {
  const row = fc.constantFrom(...rows)
  return fc.oneof(
    { weight: 3, arbitrary: row.chain(addressRequest) },
    { weight: 2, arbitrary: row.chain(parcelRequest) },
    { weight: 5, arbitrary: row.chain(ownerRequest) },
    { weight: 4, arbitrary: row.chain(searchRequest) },
  )
}

/** Some of these parameters; those with a value that is empty are left out. */
function some(values: Record<string, fc.Arbitrary<string>>, needed: Record<string, string>) {
  return fc.record(values, { requiredKeys: [] }).map((chosen) => {
    const filled = Object.entries({ ...needed, ...chosen }).filter(([, value]) => value !== '')
    return Object.fromEntries(filled) as Record<string, string>
  })
}

function addressRequest(row: Row): fc.Arbitrary<Request> {
  const address = row.address ?? ''
  const forms = fc.constantFrom(
    address,
    address.toLowerCase(),
    address.replace(/\b(ST|AVE|DR|RD|LN)\b.*$/, ''),
    address.replace(/^(\d+) [NSEW] /, '$1 '),
    address.replace(/^\d+/, (number) => String(Number(number) + 2)),
    `${address} APT 2`,
  )
  const county = fc.constant(row.county ?? '')
  return some(
    { county, unit: fc.constantFrom('1', '2', '2B'), city: fc.constant(row.city ?? '') },
    { state: row.state ?? '' },
  ).chain((query) =>
    forms.map((line) => ({
      path: '/public/property/address/',
      query: { ...query, address: line },
    })),
  )
}

function parcelRequest(row: Row): fc.Arbitrary<Request> {
  const parcelId = row.parcelId ?? ''
  const ids = fc.constantFrom(
    parcelId,
    parcelId.toLowerCase(),
    parcelId.replace(/\W/g, ''),
    `${parcelId}9`,
  )
  return ids.map((id) => ({
    path: '/public/property/parcelId/',
    query: { state: row.state ?? '', county: row.county ?? '', parcelId: id },
  }))
}

function ownerRequest(row: Row): fc.Arbitrary<Request> {
  const words = (row.ownerName1 ?? 'X').split(/[^A-Z0-9']+/).filter((word) => word.length > 1)
  const word = fc.constantFrom(...(words.length > 0 ? words : ['SMITH']))
  const misspelt = fc
    .tuple(word, fc.nat(5))
    .map(([text, at]) => text.slice(0, at + 2) + text.slice(at + 3))
  const name = fc.oneof(
    word,
    misspelt,
    fc.tuple(word, word).map((two) => two.join(' ')),
  )
  const path = fc.constantFrom('/public/premium/owner/', '/public/property/owner/')
  const query = some(
    {
      lastName: name,
      nameContains: name,
      firstName: word.map((text) => text.slice(0, 2)),
      fuzzy: fc.constantFrom('true', 'false'),
      county: fc.constant(row.county ?? ''),
      limit: fc.constantFrom('1', '5', '25', '100'),
      offset: fc.constantFrom('0', '3', '190'),
    },
    { state: row.state ?? '' },
  )
  return fc.record({ path, query })
}

function searchRequest(row: Row): fc.Arbitrary<Request> {
  const cursor = fc.nat(1500).map((id) => {
    const lastId = id.toString(16).padStart(24, '0')
    return id % 3 === 0 ? '' : Buffer.from(JSON.stringify({ lastId })).toString('base64url')
  })
  return fc
    .tuple(
      some(
        {
          county: fc.constant(row.county ?? ''),
          city: fc.constant(row.city ?? ''),
          zipCode: fc.constant(row.zipCode ?? ''),
          useCode: fc.constant(row.useCode ?? ''),
          residential: fc.constantFrom('true', 'false'),
          transferedSince: fc.constantFrom('100', '1000', '9000'),
          includeUnassignedAddress: fc.constantFrom('true', 'false'),
          unit: fc.constantFrom('1', '2'),
          address: fc.constant(row.address ?? ''),
          limit: fc.constantFrom('1', '7', '100'),
          offset: fc.constantFrom('0', '10', '5000'),
        },
        { state: row.state ?? '' },
      ),
      fc.option(cursor, { nil: undefined }),
    )
    .map(([query, at]) => ({
      path: '/public/property/search/',
      query: at === undefined ? query : { ...query, cursor: at },
    }))
}
