/**
 * The first roll of an empty PostgreSQL database is written without indexes, which are built after.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { ROLL_TABLES } from '../../src/store/copy/tables.ts'
import { openCopySource, openWriter } from '../../src/store/open-rolls.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import type { StagedParcel } from '../../src/store/store.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

const COUNT = 2300

/** The feed of changes tells how a roll was loaded, so two ways to load it differ there. */
const FEED = ['changes', 'change_heads']
const COMPARED = ROLL_TABLES.filter(({ name }) => !FEED.includes(name))

/** Owners and streets repeat, so that tables hold keys that several parcels share. */
const PARCELS: StagedParcel[] = Array.from({ length: COUNT }, (_, at) =>
  stage({
    parcelId: `P${at}`,
    owners: [`QUILLON${'ABCDEFG'[at % 7]}, MARA`, at % 3 === 0 ? 'QUILLONA, MARA' : null],
    address: `${at % 900} MAIN ST`,
    point: [-89.4 + at / 1e5, 43],
    sold: at % 2 === 0,
    transferDay: 20_000,
    geometry: at % 5 === 0 ? squareAt(-89.4 + at / 1e5) : null,
  }),
)

function squareAt(west: number): string {
  const east = west + 1e-4
  const ring = [
    [west, 43],
    [east, 43],
    [east, 43.0001],
    [west, 43.0001],
    [west, 43],
  ]
  return JSON.stringify({ type: 'Polygon', coordinates: [ring] })
}

const missing = whyNoServer()
if (missing !== undefined) test('a load of an empty database', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  after(() => server.stop())

  const indexesOf = async (url: string) => {
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT indexdef, conname, pg_get_constraintdef(k.oid) AS key FROM pg_indexes
      LEFT JOIN pg_constraint k ON k.conname = indexname AND k.contype IN ('p', 'u')
      WHERE schemaname = 'platbook' ORDER BY indexname`,
    )
    await client.end()
    return rows
  }
  const load = async (url: string, parcels: StagedParcel[]) => {
    const writer = await openWriter(url)
    try {
      await writer.stage(parcels)
      return await writer.apply(true, 1_750_000_000)
    } finally {
      await writer.discard()
    }
  }
  const read = async (url: string) => {
    const source = await openCopySource(url)
    const tables: Record<string, unknown[]> = {}
    for (const table of COMPARED) {
      tables[table.name] = []
      for await (const rows of source.rows(table, 'WI')) tables[table.name]?.push(...rows)
    }
    await source.close()
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query('SELECT id, bounds::text FROM platbook.shapes ORDER BY id')
    await client.end()
    return { ...tables, shapes: rows }
  }

  test('leaves every index as it was, and every row as any other load writes it', async () => {
    const [empty, filled] = [await server.createDatabase('empty'), await server.createDatabase('b')]
    // So few parcels are written the usual way.
    assert.equal((await load(filled, PARCELS.slice(0, 1))).loaded, 1)
    const usual = await indexesOf(filled)
    assert.equal((await load(empty, PARCELS)).loaded, COUNT)
    assert.equal((await load(filled, PARCELS)).loaded, COUNT - 1)
    assert.ok(usual.length > 30)
    assert.deepEqual(await indexesOf(empty), usual)
    const written = await read(empty)
    assert.equal(written.shapes.length, COUNT / 5)
    // A text of the differences of so many rows would take all memory.
    assert.ok(isDeepStrictEqual(written, await read(filled)))
    assert.deepEqual((await load(empty, PARCELS)).unchanged, COUNT)
  })

  test('waits for those who read the tables without keeping them waiting in turn', async () => {
    const url = await server.createDatabase('read')
    await migrate(url)
    const reader = new Client(url)
    await reader.connect()
    await reader.query('SET search_path = platbook; BEGIN; SELECT 1 FROM situs')
    const loading = load(url, PARCELS)
    await sleep(500)
    // A reader that holds one table gets the next one at once, whatever the import has tried.
    await reader.query("SET lock_timeout = '5s'; SELECT 1 FROM parcels; COMMIT")
    assert.equal((await loading).loaded, COUNT)
    await reader.end()
  })

  test('reads the keys of a parcel once, whatever the number of tables', async () => {
    const texts: string[] = []
    const query = Client.prototype.query
    Client.prototype.query = function (this: Client, ...asked: unknown[]) {
      texts.push(String((asked[0] as { text?: string }).text ?? asked[0]))
      return (query as (...all: unknown[]) => unknown).apply(this, asked)
    } as unknown as typeof query
    const url = await server.createDatabase('once')
    await migrate(url)
    await load(url, PARCELS).finally(() => {
      Client.prototype.query = query
    })
    assert.equal(texts.filter((text) => text.includes('p.keys::jsonb')).length, 1)
  })

  test('a repeated identity loads nothing, and the indexes remain', async () => {
    const url = await server.createDatabase('twice')
    const twice = [...PARCELS, { ...(PARCELS[0] as StagedParcel), row: 1_000_000 }]
    await assert.rejects(load(url, twice), /parcels_identity/)
    const usual = await indexesOf(await server.createDatabase('unused', 'b'))
    assert.deepEqual(await indexesOf(url), usual)
    assert.equal((await load(url, PARCELS)).loaded, COUNT)
  })
}
