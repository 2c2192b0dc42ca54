/**
 * Every filter of the table in `src/store/columns.ts`, alone and together: a page holds exactly the
 * parcels whose columns pass. A new filter is tested without an entry here.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  COLUMNS,
  type ColumnValues,
  FILTERS,
  type FilterName,
  type FilterValues,
} from '../../src/store/columns.ts'
import type { ParcelFilter, StagedParcel } from '../../src/store/store.ts'
import type { StoreUnderTest } from './conformance.ts'
import { stage } from './staged.ts'

type Value = string | number | boolean | null

/** Values of a column by its type. Two of each, so that many parcels share one. */
const BY_TYPE: Record<(typeof COLUMNS)[number]['type'], Value[]> = {
  text: ['1001', '1003'],
  integer: [19_000, 20_000],
  long: [2 ** 40, 2 ** 41],
  flag: [true, false],
}

/** The values of a column: a text may be empty, some columns may be null. */
function valuesOf({ name, type, nullable }: (typeof COLUMNS)[number]): Value[] {
  if (name === 'fips') return [55025, 55027]
  const unknown = { text: [''], integer: [], long: [], flag: [] }[type]
  return [...BY_TYPE[type], ...(nullable ? [null] : unknown)]
}

const columnOf = (filter: FilterName) => {
  const found = COLUMNS.find(({ name }) => name === FILTERS[filter].column)
  assert.ok(found, filter)
  return found
}

/** How each test of the table asks for a value, and what it says of a parcel's. */
const TESTS: Record<
  (typeof FILTERS)[FilterName]['test'],
  { ask: (value: Value) => Value; passes: (value: Value, asked: Value) => boolean }
> = {
  '=': { ask: (value) => value, passes: (value, asked) => value === asked },
  '>=': {
    ask: (value) => (typeof value === 'string' ? value : Number(value) - 500),
    passes: (value, asked) => value !== null && asked !== null && value >= asked,
  },
  '<=': {
    ask: (value) => (typeof value === 'string' ? value : Number(value) + 500),
    passes: (value, asked) => value !== null && asked !== null && value <= asked,
  },
  'is true': { ask: (value) => value, passes: (value, asked) => value === true || asked === false },
  'is one of': {
    ask: (value) => `2001,${value},`,
    passes: (value, asked) => value !== '' && String(asked).split(',').includes(String(value)),
  },
  'is a line of': {
    ask: (value) => `\n2001\n${value}\n`,
    passes: (value, asked) => value !== '' && String(asked).split('\n').includes(String(value)),
  },
}

const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]
const FILTERED = COLUMNS.filter((column) =>
  FILTER_NAMES.some((filter) => columnOf(filter) === column),
)

const parcels = fc.array(
  fc.record(
    Object.fromEntries(
      FILTERED.map((column) => [column.property, fc.constantFrom(...valuesOf(column))]),
    ),
  ) as unknown as fc.Arbitrary<Partial<ColumnValues>>,
  { minLength: 1, maxLength: 60 },
)

/** What a filter may ask for: the known values of its column. */
function askedOf(name: FilterName) {
  const known = valuesOf(columnOf(name)).filter((value) => value !== null && value !== '')
  return fc.constantFrom(...known.map(TESTS[FILTERS[name].test].ask))
}

/** Each filter alone, and any of them together. */
const filters = fc
  .oneof(
    fc.subarray(FILTER_NAMES, { minLength: 1, maxLength: 1 }),
    fc.subarray(FILTER_NAMES, { maxLength: 4 }),
  )
  .chain(
    (names) =>
      fc.record(
        Object.fromEntries([
          ['assignedOnly', fc.constant(false)],
          ...names.map((name) => [name, askedOf(name)]),
        ]),
      ) as unknown as fc.Arbitrary<FilterValues>,
  )

/** Loading a roll costs more than asking it. */
const LISTS = 40
const ASKED = 12

/** `share`: of the usual number of generated rolls, where each costs much. */
export function testFilters(
  name: string,
  open: () => Promise<StoreUnderTest>,
  share: number,
): void {
  test(`${name}: a page holds exactly the parcels that pass all filters, by id`, async () => {
    const several = fc.array(filters, { minLength: ASKED, maxLength: ASKED })
    await fc.assert(
      fc.asyncProperty(parcels, several, fc.nat(5), async (list, asked, skip) => {
        const store = await open()
        try {
          const staged = list.map(stageWith)
          await store.load(staged)
          for (const given of asked) await comparePages(store, staged, given, skip)
        } finally {
          await store.close()
        }
      }),
      { numRuns: Math.ceil(LISTS * share) },
    )
  })
}

/** A point is whole, and its tile follows from it. */
function stageWith({ x, y, ...columns }: Partial<ColumnValues>, at: number): StagedParcel {
  const isKnown = typeof x === 'number' && typeof y === 'number'
  const point: [number, number] | undefined = isKnown ? [x / 1e7, y / 1e7] : undefined
  return stage({
    parcelId: `P-${at}`,
    fips: columns.fips ?? 55025,
    columns,
    ...(point && { point }),
  })
}

async function comparePages(
  { reader }: StoreUnderTest,
  staged: StagedParcel[],
  given: FilterValues,
  skip: number,
) {
  const filter: ParcelFilter = { state: 'WI', ...given }
  const never = Number.MAX_SAFE_INTEGER
  const expected = staged.flatMap((parcel, at) => (passes(parcel, given) ? [at + 1] : []))
  const all = await reader.page(filter, { afterId: 0, skip, limit: 1000 }, never)
  const found = all.parcels.map(({ id }) => id)
  assert.deepEqual(found, expected.slice(skip), JSON.stringify(given))
  assert.ok(all.done)
  const walked: number[] = []
  for (let after = 0; ; ) {
    const page = await reader.page(filter, { afterId: after, skip: 0, limit: 2 }, never)
    walked.push(...page.parcels.map(({ id }) => id))
    if (page.done) break
    after = page.lastId
  }
  assert.deepEqual(walked, expected, JSON.stringify(given))
}

/** Property search, stated plainly. */
function passes(parcel: StagedParcel, given: FilterValues): boolean {
  return FILTER_NAMES.every((name) => {
    const asked = given[name]
    if (asked === undefined) return true
    return TESTS[FILTERS[name].test].passes(parcel[columnOf(name).property], asked)
  })
}
