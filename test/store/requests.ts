/** Generated rolls and requests made from them, for tests that compare two services. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { writeSampleFile } from '../../src/sample/file.ts'
import type { Answer } from '../service.ts'

type Row = Record<string, string>
type Request = { path: string; query: Record<string, string> }

/** A generated roll in the mapping `platbook`. */
export async function makeRoll(parcels: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-roll-'))
  try {
    await writeSampleFile({ parcels, seed: 8 }, join(folder, 'roll.csv'))
    return readFileSync(join(folder, 'roll.csv'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Requests after parcels of a roll, with names and streets shortened, misspelt and put together as
 * callers do. The same ones each time.
 */
export function makeRequests(roll: string, count: number): Request[] {
  const rows: Row[] = parse(roll, { columns: true })
  return fc.sample(anyRequest(rows), { numRuns: count, seed: 8 })
}

/** An answer without the parts that differ between requests. */
export function shown({ status, headers, text }: Answer) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  return { status, headers: Object.fromEntries(kept), text }
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
