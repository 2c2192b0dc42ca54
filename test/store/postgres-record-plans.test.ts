/** Plans of statements other than walks: subqueries of a record, tiles, changes and prefixes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { clientConfig, connect, READING } from '../../src/store/postgres/pool/connection.ts'
import { ownerStatement } from '../../src/store/postgres/read/owner-statements.ts'
import { BY_IDS, CHANGES, PLACES } from '../../src/store/postgres/read/place-statements.ts'
import { MANY, pageStatement, SQL } from '../../src/store/postgres/read/statements.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

const missing = whyNoServer()
if (missing !== undefined) test('plans of records', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const url = await server.createDatabase('plans')
  await migrate(url)
  const writer = await openRollWriter(url)
  await writer.stage(
    Array.from({ length: 2500 }, (_, at) =>
      stage({
        parcelId: `P${at}`,
        fips: 55025,
        owners: [`NAME${at}, JOHN`, null],
        address: `${at + 1} MAIN ST`,
        point: [-89.4 + at / 100, 43],
      }),
    ),
  )
  await writer.apply(true, 1_750_000_000)
  await writer.discard()
  const client = await connect(clientConfig(url, 10_000, READING))
  after(async () => {
    await client.end()
    await server.stop()
  })

  async function plan(text: string): Promise<string> {
    const places = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)), 0)
    await client.query(`PREPARE planned AS ${text}`)
    const values = Array(places).fill('NULL').join(', ')
    const { rows } = await client.query(`EXPLAIN EXECUTE planned(${values})`)
    await client.query('DEALLOCATE planned')
    const lines = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    assert.doesNotMatch(lines, /Seq Scan|Hash Join|Merge Join|Bitmap|Memoize/, `${text}\n${lines}`)
    return lines
  }

  test('polygon and owner of a record are found by one entry of an index each', async () => {
    const owners = { county: false, words: 0, heads: false, rest: false, page: true }
    for (const text of [
      ...[SQL.byId, SQL.byParcelId, SQL.onlyAtSitusKey, MANY.byId, MANY.byParcelId, BY_IDS.text],
      pageStatement('county', ['assignedOnly']).text,
      ownerStatement({ drive: 'head', ...owners }),
    ]) {
      const lines = await plan(text)
      for (const [index, condition] of [
        ['geometries_pkey', String.raw`id = r\.id`],
        ['owner_counts_pkey', 'owner = '],
        ['parcels_pkey', String.raw`id = r\.id`],
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
      [SQL.keysOf, 'record_keys_pkey', 'id = ANY'],
      [SQL.saleTest, 'sale_tests_pkey', 'fips = '],
    ] as const) {
      const probe = new RegExp(`using ${index}.*\\n\\s*Index Cond: .*${condition}`)
      assert.match(await plan(text), probe, text)
    }
  })
}
