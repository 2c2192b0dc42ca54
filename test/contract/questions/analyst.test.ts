/**
 * Fifteen plain questions of an analyst, each one call, against sums over the rows of the roll that
 * was loaded.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SAMPLE_COLUMNS } from '../../../src/sample/columns.ts'
import { generateSample } from '../../../src/sample/generate.ts'
import { csvRow } from '../../../src/sample/write.ts'
import { startService } from '../../service.ts'

/** The columns that the questions are about. */
type Row = Record<
  | ('parcelId' | 'jurisdiction' | 'city' | 'zipCode' | 'state' | 'ownerState' | 'ownerOccupied')
  | ('useCode' | 'residential' | 'yearBuilt' | 'totalBedrooms' | 'acres' | 'transferDate')
  | ('transferPrice' | 'totalAssessedValue' | 'totalMarketValue'),
  string
>

const generated = [...generateSample({ parcels: 1500, seed: 38 })]
const rows = generated
  .map((row) => Object.fromEntries(SAMPLE_COLUMNS.map((name, at) => [name, row[at] ?? ''])) as Row)
  .filter(({ state }) => state === 'WI')
const service = await startService([csvRow(SAMPLE_COLUMNS), ...generated.map(csvRow)].join(''))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

async function ask(path: 'search' | 'summary', query: string) {
  const { status, body } = await service.get(`/public/property/${path}/`, `state=WI&${query}`, {
    key,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Everything a row may be asked: parcels without a street address count too. */
const ALL = 'includeUnassignedAddress=true'
const number = (text: string) => (text === '' ? Number.NaN : Number(text))
const among = (meets: (row: Row) => boolean) => rows.filter(meets)
const ids = (list: readonly { parcelId: string }[]) => list.map(({ parcelId }) => parcelId)
const largest = (name: keyof Row, count: number, of: readonly Row[] = rows) =>
  of
    .filter((row) => row[name] !== '')
    .sort((a, b) => number(b[name]) - number(a[name]))
    .slice(0, count)
const sum = (name: keyof Row, of: readonly Row[]) =>
  Math.round(of.reduce((all, row) => all + (number(row[name]) || 0), 0) * 1e4) / 1e4
function median(name: keyof Row, of: readonly Row[]): number | null {
  const values = of.flatMap((row) => (row[name] === '' ? [] : Number(row[name])))
  values.sort((a, b) => a - b)
  const [low, high] = [values[(values.length - 1) >> 1], values[values.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
const counted = async (query: string) => {
  const { metadata } = await ask('search', `${ALL}&countOnly=true&${query}`)
  assert.equal(metadata.totalIs, 'exact')
  return metadata.total
}
type Group = { key: Record<string, string | number | null>; count: number }
/** The groups of a summary as entries by key. */
const groups = async (by: string, query: string, measure?: string) => {
  const { groups: shown } = await ask('summary', `groupBy=${by}&top=100&${query}`)
  return Object.fromEntries(
    shown.map((one: Group & Record<string, number>) => [one.key[by], one[measure ?? 'count']]),
  )
}
/** The same from the rows. */
const grouped = <Value>(by: keyof Row, read: (of: readonly Row[]) => Value, of = rows) =>
  Object.fromEntries(
    [...Map.groupBy(of, (row) => row[by].toUpperCase())].map(([name, own]) => [
      name === '' ? 'null' : name,
      read(own),
    ]),
  )

const QUESTIONS: [asked: string, answer: () => Promise<unknown>, expected: () => unknown][] = [
  ['How many parcels are there?', () => counted(''), () => rows.length],
  [
    'How many have half an acre or more?',
    () => counted('acresMin=0.5'),
    () => among((row) => number(row.acres) >= 0.5).length,
  ],
  [
    'How many houses of three or four bedrooms were built in the 1990s?',
    () => counted('bedsMin=3&bedsMax=4&yearBuiltMin=1990&yearBuiltMax=1999'),
    () =>
      among(
        ({ totalBedrooms, yearBuilt }) =>
          ['3', '4'].includes(totalBedrooms) && yearBuilt.startsWith('199'),
      ).length,
  ],
  [
    'How many owners live in Illinois or Minnesota?',
    () => counted('ownerState=IL,MN'),
    () => among(({ ownerState }) => ['IL', 'MN'].includes(ownerState)).length,
  ],
  [
    'How many owners live there?',
    () => counted('ownerOccupied=true'),
    () => among((row) => row.ownerOccupied === 'true').length,
  ],
  [
    'Which are the five largest parcels?',
    async () => (await ask('search', `${ALL}&sort=-acres&limit=5`)).properties.map(acresOf),
    () => largest('acres', 5).map((row) => number(row.acres)),
  ],
  [
    'Which are the three most valuable parcels of Madison?',
    async () =>
      ids((await ask('search', `${ALL}&city=Madison&sort=-marketValue&limit=3`)).properties),
    () =>
      ids(
        largest(
          'totalMarketValue',
          3,
          among(({ city }) => city === 'MADISON'),
        ),
      ),
  ],
  [
    'How many were sold in 2023 for 300,000 or more?',
    () => counted('saleDateFrom=2023-01-01&saleDateTo=2023-12-31&salePriceMin=300000'),
    () =>
      among(
        ({ transferDate, transferPrice }) =>
          transferDate.startsWith('2023') && number(transferPrice) >= 300_000,
      ).length,
  ],
  [
    'How many parcels has each city?',
    () => groups('city', ''),
    () => grouped('city', ({ length }) => length),
  ],
  [
    'How much land is in each ZIP code?',
    () => groups('zipCode', 'measure=sumAcres', 'sumAcres'),
    () => grouped('zipCode', (own) => sum('acres', own)),
  ],
  [
    'What is the median market value in each municipality?',
    () => groups('municipality', 'measure=medianMarketValue', 'medianMarketValue'),
    () => grouped('jurisdiction', (own) => median('totalMarketValue', own)),
  ],
  [
    'What is all of it worth?',
    () => groups('county', 'measure=sumMarketValue', 'sumMarketValue'),
    () => ({ DANE: sum('totalMarketValue', rows) }),
  ],
  [
    'What is the median assessed value of each use built after 2000?',
    () =>
      groups(
        'useStandardCode',
        'yearBuiltMin=2001&measure=medianAssessedValue',
        'medianAssessedValue',
      ),
    () =>
      grouped(
        'useCode',
        (own) => median('totalAssessedValue', own),
        among((row) => number(row.yearBuilt) > 2000),
      ),
  ],
  [
    'Which share of the homes of each city do their owners live in?',
    () => groups('city', 'residential=true&measure=ownerOccupiedShare', 'ownerOccupiedShare'),
    () =>
      grouped(
        'city',
        (own) => {
          const known = own.filter((row) => row.ownerOccupied !== '')
          const lived = known.filter((row) => row.ownerOccupied === 'true').length
          return known.length === 0 ? null : Math.round((lived / known.length) * 1e4) / 1e4
        },
        among((row) => row.residential === 'true'),
      ),
  ],
  [
    'From which decades are the buildings?',
    () => groups('yearBuiltDecade', 'hasBuilding=true&yearBuiltMin=1'),
    () => {
      const built = among((row) => row.yearBuilt !== '')
      const decades = Map.groupBy(built, (row) => `${row.yearBuilt.slice(0, 3)}0`)
      return Object.fromEntries([...decades].map(([decade, own]) => [decade, own.length]))
    },
  ],
]

function acresOf({ acres }: { acres: number }): number {
  return acres
}

for (const [asked, answer, expected] of QUESTIONS) {
  test(asked, async () => {
    const wanted = expected()
    assert.notEqual(wanted, 0)
    assert.deepEqual(await answer(), wanted)
  })
}
