/**
 * What every store must do, as one suite: answers are held against a plain statement of the
 * question over all parcels. A store passes `open`, which gives an empty one.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../src/base/errors.ts'
import type { OwnerIndex, OwnerTrace } from '../../src/base/model/owner.ts'
import { makeOwnerQuestion } from '../../src/owner/canonical.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { readTileText } from '../../src/record/tile-text.ts'
import { findCells, findOrigin, packOrigin } from '../../src/store/origins/origins.ts'
import { decodeOwners } from '../../src/store/parcel-keys.ts'
import type { AfterWriter } from '../../src/store/rolls/after-writer.ts'
import type { RollRewriter } from '../../src/store/rolls/rewrite-rolls.ts'
import type { AskedPlace, ParcelReader, RollChange, StagedParcel } from '../../src/store/store.ts'
import { meets } from '../owner-meets.ts'
import { until } from '../until.ts'
import { testFilters } from './filter-suite.ts'
import { testPlacesOfStates } from './place-states-suite.ts'
import { testPlaces } from './place-suite.ts'
import { type Draft, stage } from './staged.ts'

export type StoreUnderTest = {
  reader: ParcelReader
  /** Loads a roll as an import does. */
  load(parcels: StagedParcel[], removeAbsent?: boolean): Promise<RollChange>
  rewriter(): Promise<RollRewriter>
  saleTests(): Promise<AfterWriter & { close(): Promise<void> }>
  close(): Promise<void>
}

const NEVER = Number.MAX_SAFE_INTEGER
const SURNAMES = ['SMITH', 'SMYTH', 'SMITHE', 'JONES', 'JONAS', 'DE LA CRUZ', "O'BRIEN", 'LEE']
const GIVENS = ['JOHN', 'JOAN', 'MARY ANN', 'THEO', 'MARA']
const COMPANIES = ['SMITH HOLDINGS LLC', 'ACME LAND CO', 'JONES FAMILY TRUST', 'CITY OF LEE']

const ownerText = fc.oneof(
  fc
    .tuple(fc.constantFrom(...SURNAMES), fc.constantFrom(...GIVENS))
    .map(([surname, given]) => `${surname}, ${given}`),
  fc.constantFrom(...COMPANIES),
  fc.constant(null),
)

const drafts = fc.array(
  fc.record({
    owners: fc.tuple(ownerText, ownerText),
    fips: fc.constantFrom(55025, 55027),
    address: fc.constantFrom('12 MAIN ST', '14 MAIN ST', ''),
  }),
  { minLength: 1, maxLength: 60 },
)

/** Parcels on a small grid of points, some of them without one. */
const points = fc.uniqueArray(
  fc
    .record(
      {
        parcelId: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `P-${at}`)),
        transferDay: fc.constantFrom(20_000, 19_000, null),
        sold: fc.boolean(),
        point: fc.option(
          fc
            .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))
            .map(([x, y]): [number, number] => [-89 + x / 1e7, 43 + y / 1e7]),
          { nil: undefined },
        ),
      },
      { requiredKeys: ['parcelId', 'transferDay', 'sold'] },
    )
    .map(({ point, ...rest }) => ({ ...rest, ...(point && { point }) })),
  { selector: ({ parcelId }) => parcelId, minLength: 1, maxLength: 12 },
)

const side = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))
const box = fc.tuple(side, side).map(([x, y]) => ({
  west: -89e7 + Math.min(...x),
  east: -89e7 + Math.max(...x),
  south: 43e7 + Math.min(...y),
  north: 43e7 + Math.max(...y),
}))

const byNumber = (a: number, b: number) => a - b

const withIds = (list: Omit<Draft, 'parcelId'>[]) =>
  list.map((draft, at) => stage({ ...draft, parcelId: `P-${at}` }))

const ask = fc.record(
  {
    lastName: fc.constantFrom('smith', 'Jones', 'de la cruz', 'DELACRUZ', 'acme', 'lee', 'smiht'),
    firstName: fc.constantFrom('jo', 'mary', 'Z'),
    nameContains: fc.constantFrom('smith', 'trust jones', 'john smith', 'city lee', 'smyth'),
    fuzzy: fc.boolean(),
    county: fc.boolean(),
  },
  { requiredKeys: ['fuzzy', 'county'] },
)

/**
 * Parcels of a long walk: enough slices of 5,000 to show that each one yields to the event loop.
 * Where each slice is a request to a server, fewer are enough.
 */
const WALKED = 16_000
const WALKED_FEW = 5200
/** Loading a roll costs more than querying it. */
const LISTS = 40
const severalOf = <Asked>(one: fc.Arbitrary<Asked>) => fc.array(one, { minLength: 4, maxLength: 4 })

/**
 * Registers the suite for one store. `share`: of the usual number of generated rolls, where each
 * costs much.
 */
export function testStore(name: string, open: () => Promise<StoreUnderTest>, share = 1): void {
  const using = async (work: (store: StoreUnderTest) => Promise<void>) => {
    const store = await open()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  test(`${name}: heads of names are found by their beginning, once and ascending`, async () => {
    const starts = ['S', 'SMI', 'SMITHE', 'J', 'DE', 'OB', 'ACM', 'CIT', 'Z']
    await fc.assert(
      fc.asyncProperty(drafts, async (list) => {
        await using(async ({ reader, load }) => {
          const parcels = withIds(list)
          await load(parcels)
          const heads = parcels.flatMap((parcel) => ownersOf(parcel).heads)
          for (const kind of ['person', 'organization'] as const) {
            const own = heads.filter((one) => one.kind === kind).map(({ head }) => head)
            const distinct = [...new Set(own)].sort()
            for (const start of starts) {
              const found = await reader.headsFrom('WI', start, 3, kind)
              const expected = distinct.filter((head) => head.startsWith(start)).slice(0, 3)
              assert.deepEqual(found, expected, start)
              assert.deepEqual(await reader.headsFrom('IL', start, 3, kind), [])
            }
          }
        })
      }),
      { numRuns: Math.ceil(LISTS * share * 0.3) },
    )
  })

  test(`${name}: each import records its changes, in one order per state`, async () => {
    await using(async ({ reader, load }) => {
      const first = ['A', 'B', 'C'].map((parcelId) => stage({ parcelId, value: 1 }))
      await load([...first, stage({ parcelId: 'A', state: 'IA', fips: 19_001 })])
      await load([
        stage({ parcelId: 'A', value: 2 }),
        stage({ parcelId: 'B', value: 1 }),
        stage({ parcelId: 'D', value: 1, fips: 55_027 }),
        stage({ parcelId: 'E', value: 1 }),
      ])
      const question = {
        state: 'WI',
        fips: undefined,
        groups: undefined,
        after: 0,
        since: 0,
        limit: 100,
      }
      const { changes, oldest, last } = await reader.changes(question)
      const shown = changes.map(({ what, propertyId, groups, parcels }) => ({
        what,
        propertyId,
        groups,
        parcels,
      }))
      const none = { groups: 0, parcels: null }
      assert.deepEqual(shown[0], { what: 'loaded', propertyId: null, groups: 0, parcels: 3 })
      const byText = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))
      assert.deepEqual(
        shown.slice(1).sort(byText),
        [
          { what: 'loaded', propertyId: null, groups: 0, parcels: 1 },
          { what: 'changed', propertyId: '55025-A', groups: 4, parcels: null },
          { what: 'removed', propertyId: '55025-C', ...none },
          { what: 'added', propertyId: '55025-E', ...none },
        ].sort(byText),
      )
      assert.deepEqual(
        changes.map(({ sequence }) => sequence),
        [1, 2, 3, 4, 5],
      )
      assert.deepEqual([oldest, last], [1, 5])
      const ids = new Map(changes.map(({ propertyId, id }) => [propertyId, id]))
      const [added] = await reader.byParcelId('WI', 55_025, 'E')
      assert.equal(ids.get('55025-E'), added?.id)
      assert.equal((await reader.changes({ ...question, fips: 55_027 })).changes.length, 1)
      assert.equal((await reader.changes({ ...question, groups: 1 })).changes.length, 4)
      assert.equal((await reader.changes({ ...question, after: 3 })).changes.length, 2)
      assert.equal((await reader.changes({ ...question, state: 'IA' })).last, 1)
    })
  })

  test(`${name}: an owner search finds exactly the matches, exact before fuzzy`, async () => {
    await fc.assert(
      fc.asyncProperty(drafts, severalOf(ask), async (list, questions) => {
        await using(async ({ reader, load }) => {
          const parcels = withIds(list)
          await load(parcels)
          for (const { county, ...asked } of questions) {
            const question = makeOwnerQuestion(asked)
            if (question === undefined) continue
            const fips = county ? 55025 : undefined
            const search = { state: 'WI', fips, question, deadline: NEVER }
            const found = await reader.byOwner({ ...search, skip: 0, limit: 1000 })
            const met = parcels.map((parcel, at) => ({
              id: at + 1,
              how:
                fips === undefined || parcel.fips === fips
                  ? meets(question, ownersOf(parcel))
                  : undefined,
            }))
            const expected = [
              ...met.filter(({ how }) => how === 'exact').map(({ id }) => ({ id, fuzzy: false })),
              ...met.filter(({ how }) => how === 'fuzzy').map(({ id }) => ({ id, fuzzy: true })),
            ]
            assert.deepEqual(found, { hits: expected, complete: true }, JSON.stringify(asked))
            const shown = { from: 1, count: 2 }
            const page = await reader.byOwner({ ...search, skip: 2, limit: 3, page: shown })
            assert.deepEqual(page.hits, expected.slice(2, 5))
            if (page.shown === undefined) continue
            const ids = page.hits.slice(1, 3).map(({ id }) => id)
            assert.deepEqual(page.shown, await reader.byIds('WI', ids), 'parcels of the page')
          }
        })
      }),
      { numRuns: Math.ceil(LISTS * share) },
    )
  })

  testFilters(name, open, share)

  test(`${name}: ids stay over refreshes and never come back`, () =>
    using(async ({ reader, load }) => {
      const roll = (...ids: string[]) => ids.map((parcelId) => stage({ parcelId }))
      const idOf = async (key: string) => (await reader.byParcelId('WI', 55025, key))[0]?.id
      assert.deepEqual(await load(roll('A', 'B', 'C')), counts(3, 0, 0, 0))
      assert.deepEqual(await load(roll('A', 'B', 'C')), counts(0, 0, 3, 0))
      assert.deepEqual(await load(roll('A', 'C')), counts(0, 0, 2, 1))
      assert.equal(await idOf('B'), undefined)
      assert.deepEqual(await load(roll('C', 'B', 'A')), counts(1, 0, 2, 0))
      assert.deepEqual([await idOf('A'), await idOf('B'), await idOf('C')], [1, 4, 3])
    }))

  test(`${name}: a partial roll removes nothing`, () =>
    using(async ({ load }) => {
      await load([stage({ parcelId: 'A' }), stage({ parcelId: 'B' })])
      assert.deepEqual(await load([stage({ parcelId: 'A' })], false), counts(0, 0, 1, 0))
      assert.deepEqual(await load([stage({ parcelId: 'A' })]), counts(0, 0, 1, 1))
    }))

  test(`${name}: a roll replaces its own scope only`, () =>
    using(async ({ reader, load }) => {
      const town = (municipality: string) => stage({ parcelId: '1-2', municipality })
      await load([town('EASTBROOK')])
      await load([town('WESTBROOK')])
      await load([stage({ parcelId: '1-2', fips: 55027 })])
      const found = await reader.byParcelId('WI', 55025, '12')
      assert.deepEqual(
        found.map(({ id }) => id),
        [1, 2],
      )
    }))

  test(`${name}: a changed owner or address is found by the new one only`, () =>
    using(async ({ reader, load }) => {
      const draft = { parcelId: 'A', owners: ['SMITH, JOHN', null] as [string, null] }
      await load([stage({ ...draft, address: '12 MAIN ST' })])
      assert.deepEqual(
        await load([stage({ parcelId: 'A', owners: ['LEE, MARA', null], address: '14 MAIN ST' })]),
        counts(0, 1, 0, 0),
      )
      const holders = async (lastName: string) => {
        const question = makeOwnerQuestion({ lastName, fuzzy: true })
        assert.ok(question)
        const search = { state: 'WI', question, skip: 0, limit: 10, deadline: NEVER }
        return (await reader.byOwner(search)).hits.length
      }
      assert.deepEqual([await holders('SMITH'), await holders('LEE')], [0, 1])
      assert.equal((await reader.bySitusKey('WI', '12||MAIN|ST|')).length, 0)
      assert.equal((await reader.bySitusKey('WI', '14||MAIN|ST|')).length, 1)
    }))

  test(`${name}: a parcel is rewritten or removed by its id, and no list keeps its words`, () =>
    using(async ({ reader, load, rewriter }) => {
      const owners = ['SMITH, JOHN', null] as [string, null]
      const drafts = [
        { parcelId: 'A', owners, address: '12 MAIN ST' },
        { parcelId: 'B', owners: ['LEE, MARA', null] as [string, null], address: '14 MAIN ST' },
      ]
      await load(drafts.map(stage))
      const work = await rewriter()
      try {
        const found = await work.scan(({ keys }) => keys.includes('SMITH'))
        assert.deepEqual(found, [{ state: 'WI', id: 1 }])
        const bare = stage({ parcelId: 'A', owners: [null, null], address: '12 MAIN ST' })
        const all = [...found, { state: 'WI', id: 2 }]
        const counts = await work.rewrite(
          all,
          (kept) =>
            kept.id === 2 ? 'removed' : { ...kept, fieldValues: bare.fieldValues, keys: bare.keys },
          1_750_000_001,
        )
        assert.deepEqual(counts, { changed: 1, removed: 1 })
      } finally {
        await work.close()
      }
      const page = await reader.page(
        { state: 'WI', assignedOnly: false },
        { afterId: 0, skip: 0, limit: 10 },
        NEVER,
      )
      assert.deepEqual(
        page.parcels.map(({ id, fieldValues }) => [id, decodeParcel(fieldValues).ownerName]),
        [[1, null]],
      )
      assert.equal((await reader.bySitusKey('WI', '12||MAIN|ST|')).length, 1)
      assert.equal((await reader.bySitusKey('WI', '14||MAIN|ST|')).length, 0)
      const told = await reader.changes({
        ...{ state: 'WI', fips: undefined, groups: undefined },
        ...{ after: 0, since: 0, limit: 10 },
      })
      assert.deepEqual(
        told.changes.slice(-2).map(({ what, id, loadedAt }) => [what, id, loadedAt]),
        [
          ['changed', 1, 1_750_000_001],
          ['removed', 2, 1_750_000_001],
        ],
        'callers who keep a copy learn of it',
      )
      const trace: OwnerTrace = { rounds: [], near: [] }
      const question = makeOwnerQuestion({ lastName: 'SMITHE', fuzzy: true })
      assert.ok(question)
      const search = { state: 'WI', question, skip: 0, limit: 5, deadline: NEVER, trace }
      const answer = await reader.byOwner(search)
      assert.deepEqual([answer.hits, trace.near], [[], []])
    }))

  test(`${name}: an explanation lists similar recorded surnames in the order of the alphabet`, () =>
    using(async ({ reader, load }) => {
      const names = ['QUILLOON', 'QUILON', 'QUILLAN', 'QUILLNO']
      await load(names.map((one) => stage({ parcelId: one, owners: [`${one}, MARA`, null] })))
      const trace: OwnerTrace = { rounds: [], near: [] }
      const question = makeOwnerQuestion({ lastName: 'QUILLON', fuzzy: true })
      assert.ok(question)
      const search = { state: 'WI', question, skip: 0, limit: 9, deadline: NEVER, trace }
      assert.equal((await reader.byOwner(search)).hits.length, 4)
      assert.deepEqual(trace.near, names.sort())
    }))

  test(`${name}: an explanation gets the owner words of parcels and how many share a key`, () =>
    using(async ({ reader, load }) => {
      const owners = ['SMITH, JOHN', 'SMITH FAMILY TRUST'] as [string, string]
      const parcels = [stage({ parcelId: 'A', owners }), stage({ parcelId: 'B' })]
      await load(parcels)
      const told = await reader.ownersOf('WI', [2, 1, 9])
      const byId = new Map(told.map((one) => [one.id, one.owners]))
      assert.deepEqual([...byId.keys()].sort(), [1, 2])
      assert.deepEqual(byId.get(1), ownersOf(parcels[0] as StagedParcel))
      assert.deepEqual(byId.get(2), { heads: [], words: [] })
      assert.deepEqual(await reader.countOwnerKeys('WI', ['SMITH', 'LEE'], ['TRUST', 'X']), {
        // Two persons' entries, and one of the trust as an organization.
        names: [3, 0],
        words: [1, 0],
      })
      const trace: OwnerTrace = { rounds: [], near: [] }
      const question = makeOwnerQuestion({ lastName: 'SMITHE', fuzzy: true })
      assert.ok(question)
      const search = { state: 'WI', question, skip: 0, limit: 5, deadline: NEVER, trace }
      await reader.byOwner(search)
      const rounds = [false, true].map((fuzzy) => ({ fuzzy, found: Number(fuzzy) }))
      assert.deepEqual(trace, { rounds, near: ['SMITH'] })
    }))

  test(`${name}: the only parcel of a key comes with its record; of several none does`, () =>
    using(async ({ reader, load }) => {
      const addresses = ['12 MAIN ST', '14 MAIN ST APT 1', '14 MAIN ST APT 2', '16 MAIN ST APT 1']
      const city = 'MADISON'
      await load([
        ...addresses.map((address, at) => stage({ parcelId: `P-${at}`, address, city })),
        stage({ parcelId: 'P-4', address: '20-24 MAIN ST', city }),
        stage({ parcelId: 'P-5', address: '30 MAIN ST' }),
      ])
      const only = async (number: number, unit: string, place: Partial<AskedPlace> = {}) => {
        const asked = { fips: undefined, city: undefined, ...place }
        const found = await reader.onlyAtSitusKey('WI', `${number}||MAIN|ST|`, unit, asked)
        return found === undefined ? undefined : decodeParcel(found.fieldValues).parcelId
      }
      assert.deepEqual([await only(12, ''), await only(12, '9')], ['P-0', undefined])
      assert.deepEqual([await only(14, ''), await only(14, '2')], [undefined, 'P-2'])
      assert.deepEqual([await only(16, ''), await only(18, '')], ['P-3', undefined])
      assert.equal(await only(22, ''), undefined, 'one of a range')
      const anywhere = { fips: undefined, city: undefined }
      const lone = await reader.onlyAtSitusKey('WI', '14||MAIN|ST|', '2', anywhere)
      assert.equal(lone?.unitKey, '2')
      const here = { fips: 55025, city }
      assert.deepEqual([await only(12, '', here), await only(14, '2', here)], ['P-0', 'P-2'])
      assert.deepEqual([await only(30, '', here), await only(30, '')], [undefined, 'P-5'])
      for (const elsewhere of [{ fips: 55001 }, { ...here, city: 'ELSEWHERE' }, { city: '' }]) {
        assert.equal(await only(12, '', elsewhere), undefined)
        assert.equal(await only(14, '2', elsewhere), undefined)
      }
    }))

  test(`${name}: a changed value keeps the parcel's id and its place in every index`, () =>
    using(async ({ reader, load }) => {
      const draft = { parcelId: 'A', owners: ['SMITH, JOHN', null] as [string, null], value: 1 }
      await load([stage(draft)])
      assert.deepEqual(await load([stage({ ...draft, value: 2 })]), counts(0, 1, 0, 0))
      const [parcel] = await reader.byIds('WI', [1])
      assert.equal(decodeParcel(parcel?.fieldValues ?? '').totalMarketValue, 2)
    }))

  test(`${name}: recorded IDs that differ only in punctuation stay separate`, () =>
    using(async ({ reader, load }) => {
      const twin = (parcelId: string): StagedParcel => ({
        ...stage({ parcelId }),
        identity: parcelId,
      })
      await load([twin('1-23'), twin('12-3')])
      assert.equal((await reader.byParcelId('WI', 55025, '123')).length, 2)
      assert.deepEqual(await load([stage({ parcelId: '12-3' })]), counts(0, 0, 1, 1))
      const [left] = await reader.byParcelId('WI', 55025, '123')
      assert.deepEqual([left?.id, left?.parcelKey], [2, '12-3'])
    }))

  test(`${name}: a second ID with the letters of a stored one is a parcel of its own`, () =>
    using(async ({ reader, load }) => {
      const draft = (parcelId: string, owner: string) =>
        ({ ...stage({ parcelId, owners: [owner, null] }), identity: parcelId }) as StagedParcel
      for (const first of ['1-2', '12']) {
        const second = first === '12' ? '1-2' : '12'
        await load([{ ...draft(first, 'ADAMS, JO'), identity: '12' }])
        const both = [draft(second, 'BAKER, SUE'), draft(first, 'ADAMS, JO')]
        assert.deepEqual(await load(both), counts(1, 0, 1, 0))
        assert.deepEqual(await load(both), counts(0, 0, 2, 0))
        const kept = await reader.byParcelId('WI', 55025, '12')
        const owners = kept.map(({ parcelKey, fieldValues }) => [
          parcelKey,
          decodeParcel(fieldValues).ownerName,
        ])
        assert.deepEqual(owners, [
          [first, 'ADAMS, JO'],
          [second, 'BAKER, SUE'],
        ])
        // One of them in a part of the roll is that one, and nothing happens to the other.
        assert.deepEqual(
          await load([{ ...draft(second, 'BAKER, SUE'), identity: '12' }], false),
          counts(0, 0, 1, 0),
        )
        await load([stage({ parcelId: 'OTHER' })])
      }
    }))

  test(`${name}: a box holds exactly its parcels and sales, also after refreshes`, () =>
    fc.assert(
      fc.asyncProperty(points, points, box, fc.boolean(), async (before, after, asked, partial) => {
        const store = await open()
        try {
          await store.load(before.map(stage))
          await store.load(after.map(stage), !partial)
          const left = new Map((partial ? before : []).map((draft) => [draft.parcelId, draft]))
          for (const draft of after) left.set(draft.parcelId, draft)
          const inside = [...left.values()].filter(({ point }) => {
            if (point === undefined) return false
            const [x, y] = point.map((degrees) => Math.round(degrees * 1e7)) as [number, number]
            return x >= asked.west && x <= asked.east && y >= asked.south && y <= asked.north
          })
          const hits = await store.reader.pointsIn({ assignedOnly: false }, asked, 1000)
          const records = await store.reader.byIds('WI', hits.map(({ id }) => id).sort(byNumber))
          const found = records.map(({ fieldValues }) => decodeParcel(fieldValues).parcelId)
          assert.deepEqual(found.sort(), inside.map(({ parcelId }) => parcelId).sort())
          const sales = await store.reader.salesIn(20_000, asked, 1000)
          const sold = await store.reader.byIds('WI', sales.map(({ id }) => id).sort(byNumber))
          const expected = inside.filter((one) => one.sold && one.transferDay === 20_000)
          assert.deepEqual(
            sold.map(({ fieldValues }) => decodeParcel(fieldValues).parcelId).sort(),
            expected.map(({ parcelId }) => parcelId).sort(),
          )
        } finally {
          await store.close()
        }
      }),
      { numRuns: Math.ceil(40 * share) },
    ))

  test(`${name}: a polygon is found by its bounds until it is removed or replaced`, () =>
    using(async ({ reader, load }) => {
      const lot = (west: number) =>
        JSON.stringify({
          type: 'Polygon',
          coordinates: [
            [
              [west, 43],
              [west + 1, 43],
              [west + 1, 44],
              [west, 44],
              [west, 43],
            ],
          ],
        })
      const at = (west: number) => ({
        west: (west + 0.5) * 1e7,
        south: 43.5e7,
        east: (west + 0.5) * 1e7,
        north: 43.5e7,
      })
      const count = async (west: number) => (await reader.shapesIn(at(west), 10)).length
      await load([stage({ parcelId: 'A', geometry: lot(-90) }), stage({ parcelId: 'B' })])
      assert.deepEqual([await count(-90), await count(-80)], [1, 0])
      await load([stage({ parcelId: 'A', value: 5 }), stage({ parcelId: 'B' })])
      assert.equal(await count(-90), 1)
      await load([stage({ parcelId: 'A', geometry: lot(-80) }), stage({ parcelId: 'B' })])
      assert.deepEqual([await count(-90), await count(-80)], [0, 1])
      await load([stage({ parcelId: 'B' })])
      assert.equal(await count(-80), 0)
    }))

  test(`${name}: a roll without polygons keeps stored ones, their area and count`, () =>
    using(async ({ reader, load }) => {
      const geometry = '{"type":"Polygon","coordinates":[[[-90,43],[-89,43],[-89,44],[-90,43]]]}'
      const drawn = { geometry, acres: 12.5 }
      const look = async () => {
        const records = await reader.byIds('WI', [1, 2])
        const acres = records.map(({ fieldValues }) => decodeParcel(fieldValues).calculatedAcres)
        const [county] = await reader.coverage({ states: ['WI'] })
        return [...acres, Number(county?.filled.geometry)]
      }
      const lots = (first: object, second: object) =>
        load([stage({ parcelId: 'A', ...first }), stage({ parcelId: 'B', ...second })])
      await lots(drawn, {})
      assert.deepEqual(await look(), [12.5, null, 1])
      assert.deepEqual(await lots({}, {}), counts(0, 0, 2, 0))
      assert.deepEqual(await lots({ value: 5 }, { value: 6 }), counts(0, 2, 0, 0))
      assert.deepEqual(await look(), [12.5, null, 1])
      await lots({ ...drawn, acres: 13 }, {})
      assert.deepEqual(await look(), [13, null, 1])
    }))

  test(`${name}: a parcel of which a roll says that it has no polygon loses its own`, () =>
    using(async ({ reader, load }) => {
      const geometry = '{"type":"Polygon","coordinates":[[[-90,43],[-89,43],[-89,44],[-90,43]]]}'
      const drawn = { geometry, acres: 12.5 }
      const place = { west: -89.1e7, south: 43.1e7, east: -89.1e7, north: 43.1e7 }
      const look = async () => {
        const records = await reader.byIds('WI', [1, 2])
        const acres = records.map(({ fieldValues }) => decodeParcel(fieldValues).calculatedAcres)
        const [county] = await reader.coverage({ states: ['WI'] })
        const shapes = await reader.shapesIn(place, 10)
        const own = records.map((record) => record.geometry)
        const tiles = await reader.tileRows('WI', [1, 2])
        const shown = tiles.map((row) => row.geometry !== null)
        const filled = Number(county?.filled.geometry)
        return { acres, own, shown, filled, found: shapes.map(({ id }) => id) }
      }
      const lots = (first: object, second: object) =>
        load([stage({ parcelId: 'A', ...first }), stage({ parcelId: 'B', ...second })])
      const bare = { geometry: '' }
      const none = { acres: [null, null], own: [null, null], shown: [false, false], filled: 0 }
      await lots(bare, bare)
      assert.deepEqual(await look(), { ...none, found: [] })
      assert.deepEqual(await lots({}, bare), counts(0, 0, 2, 0))
      await lots(drawn, drawn)
      assert.deepEqual(await lots(drawn, bare), counts(0, 1, 1, 0))
      const half = { acres: [12.5, null], own: [geometry, null], shown: [true, false], filled: 1 }
      assert.deepEqual(await look(), { ...half, found: [1] })
      assert.deepEqual(await lots(drawn, bare), counts(0, 0, 2, 0))
      assert.deepEqual(await lots({ value: 7, ...bare }, { value: 7 }), counts(0, 2, 0, 0))
      assert.deepEqual(await look(), { ...none, found: [] })
      await load([stage({ parcelId: 'C', ...bare })])
      assert.deepEqual(
        (await reader.byIds('WI', [3])).map((one) => one.geometry),
        [null],
      )
    }))

  test(`${name}: what a tile shows of a parcel follows its record, with a polygon or without`, () =>
    using(async ({ reader, load }) => {
      const geometry = '{"type":"Polygon","coordinates":[[[-90,43],[-89,43],[-89,44],[-90,43]]]}'
      const lots = (value: number, shape: string | null) => [
        stage({ parcelId: 'A', geometry: shape, value }),
        stage({ parcelId: 'B', value }),
        stage({ parcelId: 'C', geometry: shape, value: 1 }),
      ]
      await load(lots(5, geometry))
      const ids = [3, 1, 77, 2]
      const show = async () =>
        (await reader.tileRows('WI', ids)).map(({ id, text, geometry: shape }) => {
          const { propertyId, value } = readTileText(text)
          return [id, propertyId, value, shape]
        })
      const expected = (value: number) => [
        [3, '55025-C', '1', geometry],
        [1, '55025-A', `${value}`, geometry],
        [2, '55025-B', `${value}`, null],
      ]
      assert.deepEqual(await show(), expected(5))
      await load(lots(6, null))
      assert.deepEqual(await show(), expected(6))
      assert.deepEqual(await reader.tileRows('WI', []), [])
    }))

  test(`${name}: an owner's parcels are counted in the state, through every change of a roll`, () =>
    using(async ({ reader, load }) => {
      const of = (parcelId: string, owner: string | null, more: Partial<Draft> = {}) =>
        stage({ parcelId, owners: [owner, null], ...more })
      const rock = { fips: 55105, residential: false }
      await load([
        of('A', 'VAREK, MARA', { residential: true }),
        of('B', 'Varek, Mara'),
        of('C', null),
      ])
      await load([of('D', 'VAREK, MARA', rock), of('E', 'ORCHARD BANK', rock)])
      await load([of('F', 'VAREK, MARA', { state: 'IL', fips: 17031 })])
      const owned = async (ids: number[], state = 'WI') =>
        (await reader.byIds(state, ids)).map(({ owned }) =>
          owned ? [owned.parcels, owned.residential, owned.other] : null,
        )
      const three = [3, 1, 1]
      assert.deepEqual(await owned([1, 2, 3, 4, 5]), [three, three, null, three, [1, 0, 1]])
      assert.deepEqual(await owned([6], 'IL'), [[1, 0, 0]])
      await load([of('D', 'ORCHARD BANK', rock), of('E', 'ORCHARD BANK', rock)])
      assert.deepEqual(await owned([1, 4, 5]), [
        [2, 1, 0],
        [2, 0, 2],
        [2, 0, 2],
      ])
      await load([of('A', 'VAREK, MARA', { residential: false })])
      assert.deepEqual(await owned([1]), [[1, 0, 1]])
      const [found] = await reader.byParcelId('WI', 55105, 'D')
      assert.equal(found?.owned?.parcels, 2)
    }))

  testPlaces(name, open, share)
  testPlacesOfStates(name, open, Math.ceil(40 * share))

  test(`${name}: addresses by their beginning, each key once, in order and of one state`, () =>
    using(async ({ reader, load }) => {
      const at = (parcelId: string, address: string, city: string, state = 'WI') =>
        stage({ parcelId, address, city, state, fips: state === 'WI' ? 55025 : 17031 })
      await load([
        at('A', '12 MAIN ST', 'MADISON'),
        at('B', '12 MAIN ST', 'MADISON'),
        at('C', '12 MAPLE AVE', 'ST. PAUL'),
        at('D', '120 MAIN ST', 'MADISON'),
        at('E', '12 OAK ST', ''),
        at('F', '12 MAIN ST', 'CHICAGO', 'IL'),
        stage({ parcelId: 'G' }),
      ])
      const all = await reader.addressesWithPrefix('WI', '12|', 10)
      assert.deepEqual(
        all.map(({ city }) => city),
        ['MADISON', 'SAINT PAUL', ''],
      )
      const keys = all.map(({ key }) => key)
      assert.deepEqual(keys, [...keys].sort())
      assert.equal(new Set(keys).size, 3)
      assert.ok(keys.every((key) => key.startsWith('12|')))
      assert.deepEqual(await reader.addressesWithPrefix('WI', '12|', 2), all.slice(0, 2))
      assert.deepEqual(await reader.addressesWithPrefix('WI', keys[1] ?? '', 10), [all[1]])
      assert.deepEqual(await reader.addressesWithPrefix('WI', '13|', 10), [])
      const others = await reader.addressesWithPrefix('IL', '12|', 10)
      assert.deepEqual(
        others.map(({ city }) => city),
        ['CHICAGO'],
      )
    }))

  test(`${name}: the test of a county's sales is kept until another one or none is put`, () =>
    using(async ({ reader, saleTests }) => {
      const tests = await saleTests()
      try {
        const told = async () =>
          Promise.all(
            [55025, 55027, 17031].map((fips) => reader.saleTest(fips > 50_000 ? 'WI' : 'IL', fips)),
          )
        // Reads of this turn of the event loop hold a snapshot until its end.
        const put = async (fips: number, text: string | null) => {
          await new Promise(setImmediate)
          await tests.put('WI', fips, text)
          await new Promise(setImmediate)
        }
        assert.deepEqual(await told(), [undefined, undefined, undefined])
        await put(55025, '{"sales":1}')
        await put(55027, '{"sales":2}')
        assert.deepEqual(await told(), ['{"sales":1}', '{"sales":2}', undefined])
        await put(55025, '{"sales":3}')
        await put(55027, null)
        assert.deepEqual(await told(), ['{"sales":3}', undefined, undefined])
        await put(55025, null)
        assert.deepEqual(await told(), [undefined, undefined, undefined])
      } finally {
        await tests.close()
      }
    }))

  test(`${name}: the quality of each import of a county is kept, the newest first`, () =>
    using(async ({ reader, saleTests }) => {
      const writer = await saleTests()
      try {
        for (const [fips, at, text] of [
          [55025, 1_700_000_000, '{"a":1}'],
          [55025, 1_800_000_000, '{"a":2}'],
          [55027, 1_700_000_000, '{"a":3}'],
          [55025, 1_700_000_000, '{"a":4}'],
        ] as const) {
          await writer.putQuality('WI', fips, at, text)
        }
        // Reads of this turn of the event loop hold a snapshot until its end.
        await new Promise(setImmediate)
        assert.deepEqual(await reader.qualities('WI', 55025), ['{"a":2}', '{"a":4}'])
        assert.deepEqual(await reader.qualities('WI', 55027), ['{"a":3}'])
        assert.deepEqual(await reader.qualities('IL', 17031), [])
      } finally {
        await writer.close()
      }
    }))

  test(`${name}: origins, kept rows, and what hides them`, () =>
    using(async ({ reader, saleTests, rewriter }) => {
      const document = (keepsRows: boolean) => ({
        ...{ loadedAt: 1, joined: [], mapping: { name: 'm' }, settings: {}, keepsRows },
        parts: [{ file: 'a.csv', columns: ['A', 'B'] }],
      })
      const row = (line: number) => ({ part: 0, line, partners: [] })
      const chunk = {
        lines: [2, 3],
        rows: [
          ['one', 'ann'],
          ['two', 'bob'],
        ],
      }
      // Reads of this turn of the event loop hold a snapshot until its end.
      const endTurn = () => new Promise(setImmediate)
      const put = async (ids: number[], isWhole: boolean, first: number) => {
        await endTurn()
        const parcels = ids.map((id, at) => ({ id, rows: [row(first + at)] }))
        const writer = await saleTests()
        await writer.putOrigins('WI', {
          ...{ document: document(true), scopes: '[[55025,""]]', isWhole },
          blocks: [{ block: 0, parcels }],
          kept: [{ part: 0, line: 2, data: packOrigin(chunk) }],
        })
        await writer.close()
        await endTurn()
      }
      const linesOf = async (id: number) =>
        (await findOrigin(reader, 'WI', id))?.rows.map(({ line }) => line)
      const cellsOf = async (id: number, line: number) => {
        const found = await findOrigin(reader, 'WI', id)
        return found && findCells(reader, { state: 'WI', number: found.number }, { part: 0, line })
      }
      assert.equal(await linesOf(5), undefined)
      await put([5, 7], true, 2)
      assert.deepEqual(
        [await linesOf(5), await linesOf(6), await linesOf(7)],
        [[2], undefined, [3]],
      )
      assert.deepEqual(await cellsOf(7, 3), ['two', 'bob'])
      assert.equal(await cellsOf(7, 4), undefined)
      await put([7], false, 9)
      assert.deepEqual([await linesOf(5), await linesOf(7)], [[2], [9]], 'a part of the roll')
      await put([5, 7], true, 4)
      assert.deepEqual([await linesOf(5), await linesOf(7)], [[4], [5]], 'the whole roll')
      await put([5, 7], true, 2)
      await endTurn()
      const hiding = await rewriter()
      await hiding.hideRows([{ state: 'WI', id: 5 }], () => false)
      assert.deepEqual([await cellsOf(5, 2), await cellsOf(7, 3)], [undefined, ['two', 'bob']])
      await endTurn()
      await hiding.hideRows([], (cells) => cells.includes('bob'))
      await hiding.close()
      await endTurn()
      assert.equal(await cellsOf(7, 3), undefined)
    }))

  test(`${name}: long walks`, (t) =>
    using(async ({ reader, load }) => {
      const length = name === 'sqlite' ? WALKED : WALKED_FEW
      const parcels = Array.from({ length }, (_, at) => stage({ parcelId: `P${at}` }))
      await load(parcels)
      // None of them has an address: a walk goes to the end and finds nothing.
      const filter = { state: 'WI', assignedOnly: true }

      await t.test('a deadline that has passed ends a walk and says so', async () => {
        const page = await reader.page(filter, { afterId: 0, skip: 0, limit: 10 }, 0)
        assert.deepEqual([page.parcels, page.outOfTime, page.done], [[], true, false])
        assert.ok(page.lastId >= 5000, 'goes on from the last id examined')
        const rest = await reader.page(filter, { afterId: page.lastId, skip: 0, limit: 10 }, NEVER)
        assert.deepEqual([rest.parcels, rest.done], [[], true])
      })

      await t.test('they give the event loop back and take turns', async () => {
        let turns = 0
        let ended = false
        const count = () => {
          turns += 1
          if (!ended) setImmediate(count)
        }
        setImmediate(count)
        await Promise.all(
          [0, 1].map(() => reader.page(filter, { afterId: 0, skip: 0, limit: 10 }, NEVER)),
        )
        ended = true
        assert.ok(turns > 2, `the loop turned ${turns} times`)
      })

      await t.test('many at once wait for their turn, each until its own deadline', async () => {
        const ask = (deadline: number) =>
          reader.page(filter, { afterId: 0, skip: 0, limit: 10 }, deadline)
        // A server of a busy machine refuses who has waited for a second, and is asked again.
        const askAgain = async () => {
          const pages: Awaited<ReturnType<typeof ask>>[] = []
          await until(async () => {
            try {
              return pages.push(await ask(NEVER)) > 0
            } catch (error) {
              if (!(error instanceof Refusal) || error.kind !== 'unavailable') throw error
              return false
            }
          })
          return pages[0]
        }
        const patient = Array.from({ length: name === 'sqlite' ? 40 : 8 }, askAgain)
        const hurried = Array.from({ length: 5 }, () => ask(0))
        for (const page of await Promise.all(patient)) {
          assert.deepEqual([page?.parcels, page?.outOfTime, page?.done], [[], false, true])
        }
        for (const page of await Promise.all(hurried)) assert.equal(page.outOfTime, true)
      })
    }))
}

function counts(loaded: number, updated: number, unchanged: number, removed: number): RollChange {
  return { loaded, updated, unchanged, removed }
}

/** Returns the owner entries among a parcel's keys. */
function ownersOf({ keys }: StagedParcel): OwnerIndex {
  return decodeOwners(keys)
}
