/**
 * Writes `src/http/openapi/examples.json`: real answers of the service on an invented roll, by
 * operation and status, for the OpenAPI document. Run it after a change of what answers look like:
 * `npm run examples`. A test asks again and compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { AccountFacts } from '../src/base/model/account.ts'
import { OPERATIONS } from '../src/operations/operations.ts'
import { accountsPath } from '../src/store/data-folder.ts'
import { openDatabase } from '../src/store/sqlite/connection.ts'
import { NOON, type Query, startService, type TestService } from '../test/service.ts'

/** Bodies by operation id and status, and the `query` of a 200. */
export type Examples = Record<string, Record<string, unknown>>

export const EXAMPLES_PATH = new URL('../src/http/openapi/examples.json', import.meta.url)
/** Two lots beside each other, with their polygons. */
const EXAMPLE_LOTS = new URL('../test/fixtures/example-lots.geojson', import.meta.url)
export const EXAMPLE_ROLL = new URL('../test/fixtures/example-roll.csv', import.meta.url)
const YEAR_MS = 31_536_000_000
const BILLING_URL = 'https://billing.example.com/'

/** The query of each status; 401 and 403 use the query of 200 for every operation. */
const QUERIES: Record<string, Record<'200' | '400', Query> & { 300?: Query; 404?: Query }> = {
  premiumOwnerSearch: {
    200: { state: 'WI', lastName: 'Garcia', firstName: 'Mar', county: 'Dane', limit: 1 },
    400: { state: 'WI', firstName: 'Maria' },
    404: { state: 'WI', lastName: 'Nobody' },
  },
  ownerSearch: {
    200: { state: 'WI', nameContains: 'family trust', limit: 1 },
    400: { state: 'WI', lastName: 'Garcia', offset: 195, limit: 10 },
    404: { state: 'WI', lastName: 'Nobody' },
  },
  addressLookup: {
    200: { state: 'WI', address: '123 Main St', unit: '2B', county: 'Dane', city: 'Madison' },
    300: { state: 'WI', address: '125 Main St', candidates: true },
    400: { state: 'WI', address: '123 Main St', city: 'Madison' },
    404: { state: 'WI', address: '124 Main St' },
  },
  parcelIdLookup: {
    200: { state: 'WI', county: 'Dane', parcelId: '0709-123-0101-4' },
    400: { state: 'WI', parcelId: '0709-123-0101-4' },
    404: { state: 'WI', county: 'Dane', parcelId: '0709-123-0101-5' },
  },
  locationSearch: {
    200: { latitude: 43.0747, longitude: -89.3841, radius: 0.5, limit: 1 },
    400: { latitude: 43.0747, longitude: 'west' },
  },
  portfolioSearch: {
    200: { propertyId: '55025-0709-123-0101-4' },
    400: {},
    404: { propertyId: '55025-NOBODY' },
  },
  comparables: {
    200: { latitude: 43.0747, longitude: -89.3841, sqftMin: 1000, estimate: true, limit: 1 },
    400: { latitude: 43.0747, radius: 1 },
    404: { latitude: 41.5, longitude: -89.3841 },
  },
  ratioStudy: {
    200: { state: 'WI', county: 'Dane' },
    400: { state: 'WI' },
    404: { state: 'WI', county: 'Adams' },
  },
  pointLookup: {
    200: { latitude: 43.0747, longitude: -89.3841, tolerance: 30 },
    400: { latitude: 430747, longitude: -89.3841 },
    404: { latitude: 41.5, longitude: -89.3841 },
  },
  suggest: {
    200: { state: 'WI', q: '123 Ma', limit: 1 },
    400: { q: 'a' },
  },
  ownerNetwork: {
    200: { propertyId: '55025-0709-123-0101-4', depth: 1 },
    400: {},
    404: { propertyId: '55025-NOBODY' },
  },
  propertySummary: {
    200: { state: 'WI', groupBy: 'city', measure: 'medianMarketValue' },
    400: { state: 'WI', groupBy: 'castle' },
  },
  quality: {
    200: { state: 'WI', county: 'Dane' },
    400: { county: 'Dane' },
    404: { state: 'WI', county: 'Adams' },
  },
  coverage: {
    200: { state: 'WI', county: 'Dane' },
    400: { county: 'Dane' },
  },
  shapeSearch: {
    200: { bbox: '-89.40,43.06,-89.36,43.09', limit: 1 },
    400: { bbox: '-90,43,-89,44' },
  },
  abutterSearch: {
    200: { propertyId: '55105-LOT-1', distance: 300, format: 'labels' },
    400: { propertyId: '55105-LOT-1', distance: 5000 },
    404: { propertyId: '55105-LOT-3' },
  },
  tile: {
    200: { z: 13, x: 2062, y: 3007 },
    400: { z: 1, x: 2, y: 0 },
  },
  changes: {
    200: { state: 'WI', limit: 1 },
    400: { state: 'WI', cursor: 'page-2' },
  },
  propertyHistory: {
    200: { propertyId: '55025-0709-123-0101-4' },
    400: {},
    404: { propertyId: '55025-NOBODY' },
  },
  propertyLineage: {
    200: { propertyId: '55025-0709-123-0101-4' },
    400: {},
    404: { propertyId: '55025-NOBODY' },
  },
  propertySearch: {
    200: { state: 'WI', city: 'Madison', cursor: '', limit: 1 },
    400: { state: 'WI', cursor: 'page-2' },
    404: { state: 'WI', county: 'Dane', asOf: '1990-01-01' },
  },
}

const OF_ANY = { 200: {}, 400: undefined }

/** The facts of an account that cause each 403. */
function blockedFacts(tokenCost: number): Partial<AccountFacts> {
  return tokenCost > 0 ? { includedTokens: 0, overageCap: 0 } : { subscription: 'canceled' }
}

/** Asks the real service, over the invented roll, for every example. */
export async function collectExamples(): Promise<Examples> {
  const service = await startService(readFileSync(EXAMPLE_ROLL, 'utf8'), {
    billingUrl: BILLING_URL,
  })
  await service.importRoll(readFileSync(EXAMPLE_LOTS, 'utf8'), {
    name: 'lots.geojson',
    geometry: true,
  })
  try {
    const examples: Examples = {}
    for (const { operationId, path, tokenCost } of OPERATIONS) {
      const queries = QUERIES[operationId] ?? OF_ANY
      const blocked = await service.keyFor(blockedFacts(tokenCost))
      const bodies: Record<string, unknown> = { query: queries[200] }
      for (const [status, query] of Object.entries(queries)) {
        if (query !== undefined) bodies[status] = await ask(service, path, Number(status), query)
      }
      bodies[401] = await ask(service, path, 401, queries[200], null)
      bodies[403] = await ask(service, path, 403, queries[200], blocked)
      examples[operationId] = bodies
    }
    service.setClock(NOON + YEAR_MS)
    const { changes: gone } = examples
    if (gone !== undefined)
      gone[410] = await ask(service, '/public/changes/', 410, { state: 'WI', cursor: '0' })
    service.setClock(NOON)
    breakLedger(service)
    for (const { operationId, path, tokenCost } of OPERATIONS) {
      const bodies = examples[operationId]
      if (tokenCost === 0 || bodies === undefined) continue
      bodies[503] = await ask(service, path, 503, QUERIES[operationId]?.[200] ?? {})
    }
    return examples
  } finally {
    await service.close()
  }
}

/** One answer, which must have the status that it is an example of. */
async function ask(
  service: TestService,
  path: string,
  status: number,
  query: Query,
  key?: string | null,
): Promise<unknown> {
  const answer = await service.get(fillPath(path, query), query, key === undefined ? {} : { key })
  // A tile has no text to show.
  if (answer.status === status) return answer.body ?? null
  throw new Error(`${path} answered ${answer.status} where an example of ${status} was wanted`)
}

/** A path with its parameters in their places. */
function fillPath(path: string, query: Query): string {
  const values = typeof query === 'string' ? {} : query
  return path.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name]))
}

/** From now on no charge can be written, as on a full disk. */
function breakLedger({ config }: TestService): void {
  const db = openDatabase(accountsPath(config.data), {
    kind: 'accounts',
    synchronous: 'FULL',
  })
  db.exec(`CREATE TRIGGER ledger_is_full BEFORE INSERT ON ledger
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
  db.close()
}

if (import.meta.main) {
  writeFileSync(EXAMPLES_PATH, `${JSON.stringify(await collectExamples(), null, 2)}\n`)
}
