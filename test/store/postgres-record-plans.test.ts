/** Plans of statements other than walks: subqueries of a record, tiles, changes and prefixes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DIALECT } from '../../src/store/postgres/dialect.ts'
import { ownerStatement } from '../../src/store/postgres/read/owner-statements.ts'
import { BY_IDS, PLACES } from '../../src/store/postgres/read/places.ts'
import { LOOKUPS, pageStatement, SQL } from '../../src/store/postgres/read/statements.ts'
import { sideSql } from '../../src/store/rolls/side-reader.ts'
import { whyNoServer } from '../postgres-server.ts'
import { startPlanServer } from './plan-server.ts'

const missing = whyNoServer()
const SIDE = sideSql(DIALECT)
if (missing !== undefined) test('plans of records', { skip: missing }, () => undefined)
else {
  const { plan } = await startPlanServer(
    Array.from({ length: 2500 }, (_, at) => ({
      parcelId: `P${at}`,
      fips: 55025,
      owners: [`NAME${at}, JOHN`, null],
      address: `${at + 1} MAIN ST`,
      point: [-89.4 + at / 100, 43],
    })),
  )

  test('polygon and owner of a record are found by one entry of an index each', async () => {
    const free = { county: false, words: 0, heads: false, kinds: false, rest: false }
    const owners = { ...free, drive: 'head', page: true } as const
    for (const text of [
      ...[
        LOOKUPS.byId.one,
        LOOKUPS.byParcelId.one,
        LOOKUPS.onlyAtSitusKey.one,
        LOOKUPS.byId.many,
        LOOKUPS.byParcelId.many,
        BY_IDS.text,
      ],
      pageStatement('county', ['assignedOnly']).text,
      ownerStatement({ ...owners, several: false }),
      ownerStatement({ ...owners, several: true }),
      ownerStatement({ ...owners, several: true, county: true }),
    ]) {
      const lines = await plan(text)
      for (const [index, condition] of [
        ['geometries_pkey', String.raw`id = r\.id`],
        ['owner_counts_pkey', 'owner = '],
      ] as const) {
        const probe = new RegExp(`using ${index}.*\\n\\s*Index Cond: .*state = .*${condition}`)
        assert.match(lines, probe, `${index}\n${text}`)
      }
    }
  })

  test('tiles count along the cells of the map', async () => {
    assert.match(
      await plan(PLACES.counts('')),
      /using point_counts_by_cell.*\n\s*Index Cond: \(\(cell >= \$2\) AND \(cell <= \$3\)\)/,
    )
  })

  test('the oldest change of a time, prefixes and keys go along their index', async () => {
    for (const [text, index, condition] of [
      [SIDE.oldestChange, 'changes_by_time', 'loaded_at >= '],
      [SIDE.lastChange, 'change_heads_pkey', 'state = '],
      [SIDE.versions, 'versions_pkey', 'id = ANY'],
      [SIDE.lineage, 'lineage_pkey', 'parent = ANY'],
      [SIDE.lineage, 'lineage_by_child', 'child = ANY'],
      [SIDE.pastKeys, 'past_keys_pkey', 'key >= .*key < '],
      [SQL.addressesWithPrefix, 'situs_pkey', 'key >= .*key < '],
      [SQL.keysOf, 'records_pkey', 'id = ANY'],
      [SIDE.saleTest, 'sale_tests_pkey', 'fips = '],
      [SIDE.qualities, 'qualities_pkey', 'fips = '],
      [SIDE.originBlocks, 'origins_pkey', 'block = '],
      [SIDE.originImport, 'origin_imports_pkey', 'number = '],
      [SIDE.keptRows, 'kept_rows_pkey', 'line <= '],
    ] as const) {
      const probe = new RegExp(`using ${index}.*\\n\\s*Index Cond: .*${condition}`)
      assert.match(await plan(text), probe, text)
    }
  })
}
