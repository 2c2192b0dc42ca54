/**
 * Requirements on the history of every store: an undo restores the previous state, an unload leaves
 * nothing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findUndoable, type ImportNote } from '../../src/store/history.ts'
import type { RollEraser } from '../../src/store/rolls/erase-rolls.ts'
import type { HistoryReader } from '../../src/store/rolls/history-reader.ts'
import type {
  LeavingParcel,
  ParcelReader,
  RollWriter,
  StagedParcel,
} from '../../src/store/store.ts'
import { readChain } from '../../src/store/versions/versions.ts'
import { type Draft, stage } from './staged.ts'

export type HistoryUnderTest = {
  writer(): Promise<RollWriter>
  history(): Promise<HistoryReader>
  eraser(): Promise<RollEraser>
  reader(): Promise<ParcelReader & { close(): Promise<void> }>
  /** All rows of a table, in its order. */
  rows(table: string): Promise<Record<string, unknown>[]>
  /** Its own tables for searches by place. */
  placeTables: string[]
  close(): Promise<void>
}

/** Tables that a lookup reads; words and roads of a state are kept as supersets. */
const TABLES = [
  ...['parcels', 'records', 'geometries', 'alternate_ids', 'situs', 'owner_heads', 'owner_words'],
  'scopes',
  'shapes',
]
/** A lot that begins at a longitude. */
const lotAt = (west: number) =>
  JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [west, 43],
        [west + 0.5, 43],
        [west + 0.5, 44],
        [west, 43],
      ],
    ],
  })

const AT = 1_750_000_000

const NOTE: ImportNote = {
  mapping: 'platbook',
  files: ['roll.csv'],
  rows: 7,
  rejected: 2,
  skipped: 1,
  duplicates: 1,
  unplaced: 4,
  rejectsFile: '/data/rejects/one.csv',
}

const rolls = fc.array(
  fc.record({
    parcelId: fc.constantFrom('P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6'),
    fips: fc.constantFrom(55025, 55027, 48453),
    municipality: fc.constantFrom('', 'MADISON'),
    owners: fc.constantFrom<[string, null]>(['DOE, JANE', null], ['ACME LAND CO', null]),
    address: fc.constantFrom('12 MAIN ST', '14 OAK AVE', ''),
    value: fc.constantFrom(1, 2),
    alternateIds: fc.constantFrom<string[]>(['A1'], []),
    geometry: fc.constantFrom(null, '', lotAt(-90), lotAt(-89)),
    point: fc.constantFrom<[number, number] | undefined>([-90, 43], [-89, 43.5], undefined),
  }),
  { minLength: 1, maxLength: 12 },
)

type Drafts = (Draft & { geometry: string | null })[]

/** Registers the suite for one store; `runs`: generated pairs of rolls. */
export function testHistory(name: string, open: () => Promise<HistoryUnderTest>, runs = 30): void {
  const using = async (work: (store: HistoryUnderTest) => Promise<void>) => {
    const store = await open()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  test(`${name}: what an undo leaves is the previous state, under the same ids`, async () => {
    await fc.assert(
      fc.asyncProperty(rolls, rolls, fc.boolean(), (before, after, partial) =>
        using(async (store) => {
          await load(store, before)
          const kept = await readAll(store)
          const change = await load(store, after, !partial)
          const newest = await newestIds(store)
          const [entry] = await list(store)
          assert.ok(entry)
          assert.deepEqual(entry.files, ['roll.csv'])
          if (change.loaded + change.updated + change.removed === 0) return
          const counts = await erase(store, async (eraser) => {
            let isOthersTurn = false
            setImmediate(() => {
              isOthersTurn = true
            })
            const planned = await eraser.planUndo(entry)
            assert.ok(isOthersTurn, 'a plan of many parcels lets others have a turn')
            assert.deepEqual(await eraser.undo(entry, AT + 9), planned)
            return planned
          })
          assert.deepEqual(
            [counts.removed, counts.restored, counts.returned],
            [change.loaded, change.updated, change.removed],
          )
          assert.deepEqual(await readAll(store), kept)
          assert.deepEqual(await store.rows('import_images'), [])
          // An id that was given once is not given again.
          await load(store, [{ ...NEW, geometry: null }], false)
          assert.ok((await newestIds(store)) > newest)
          const history = await list(store)
          assert.deepEqual(
            history.map(({ kind }) => kind),
            ['import', 'undo', 'import', 'import'],
          )
          assert.throws(() => findUndoable(history.slice(1), {}), /was an undo, number/)
        }),
      ),
      { numRuns: runs },
    )
  })

  test(`${name}: an unload leaves nothing of its scopes, and all of the others`, () =>
    using(async (store) => {
      const parcel = { parcelId: 'P-1', owners: ['ROE, RICHARD', null] as [string, null] }
      const [kept, gone] = [
        { ...parcel, fips: 55027, geometry: null },
        { ...parcel, fips: 48453, state: 'TX', address: '1 ELM ST', geometry: '{}' },
      ]
      await load(store, [kept])
      const before = await readAll(store)
      await load(store, [gone])
      await load(store, [{ ...gone, value: 5 }])
      assert.equal((await store.rows('import_images')).length, 1)
      const scopes = (await store.history().then((reader) => reading(reader))).scopes
      const texan = scopes.filter(({ state }) => state === 'TX')
      assert.equal(await erase(store, (eraser) => eraser.unload(texan, AT)), 1)
      assert.deepEqual(await readAll(store), before)
      for (const table of ['import_images', 'owner_deletions', 'loose_situs']) {
        const left = (await store.rows(table)).filter(({ state }) => state === 'TX')
        assert.deepEqual(left, [], table)
      }
      const [newest] = await list(store)
      assert.deepEqual([newest?.kind, newest?.removed], ['unload', 1])
    }))

  test(`${name}: versions give back each earlier record, its keys and its polygon`, async () => {
    await fc.assert(
      fc.asyncProperty(rolls, rolls, rolls, (first, second, third) =>
        using(async (store) => {
          const states: Map<number, unknown>[] = []
          for (const roll of [first, second, third]) {
            await load(store, roll)
            states.push(await readForms(store))
          }
          const ids = new Set(states.flatMap((state) => [...state.keys()]))
          for (const [id, timeline] of await readTimelines(store, [...ids])) {
            const was = states.map((state) => state.get(id) ?? null)
            const differing = was.filter((form, at) => at === 0 || !isEqual(form, was[at - 1]))
            const isLate = was[0] === null
            // Before the first load of its scope nothing is known.
            const expected = isLate ? differing.slice(1) : differing
            const kept = timeline[0] === null ? timeline.slice(1) : timeline
            assert.deepEqual(kept, expected)
          }
        }),
      ),
      { numRuns: runs },
    )
  })

  test(`${name}: an unload and a prune leave no version`, () =>
    using(async (store) => {
      await load(store, [{ ...NEW, geometry: null }])
      await load(store, [{ ...NEW, owners: ['ROE, JO', null], geometry: null }])
      assert.ok((await store.rows('past_keys')).length > 0)
      const { scopes } = await reading(await store.history())
      assert.equal(await erase(store, (eraser) => eraser.prune(scopes, 1e6)), 1)
      assert.deepEqual([await store.rows('versions'), await store.rows('past_keys')], [[], []])
      await load(store, [{ ...NEW, geometry: null }])
      await erase(store, (eraser) => eraser.unload(scopes, AT))
      for (const table of ['versions', 'past_keys', 'vintages', 'lineage']) {
        assert.deepEqual(await store.rows(table), [], table)
      }
    }))

  test(`${name}: an undo is refused when the earlier records are gone`, () =>
    using(async (store) => {
      await load(store, [{ ...NEW, geometry: null }])
      await load(store, [{ ...NEW, value: 9, geometry: null }])
      const [entry] = await list(store)
      assert.ok(entry)
      await load(store, [{ ...NEW, value: 8, geometry: null }])
      await load(store, [{ ...NEW, geometry: null, parcelId: 'N-2' }], false)
      await erase(store, (eraser) => assert.rejects(eraser.undo(entry, AT), /no longer kept/))
    }))

  test(`${name}: of changes only the named parcels leave, and an undo brings them back`, () =>
    using(async (store) => {
      const lot = (parcelId: string, value = 1, fips = 55025) => ({
        ...{ parcelId, value, fips, geometry: lotAt(-90) },
      })
      await load(store, [lot('P-1'), lot('P-2'), lot('P1'), lot('P-3'), lot('P-9', 1, 55027)])
      const kept = await readAll(store)
      // P2 and P-2 have the same letters, and are two parcels; the last two are not stored.
      const changes = [lot('P-3', 2), lot('P2'), lot('P-4')]
      const leaving = [lot('P-1'), lot('P-9', 1, 55027), lot('P-8'), lot('P-7', 1, 48453)]
      const change = await load(store, changes, false, distinct(leaving))
      assert.deepEqual([change.loaded, change.updated, change.removed], [2, 1, 2])
      const ids = async () => (await store.rows('parcels')).map(({ parcel_key }) => parcel_key)
      assert.deepEqual((await ids()).sort(), ['P-2', 'P-3', 'P-4', 'P1', 'P2'])
      const [entry] = await list(store)
      assert.ok(entry)
      await erase(store, (eraser) => eraser.undo(entry, AT + 9))
      assert.deepEqual(await readAll(store), kept)
      const told = (await store.rows('changes')).filter((row) => Number(row.loaded_at) === AT + 9)
      const inOrder = told.toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
      assert.deepEqual(
        inOrder.map(({ what, property_id }) => `${what} ${property_id}`),
        [
          ...['added 55025-P-1', 'changed 55025-P-3', 'added 55027-P-9'],
          ...['removed 55025-P2', 'removed 55025-P-4'],
        ],
      )
      const last = await load(store, [], false, distinct([lot('P-2')]))
      assert.deepEqual([last.loaded, last.updated, last.removed], [0, 0, 1])
    }))
}

const NEW: Draft = { parcelId: 'N-1', fips: 55025, owners: ['DOE, JOHN', null] }

async function load(
  store: HistoryUnderTest,
  drafts: Drafts,
  removeAbsent = true,
  leaving?: readonly LeavingParcel[],
) {
  // Reads of this turn of the event loop hold a snapshot until its end.
  await new Promise(setImmediate)
  const writer = await store.writer()
  try {
    await writer.stage(distinct(drafts))
    await writer.compare({ partial: !removeAbsent, leaving })
    return (await writer.apply({ note: NOTE })).change
  } finally {
    await writer.discard()
  }
}

/** One parcel per identity, in the state of its county. */
function distinct(drafts: Drafts): StagedParcel[] {
  const byIdentity = new Map(
    drafts.map((draft) => [`${draft.fips} ${draft.municipality} ${draft.parcelId}`, draft]),
  )
  return [...byIdentity.values()].map(({ geometry, ...draft }) => ({
    ...stage({ ...draft, state: draft.fips === 48453 ? 'TX' : 'WI' }),
    geometry,
  }))
}

async function erase<Result>(
  store: HistoryUnderTest,
  work: (eraser: RollEraser) => Promise<Result>,
): Promise<Result> {
  await new Promise(setImmediate)
  const eraser = await store.eraser()
  try {
    return await work(eraser)
  } finally {
    await eraser.close()
  }
}

async function reading(reader: HistoryReader) {
  const [entries, scopes] = [await reader.list(), await reader.scopes()]
  await reader.close()
  return { entries, scopes }
}

async function list(store: HistoryUnderTest) {
  return (await reading(await store.history())).entries
}

async function newestIds(store: HistoryUnderTest): Promise<number> {
  return Math.max(...(await store.rows('parcels')).map(({ id }) => Number(id)))
}

async function readAll(store: HistoryUnderTest) {
  const found: Record<string, unknown> = {}
  for (const table of [...TABLES, ...store.placeTables]) {
    const rows = await store.rows(table)
    // The checksum covers the time of the load.
    found[table] = rows.map(({ loaded_at: _, sum: __, ...row }) => JSON.stringify(row)).sort()
  }
  return found
}

/** Present records by id, as their own rolls had them. */
async function readForms(store: HistoryUnderTest) {
  const ids = (await store.rows('parcels')).map(({ id }) => Number(id))
  const timelines = await readTimelines(store, ids)
  return new Map([...timelines].map(([id, forms]) => [id, forms.at(-1)]))
}

/** The versions of each id, the oldest first; `null` where there was no parcel. */
async function readTimelines(store: HistoryUnderTest, ids: number[]) {
  const reader = await store.reader()
  const [rows, forms] = [new Map(), new Map()]
  for (const state of ['WI', 'TX']) {
    for (const row of await reader.versionsOf(state, ids)) {
      rows.set(row.id, [...(rows.get(row.id) ?? []), row])
    }
    for (const { id, loadedAt: _, ...form } of await reader.formsOf(state, ids)) {
      forms.set(id, form)
    }
  }
  await reader.close()
  return new Map(
    ids.map((id) => {
      const chain = readChain(forms.get(id), rows.get(id) ?? [])
      return [id, chain.map(({ form }) => form ?? null).toReversed()]
    }),
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
