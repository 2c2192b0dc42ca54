/** A generated county under other column names: `inspect` must recognise them. */
import { readFileSync } from 'node:fs'
import { canonicalAddress } from '../../src/address/canonical.ts'
import { SAMPLE_COLUMNS } from '../../src/sample/columns.ts'
import { generateSample } from '../../src/sample/generate.ts'
import { Random } from '../../src/sample/random.ts'
import { csvRow } from '../../src/sample/write.ts'

/**
 * Forms in which counties write the values of a record: unchanged, split into parts, or combined in
 * one line.
 */
export type Manner = 'plain' | 'parts' | 'lines'

export type Disguise = {
  csv: string
  /** Which column holds each field, by the path of the field in a draft. */
  columns: Map<string, string>
}

/** Names by field, from the same table that the names' own test reads. */
const NAMES = new Map(
  readFileSync(
    new URL('../../src/inspect/recognize/cases/column-names.txt', import.meta.url),
    'utf8',
  )
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [field = '', names = ''] = line.split(': ')
      return [field, [...names.matchAll(/"([^"]+)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? '')]
    }),
)

/** Columns that are left out: no county writes them, or they would reveal the meaning of others. */
const HIDDEN = new Set([
  ...(
    'state county geometry nameOrder sourceName sourceLicense sourceRollYear valueType ' +
    'residential'
  ).split(' '),
  ...'marketValueYear taxYear ownershipStartDate zoningDescription jurisdiction unitType'.split(
    ' ',
  ),
])

/** The parcels of one county of the sample (0 to 3), under names that `seed` chooses. */
export function disguise(
  county: number,
  seed: number,
  parcels = 8000,
  manner: Manner = 'plain',
): Disguise {
  const random = new Random(seed, 'names')
  const taken = new Set<string>()
  const columns = new Map<string, string>()
  const values: ((row: Row) => string)[] = []
  const names: string[] = []
  for (const [flat, value] of writersOf(manner)) {
    const field = [flat, `buildings.${flat}`, `transfers.${flat}`].find((path) => NAMES.has(path))
    const free = (NAMES.get(field ?? '') ?? []).filter((name) => !taken.has(name.toUpperCase()))
    const name = free[random.below(Math.max(1, free.length))]
    if (field === undefined || name === undefined) continue
    taken.add(name.toUpperCase())
    columns.set(field, name)
    names.push(name)
    values.push(value)
  }
  const rows = [...generateSample({ parcels, seed: 3 })].map(
    (row) => (flat: string) => row[SAMPLE_COLUMNS.indexOf(flat)] ?? '',
  )
  const counties = [...new Set(rows.map((row) => row('county')))]
  const own = rows.filter((row) => row('county') === counties[county])
  const lines = own.map((row) => csvRow(values.map((value) => value(row))))
  return { csv: `${csvRow(names)}${lines.join('')}`, columns }
}

type Row = (flat: string) => string

/** Writers of a county's columns, by field. */
function writersOf(manner: Manner): [string, (row: Row) => string][] {
  const plain = SAMPLE_COLUMNS.filter((flat) => !HIDDEN.has(flat)).map(
    (flat): [string, (row: Row) => string] => [flat, (row) => row(flat)],
  )
  if (manner === 'plain') return plain
  const gone = new Set(manner === 'parts' ? PARTED : JOINED)
  const rest = plain.filter(([flat]) => !gone.has(flat))
  if (manner === 'lines') {
    return [
      ...rest,
      ['address', (row) => oneLine(row('address'), row('city'), row('state'), row('zipCode'))],
      [
        'ownerCityStateZip',
        (row) => `${row('ownerCity')} ${row('ownerState')} ${row('ownerZipCode')}`.trim(),
      ],
    ]
  }
  const part = (name: keyof ReturnType<typeof parse>) => (row: Row) => parse(row)[name] ?? ''
  return [
    ['streetNumber', part('number')],
    ['streetDirectionPrefix', part('predirectional')],
    ['streetName', part('street')],
    ['streetType', part('suffix')],
    ...rest,
    ['saleYear', (row) => row('transferDate').slice(0, 4)],
    ['saleMonth', (row) => row('transferDate').slice(4, 6).replace(/^0|^-/, '')],
    ['landValue', (row) => row('assessedLandValue')],
    ['buildingValue', (row) => row('assessedBuildingValue')],
    ['totalValue', (row) => row('totalAssessedValue')],
  ]
}

const PARTED = [
  'address',
  'transferDate',
  'recordingDate',
  'assessedLandValue',
  'assessedBuildingValue',
  'totalAssessedValue',
  'totalLandValue',
  'totalBuildingValue',
  'totalMarketValue',
]
const JOINED = [
  'address',
  'city',
  'zipCode',
  'ownerCity',
  'ownerState',
  'ownerZipCode',
  'ownerZipCodePlusFour',
]

function parse(row: Row) {
  return canonicalAddress(row('address'), { state: row('state') }).parsed
}

function oneLine(line: string, city: string, state: string, zip: string): string {
  return line === '' ? '' : `${line}, ${city}, ${state} ${zip}`
}
