import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalAddress } from '../address/canonical.ts'
import { countyByFips, findCounty } from '../regions/counties.ts'
import { SAMPLE_COLUMNS } from './columns.ts'
import { generateSample, sampleCsv } from './generate.ts'

/** 20,000 parcels, read by most tests; tests of frequencies use other ones as well. */
const ROWS = [...generateSample({ parcels: 20_000, seed: 1 })]
const OTHERS = [...generateSample({ parcels: 20_000, seed: 3 })]

const positions = new Map(SAMPLE_COLUMNS.map((column, at) => [column, at]))

function read(row: string[], column: string): string {
  const at = positions.get(column)
  assert.ok(at !== undefined)
  return row[at] ?? ''
}

function share(test: (row: string[]) => boolean, rows = ROWS): number {
  return rows.filter(test).length / rows.length
}

function isBetween(value: number, low: number, high: number, what: string) {
  assert.ok(value >= low && value <= high, `${what}: ${value} is not between ${low} and ${high}`)
}

/** Whether a line begins with a house number, and not with 0 or a street that is one. */
function isNumbered(line: string): boolean {
  return /^[NSEW]?[1-9]/.test(line) && !/^\d+(ST|ND|RD|TH) /.test(line)
}

test('the same seed gives the same bytes', () => {
  const hash = (seed: number) =>
    createHash('sha256')
      .update([...sampleCsv({ parcels: 1000, seed })].join(''))
      .digest('hex')
  // Only change it together with the generator's output.
  assert.equal(hash(1), 'b1f2ab1f9e975de09687f324be201bebc82e7082a76fd7c18f85b5894d2dc746')
  assert.equal(hash(1), hash(1))
  assert.notEqual(hash(1), hash(2))
})

test('a larger sample begins each county with the rows of a smaller one', () => {
  const small = [...generateSample({ parcels: 2000, seed: 1 })]
  const begins = (rows: string[][]) =>
    [...Map.groupBy(rows, (row) => read(row, 'county')).values()].map((county) =>
      county.slice(0, 200),
    )
  assert.deepEqual(begins(small), begins(ROWS))
})

test('as many parcels as asked for, in the shares of the four counties', () => {
  for (const parcels of [0, 1, 2, 3, 10, 999]) {
    assert.equal([...generateSample({ parcels, seed: 5 })].length, parcels)
  }
  const counties = Map.groupBy(ROWS, (row) => `${read(row, 'state')} ${read(row, 'county')}`)
  assert.deepEqual(
    [...counties].map(([county, rows]) => [county, rows.length]),
    [
      ['WI DANE', 4400],
      ['IL DUPAGE', 6000],
      ['FL ALACHUA', 2600],
      ['TX TRAVIS', 7000],
    ],
  )
})

test('each row has every column and names a county', () => {
  for (const row of ROWS) {
    assert.equal(row.length, SAMPLE_COLUMNS.length)
    assert.ok(findCounty(read(row, 'state'), read(row, 'county')))
    const text = row.join('|')
    assert.ok(!/undefined|NaN|null|\[object|(?:^|\|)\s|\s(?:$|\|)|\s\s/.test(text), text)
    for (const column of ['parcelId', 'ownerName1', 'useCode', 'legalDesc', 'nameOrder'] as const) {
      assert.notEqual(read(row, column), '', column)
    }
  }
})

test('numbers, dates and codes have the format of their columns', () => {
  const forms: [RegExp, string[]][] = [
    [/^\d{5}$/, ['ownerZipCode']],
    [/^(\d{5})?$/, ['zipCode']],
    [/^(\d{5}-\d{4})?$/, ['ownerZipCodePlusFour']],
    [
      /^((19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d))?$/,
      ['transferDate', 'recordingDate', 'ownershipStartDate'],
    ],
    [
      /^\d*$/,
      [
        'totalMarketValue',
        'totalLandValue',
        'taxableValue',
        'buildingArea',
        'transferPrice',
        'landArea',
      ],
    ],
    [/^(\d+\.\d\d)?$/, ['taxValue']],
    [/^(true|false|)$/, ['ownerOccupied', 'residential', 'pool']],
    [/^((18|19|20)\d\d)?$/, ['yearBuilt', 'effectiveYearBuilt', 'taxYear']],
    [/^[A-Z]{2}$/, ['state', 'ownerState']],
    [/^last-first$/, ['nameOrder']],
  ]
  for (const row of ROWS) {
    for (const [form, columns] of forms) {
      for (const column of columns) assert.match(read(row, column), form, column)
    }
    const [land, built, market] = (
      ['totalLandValue', 'totalBuildingValue', 'totalMarketValue'] as const
    ).map((column) => Number(read(row, column)))
    assert.equal(Number(land) + Number(built), market)
    const sold = read(row, 'transferDate')
    assert.ok(sold === '' || read(row, 'recordingDate') >= sold)
  }
})

test('no parcel ID of a county comes twice, punctuation aside', () => {
  for (const rows of [ROWS, OTHERS]) {
    const ids = new Set(
      rows.map(
        (row) => `${read(row, 'county')} ${read(row, 'parcelId').replace(/[^A-Z0-9]/g, '')}`,
      ),
    )
    assert.equal(ids.size, rows.length)
  }
})

test('each county has its own way of writing IDs', () => {
  const forms: Record<string, RegExp> = {
    WI: /^\d{4}-\d{3}-\d{7}-\d$/,
    IL: /^\d\d-\d\d-\d{3}-\d{3}$/,
    FL: /^\d{5}-\d{3}-\d{3}$/,
    TX: /^\d{6}$/,
  }
  for (const row of ROWS) assert.match(read(row, 'parcelId'), forms[read(row, 'state')] ?? /^$/)
})

test('no address occurs twice in a city', () => {
  const seen = new Set<string>()
  for (const row of ROWS) {
    if (!isNumbered(read(row, 'address'))) continue
    const line = (['address', 'unitType', 'unitNumberStripped', 'city', 'state'] as const)
      .map((column) => read(row, column))
      .join('|')
    assert.ok(!seen.has(line), line)
    seen.add(line)
  }
  isBetween(seen.size / ROWS.length, 0.85, 0.97, 'share of parcels with a number')
})

test('every numbered line is an address to the address engine, and no other is', () => {
  for (const row of ROWS) {
    const line = read(row, 'address')
    const fips = findCounty(read(row, 'state'), read(row, 'county'))?.fips
    const address = canonicalAddress(line, { state: read(row, 'state'), fips })
    assert.equal(address.assigned, isNumbered(line), line)
  }
})

test('units, ranges, routes, grids, fractions and land without an address are all there', () => {
  const line = (form: RegExp) => share((row) => form.test(read(row, 'address')))
  isBetween(line(/ (UNIT|APT|#)/), 0.03, 0.15, 'units in the line')
  isBetween(
    share((row) => read(row, 'unitNumberStripped') !== ''),
    0.01,
    0.1,
    'units apart',
  )
  isBetween(line(/^\d+-\d+ /), 0.005, 0.05, 'ranges')
  isBetween(line(/HIGHWAY|ROUTE|^\d+ FM|COUNTY ROAD|STATE ROAD|RANCH ROAD/), 0.004, 0.04, 'routes')
  isBetween(line(/^\d*[NSEW]\d+ /), 0.002, 0.03, 'grids')
  isBetween(line(/^\d+ 1\/2 /), 0.0001, 0.01, 'fractions')
  isBetween(line(/^$/), 0.02, 0.08, 'none')
  isBetween(line(/^0 /), 0.001, 0.02, 'number 0')
})

test('owners are persons first, then companies, trusts and public bodies', () => {
  const owner = (form: RegExp) => share((row) => form.test(read(row, 'ownerName1')))
  isBetween(owner(/\b(LLC|L L C|INC|LP|LTD|CORP)$/), 0.06, 0.18, 'companies')
  isBetween(owner(/\b(TRUST|TRUSTEES?|TR)\b/), 0.06, 0.14, 'trusts')
  isBetween(
    owner(/^(CITY|COUNTY|STATE|VILLAGE) OF|COUNTY$|DISTRICT|UNITED STATES/),
    0.005,
    0.03,
    'public',
  )
  isBetween(owner(/CHURCH|CHAPEL|TEMPLE/), 0.0005, 0.01, 'churches')
  isBetween(
    share((row) => read(row, 'ownerName2') !== ''),
    0.1,
    0.25,
    'two slots',
  )
  isBetween(owner(/ & /), 0.12, 0.4, 'two in one line')
  isBetween(
    share((row) => read(row, 'ownerCareOf') !== ''),
    0.005,
    0.05,
    'care of',
  )
  const comma = (state: string) =>
    share(
      (row) => read(row, 'ownerName1').includes(','),
      ROWS.filter((row) => read(row, 'state') === state),
    )
  isBetween(comma('WI'), 0.7, 1, 'Wisconsin writes a comma')
  isBetween(comma('IL'), 0.7, 1, 'Illinois writes a comma')
  assert.equal(comma('TX'), 0)
  assert.equal(comma('FL'), 0)
})

test('surnames are as unequal as in life', () => {
  const persons = [...ROWS, ...OTHERS].filter(
    (row) => !/\b(LLC|L L C|INC|LP|LTD|CORP|CO|TRUST|TR|OF|NA|LLP)\b/.test(read(row, 'ownerName1')),
  )
  const counts = new Map<string, number>()
  for (const row of persons) {
    const surname = read(row, 'ownerName1').split(/,| /)[0] ?? ''
    counts.set(surname, (counts.get(surname) ?? 0) + 1)
  }
  const sorted = [...counts.values()].sort((a, b) => b - a)
  isBetween((sorted[0] ?? 0) / persons.length, 0.007, 0.013, 'the commonest')
  isBetween(counts.size, 7000, 20_000, 'distinct')
  const top = sorted.slice(0, 100).reduce((sum, count) => sum + count, 0)
  isBetween(top / persons.length, 0.2, 0.4, 'the first hundred')
})

test('coordinates lie in their county, and neighbours near each other', () => {
  const boxes: Record<string, [number, number, number, number]> = {
    WI: [42.84, -89.84, 43.3, -89.0],
    IL: [41.68, -88.27, 42.0, -87.91],
    FL: [29.4, -82.67, 29.95, -82.04],
    TX: [30.02, -98.18, 30.63, -97.36],
  }
  let before: [string, number, number] | undefined
  for (const row of ROWS) {
    if (read(row, 'latitude') === '') continue
    const [lat, lon] = [Number(read(row, 'latitude')), Number(read(row, 'longitude'))]
    const [south, west, north, east] = boxes[read(row, 'state')] ?? [0, 0, 0, 0]
    isBetween(lat, south, north, 'latitude')
    isBetween(lon, west, east, 'longitude')
    const block = `${read(row, 'county')} ${read(row, 'neighborhood')} ${read(row, 'blockNum')}`
    if (before?.[0] === block && read(row, 'blockNum') !== '') {
      assert.ok(Math.abs(before[1] - lat) < 0.01 && Math.abs(before[2] - lon) < 0.01, block)
    }
    before = [block, lat, lon]
  }
  isBetween(
    share((row) => read(row, 'latitude') !== ''),
    0.95,
    0.99,
    'with a point',
  )
})

test('most homes are lived in by their owners, whose mail goes there', () => {
  const homes = ROWS.filter((row) => read(row, 'residential') === 'true')
  isBetween(
    share((row) => read(row, 'ownerOccupied') === 'true', homes),
    0.5,
    0.75,
    'occupied',
  )
  for (const row of homes) {
    if (read(row, 'ownerOccupied') !== 'true') continue
    assert.ok(read(row, 'ownerAddressLine1').startsWith(read(row, 'address')))
    assert.equal(read(row, 'ownerCity'), read(row, 'city'))
  }
  const away = share((row) => read(row, 'ownerState') !== read(row, 'state'))
  isBetween(away, 0.05, 0.2, 'owners out of state')
})

test('the CSV has a header and quotes what must be quoted', () => {
  const text = [...sampleCsv({ parcels: 500, seed: 9 })].join('')
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.length, 501)
  assert.equal(lines[0], SAMPLE_COLUMNS.join(','))
  assert.ok(text.includes('"') && text.endsWith('\n'))
  for (const line of lines) {
    const fields = line.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",]*)/g) ?? []
    assert.equal(fields.join(''), line)
    assert.equal(fields.length, SAMPLE_COLUMNS.length)
  }
})

test('the file comes in pieces, so that a sample of any size streams', () => {
  const pieces = sampleCsv({ parcels: 50_000_000, seed: 1 })
  for (let count = 0; count < 20; count++) {
    const { value } = pieces.next()
    isBetween((value as string).length, 65_536, 70_000, 'piece')
  }
  pieces.return(undefined)
})

test('the four counties are counties', () => {
  for (const fips of [55025, 17043, 12001, 48453]) assert.ok(countyByFips(fips))
})
