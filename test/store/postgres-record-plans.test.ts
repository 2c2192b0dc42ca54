/** Plans of statements other than walks: subqueries of a record, tiles, changes and prefixes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerStatement } from '../../src/store/postgres/read/owner-statements.ts'
import { BY_IDS, CHANGES, PLACES } from '../../src/store/postgres/read/place-statements.ts'
import { MANY, pageStatement, SQL } from '../../src/store/postgres/read/statements.ts'
import { whyNoServer } from '../postgres-server.ts'
import { startPlanServer } from './plan-server.ts'

const missing = whyNoServer()
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
      ...[SQL.byId, SQL.byParcelId, SQL.onlyAtSitusKey, MANY.byId, MANY.byParcelId, BY_IDS.text],
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
      await plan(PLACES.counts),
      /using point_counts_by_cell.*\n\s*Index Cond: \(\(cell >= \$2\) AND \(cell <= \$3\)\)/,
    )
  })

  test('the oldest change of a time, prefixes and keys go along their index', async () => {
    for (const [text, index, condition] of [
      [CHANGES.ends, 'changes_by_time', 'loaded_at >= '],
      [CHANGES.ends, 'change_heads_pkey', 'state = '],
      [SQL.addressesWithPrefix, 'situs_pkey', 'key >= .*key < '],
      [SQL.keysOf, 'records_pkey', 'id = ANY'],
      [SQL.saleTest, 'sale_tests_pkey', 'fips = '],
      [SQL.qualities, 'qualities_pkey', 'fips = '],
      [SQL.originBlocks, 'origins_pkey', 'block = '],
      [SQL.originImport, 'origin_imports_pkey', 'number = '],
      [SQL.keptRows, 'kept_rows_pkey', 'line <= '],
    ] as const) {
      const probe = new RegExp(`using ${index}.*\\n\\s*Index Cond: .*${condition}`)
      assert.match(await plan(text), probe, text)
    }
  })
}
