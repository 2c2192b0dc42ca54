/**
 * The plan of every statement that a request may run on PostgreSQL: the index it was written for,
 * and nothing that reads a table whole.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FILTERS, type FilterName } from '../../src/store/columns.ts'
import { LAYOUT } from '../../src/store/postgres/citus.ts'
import { DIALECT } from '../../src/store/postgres/dialect.ts'
import {
  isPlain,
  type OwnerShape,
  ownerStatement,
} from '../../src/store/postgres/read/owner-statements.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { PLACES } from '../../src/store/postgres/read/places.ts'
import {
  countStatement,
  idsStatement,
  LOOKUPS,
  pageStatement,
  pointsStatement,
  SQL,
} from '../../src/store/postgres/read/statements.ts'
import { sideSql } from '../../src/store/rolls/side-reader.ts'
import type { OwnerPage } from '../../src/store/store.ts'
import { DRIVEN, type Drive } from '../../src/store/walk/page-walk.ts'
import { whyNoServer } from '../postgres-server.ts'
import { startPlanServer } from './plan-server.ts'

/** An owner search of one walk without further conditions. */
const FREE = {
  ...{ county: false, words: 0, heads: false, kinds: false, rest: false },
  ...{ several: false, page: false },
}

const ANYWHERE = { fips: undefined, city: undefined }

const DRIVES: Record<Drive, string> = {
  state: 'parcels_pkey',
  county: 'parcels_by_county',
  city: 'parcels_by_city',
  zip: 'parcels_by_zip',
  use: 'parcels_by_use',
  transfer: 'parcels_by_transfer',
}
const CONDITIONS = Object.keys(FILTERS) as FilterName[]

const missing = whyNoServer()
const SIDE = sideSql(DIALECT)
if (missing !== undefined) test('plans', { skip: missing }, () => undefined)
else {
  const server = await startPlanServer(
    Array.from({ length: 3000 }, (_, at) => ({
      parcelId: `P${at}`,
      fips: 55025 + (at % 3) * 2,
      owners: [`${at % 7 === 0 ? 'SMITH' : `NAME${at}`}, JOHN`, null],
      address: `${at + 1} MAIN ST`,
      city: at % 2 === 0 ? 'MADISON' : 'MONONA',
      zip: `537${String(at % 40).padStart(2, '0')}`,
      useCode: String(at % 5),
      transferDay: at,
      alternateIds: [`OLD${at}`],
      point: [-89.4 + (at % 60) / 1000, 43 + Math.floor(at / 60) / 1000],
      geometry: `{"type":"Polygon","coordinates":[[[${at / 100},43],[${at / 100},44],[0,43]]]}`,
    })),
  )
  const { url, client } = server

  async function plan(text: string): Promise<string> {
    const lines = await server.plan(text)
    assert.doesNotMatch(lines, /Materialize/, `${text}\n${lines}`)
    // An index of which only the state is asked is a table read whole; one is empty here, and
    // planned as such.
    assert.doesNotMatch(
      lines,
      /Index Cond: \(state = \(?\$1\)?(?:::text)?\)$/m,
      `${text}\n${lines}`,
    )
    return lines
  }

  for (const [drive, index] of Object.entries(DRIVES) as [Drive, string][]) {
    test(`walks by ${drive} go along ${index}, in its order`, async () => {
      for (const conditions of [[], ['assignedOnly'], CONDITIONS] as FilterName[][]) {
        const others = conditions.filter((condition) => condition !== DRIVEN[drive])
        for (const { text } of [pageStatement(drive, others), countStatement(drive, others)]) {
          const lines = await plan(text)
          assert.match(lines, new RegExp(`using ${index}`), lines)
          // A rare range is the one thing that is read whole and sorted, up to its bound.
          if (drive !== 'transfer') assert.doesNotMatch(lines, /Sort/, lines)
        }
      }
    })
  }

  test('a page that needs no other column than its index reads no row of parcels', async () => {
    assert.match(await plan(countStatement('county', ['assignedOnly']).text), /Index Only Scan/)
  })

  test('each lookup uses the index of its parameter', async () => {
    for (const [text, index] of [
      [LOOKUPS.byParcelId.one, 'parcels_identity'],
      [SQL.headsFrom, 'owner_heads_pkey'],
      [PLACES.sales(''), 'parcels_by_(?:sale|point)'],
      [LOOKUPS.byAlternateId.one, 'alternate_ids_pkey'],
      [LOOKUPS.bySitusKey.one, 'situs_pkey'],
      [LOOKUPS.onlyAtSitusKey.one, 'situs_pkey'],
      [LOOKUPS.byLooseKey.one, 'loose_situs_pkey'],
      [LOOKUPS.byId.one, 'records_pkey'],
      [LOOKUPS.byParcelId.many, 'parcels_identity'],
      [LOOKUPS.byAlternateId.many, 'alternate_ids_pkey'],
      [LOOKUPS.byLooseKey.many, 'loose_situs_pkey'],
      [LOOKUPS.bySitusKey.many, 'situs_pkey'],
      [LOOKUPS.onlyAtSitusKey.many, 'situs_pkey'],
      [LOOKUPS.byId.many, 'records_pkey'],
      [SQL.transferCount, 'parcels_by_transfer'],
      [SQL.wordCounts, 'owner_words_pkey'],
      [SQL.headCounts, 'owner_heads_pkey'],
      [SQL.wordsNear, 'owner_deletions_pkey'],
      [idsStatement([]).text, 'records_pkey'],
      [idsStatement(CONDITIONS).text, 'parcels_(?:pkey|by_point|by_use|by_zip)'],
    ] as const) {
      assert.match(await plan(text), new RegExp(index), text)
    }
  })

  test('place searches use the index of points or bounds with every filter', async () => {
    for (const conditions of [[], ['assignedOnly'], CONDITIONS] as FilterName[][]) {
      const lines = await plan(pointsStatement(conditions, '').text)
      assert.match(lines, /using parcels_by_point/, lines)
      const inState = await plan(pointsStatement(conditions, inStateOf(conditions)).text)
      assert.match(inState, /using parcels_by_(?:point|county|city|zip|use|transfer)/, inState)
    }
    assert.match(await plan(PLACES.shapes('')), /using shapes_by_bounds/)
    assert.match(await plan(PLACES.shapes('state = $3 AND')), /using shapes_by_bounds/)
    assert.match(await plan(PLACES.sales('state = $4 AND')), /using parcels_by_(?:sale|point)/)
    assert.match(await plan(PLACES.states), /using place_cells_pkey/)
    assert.match(await plan(PLACES.counts('')), /using point_counts_by_cell/)
  })

  test('owners who lost their last parcel are found without looking at the others', async () => {
    const text = `EXPLAIN DELETE FROM owner_counts WHERE state = 'WI' AND parcels = 0`
    const { rows } = await client.query(text)
    assert.match(JSON.stringify(rows), /using owner_counts_empty/)
  })

  test('changes of a state go along their sequence, those of a county along theirs', async () => {
    assert.match(await plan(SIDE.changes), /using changes_pkey/)
    assert.match(await plan(SIDE.changesOfCounty), /using changes_by_county/)
  })

  test('owner searches go along heads or words, and probe what else is asked', async () => {
    for (const drive of ['head', 'word'] as const) {
      for (const county of [false, true]) {
        for (const words of [0, 1, 3]) {
          for (const heads of drive === 'head' ? [false] : [false, true]) {
            for (const rest of drive === 'head' ? [false, true] : [false]) {
              for (const kinds of drive === 'head' ? [false, true] : [false]) {
                await planSearch({ drive, county, words, heads, kinds, rest })
              }
            }
          }
        }
      }
    }
  })

  async function planSearch(shape: Omit<OwnerShape, 'several' | 'page'>): Promise<void> {
    for (const several of [false, true]) {
      await plan(ownerStatement({ ...shape, several, page: false }))
      const lines = await plan(ownerStatement({ ...shape, several, page: true }))
      assert.match(lines, /records_pkey/, lines)
      // Only the words after a surname are not in the index.
      const only = shape.rest ? 'Index Scan' : 'Index Only Scan'
      const index = `${only} using owner_${shape.drive}s_pkey`
      assert.match(lines, new RegExp(index), lines)
      // Reads in the order of the index, and no further than the ids that are wanted.
      if (!isPlain(shape)) continue
      const stops = new RegExp(`Unique[^\\n]*\\n *-> +Limit[^\\n]*\\n *-> +${index}`)
      assert.match(lines, stops, lines)
    }
  }

  test('parcels of a page come with the ids of an owner search of one slice', async () => {
    const reader = openParcelReader(url)
    const question = { lastName: { personHeads: ['SMITH'], organizationHeads: [] } }
    const ask = (skip: number, limit: number, page: OwnerPage) =>
      reader.byOwner({ state: 'WI', question, skip, limit, deadline, page })
    const deadline = performance.now() + 60_000
    for (const [skip, limit, from, count] of [
      [0, 201, 0, 25],
      [0, 201, 190, 25],
      [10, 5, 0, 5],
      [428, 5, 0, 5],
      [500, 5, 0, 5],
    ] as const) {
      const { hits, shown } = await ask(skip, limit, { from, count })
      const ids = hits.slice(from, from + count).map(({ id }) => id)
      const wanted = shown?.filter(({ id }) => ids.includes(id))
      assert.deepEqual(wanted, await reader.byIds('WI', ids), `${skip} ${limit} ${from}`)
    }
    await reader.close()
  })

  test('lookups at one moment are answered separately; a refused one fails alone', async () => {
    const reader = openParcelReader(url)
    const questions = Array.from({ length: 230 }, (_, at) => [
      () => reader.byParcelId('WI', 55025 + (at % 2), `P${at * 3}`),
      () => reader.byAlternateId('WI', 55025 + (at % 2), `OLD${at * 3}`),
      () => reader.bySitusKey('WI', `${at * 15}||MAIN|ST|`),
      () => reader.byLooseKey('WI', `${at * 15}|MAIN`),
      async () => [await reader.onlyAtSitusKey('WI', `${at * 15}||MAIN|ST|`, '', ANYWHERE)],
      () => reader.byIds('WI', [at * 15]),
    ]).flat()
    const alone = []
    for (const ask of questions) alone.push(await ask())
    for (const kind of [0, 1, 2, 3, 4, 5]) {
      const count: number = alone.filter(
        (rows, at) => at % 6 === kind && rows[0] !== undefined,
      ).length
      assert.ok(count > 20 && count < 220, `${count} of kind ${kind}`)
    }
    const refused = reader.byParcelId('WI', 55025, 'A\0B')
    const together = Promise.all(questions.map((ask) => ask()))
    await assert.rejects(refused, /invalid byte sequence/)
    assert.deepEqual(await together, alone)
    await reader.close()
  })

  test('all lookups of a flood by address are answered; those by parcel ID go first', async () => {
    const reader = openParcelReader(url)
    /** Returns how many lookups by address were answered before one by parcel ID. */
    const flood = async () => {
      let answered = 0
      const asked = Array.from({ length: 800 }, async (_, at) => {
        const ask = () =>
          at % 2 === 0
            ? reader.bySitusKey('WI', `${at}||MAIN|ST|`)
            : reader.byLooseKey('WI', `${at}|MAIN`)
        // A lookup is refused after a second, which is short for so many on a busy machine.
        const hits = await ask().catch(ask)
        answered += 1
        return hits.length
      })
      // By then the flood was handed over.
      await setImmediate()
      const found = await reader.byParcelId('WI', 55025, 'P3')
      const before = answered
      assert.equal(found.length, 1)
      // No house has the number 0.
      assert.equal((await Promise.all(asked)).filter((count) => count === 1).length, 799)
      return before
    }
    // The system may stop the connection that the parcel ID goes over, now and then.
    const turns = [await flood(), await flood(), await flood(), await flood()]
    assert.ok(Math.min(...turns) < 300, `${turns} by address were answered first`)
    await reader.close()
  })

  test('every statement except coverage and its version names the state of each table', () => {
    const { coverage, version: _, ...fixed } = SQL
    const drives = Object.keys(DRIVES) as Drive[]
    const walks = drives.flatMap((drive) => [
      pageStatement(drive, CONDITIONS),
      countStatement(drive, CONDITIONS),
    ])
    const shapes = [false, true].flatMap((county) => [
      ownerStatement({ ...FREE, drive: 'head', county, words: 2, rest: true, page: true }),
      ownerStatement({ ...FREE, drive: 'word', county, words: 2, heads: true }),
      ownerStatement({ ...FREE, drive: 'head', several: county, page: true }),
    ])
    const placed = [pointsStatement(CONDITIONS, inStateOf(CONDITIONS)), idsStatement(CONDITIONS)]
    const texts = [...walks, ...placed].map(({ text }) => text)
    const looked = Object.values(LOOKUPS).flatMap(({ one, many }) => [one, many])
    for (const text of [...texts, ...shapes, ...Object.values(fixed), ...looked]) {
      assert.deepEqual(tablesWithoutState(text), [], text)
    }
    assert.deepEqual(tablesWithoutState(coverage), ['scopes'])
  })
}

/** The condition on the state in a search for points, whose value is the last. */
function inStateOf(conditions: FilterName[]): string {
  return `state = $${pointsStatement(conditions, '').values.length + 1} AND`
}

/** The tables of the rolls that a statement names without saying of which state. */
function tablesWithoutState(text: string): string[] {
  const mentions = [
    ...text.matchAll(new RegExp(`(?:FROM|JOIN)\\s+(${LAYOUT.join('|')})\\b\\s*([a-z]\\w*)?`, 'g')),
  ]
  assert.ok(mentions.length > 0, text)
  return mentions
    .filter(({ 0: found, 2: alias, index }) => {
      if (alias !== undefined) return !text.includes(`${alias}.state = $1`)
      return !/^\s*WHERE\s+state = \$\d+/.test(text.slice(index + found.length))
    })
    .map(([, name]) => name ?? '')
}
