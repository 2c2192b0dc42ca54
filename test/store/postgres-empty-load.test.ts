/**
 * The first roll of an empty PostgreSQL is written to its tables without indexes, which are built
 * after. Later rolls are staged and compared, also those of counties without a parcel.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { ROLL_TABLES } from '../../src/store/copy/tables.ts'
import { openCopySource } from '../../src/store/open-rolls.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import type { StagedParcel } from '../../src/store/store.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

/** Rolls of as many take the tables, and not those of fewer than `TAKEN_FROM`. */
const COUNT = 230
const TAKEN_FROM = 200

const openWriter = (url: string, dryRun?: boolean) =>
  openRollWriter(url, { loadedAt: 1_750_000_000, dryRun, takenFrom: TAKEN_FROM })

/** The feed and the versions say how a roll was loaded, so two ways to load it differ there. */
const HISTORY = ['changes', 'change_heads', 'versions', 'past_keys', 'vintages', 'lineage']
const COMPARED = ROLL_TABLES.filter(({ name }) => !HISTORY.includes(name))
/** The column of `facts` with a random value of the load. */
const STAMP = 3

/** Owners and streets repeat, so that tables hold keys that several parcels share. */
const PARCELS: StagedParcel[] = Array.from({ length: COUNT }, (_, at) =>
  stage({
    parcelId: `P${at}`,
    owners: [`QUILLON${'ABCDEFG'[at % 7]}, MARA`, at % 3 === 0 ? 'QUILLONA, MARA' : null],
    address: `${at % 90} MAIN ST`,
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

const nameScope = ({ fips, municipality }: { fips: number; municipality: string }) =>
  `${fips} ${municipality}`
const byScope = (...[one, other]: Parameters<typeof nameScope>[0][]) =>
  nameScope(one as StagedParcel) < nameScope(other as StagedParcel) ? -1 : 1

/**
 * All rows of two states, with the parcel ID in place of the record ID: ids depend on what was
 * loaded before, and on the rows that were dropped. Also the ids' order.
 */
async function readRenumbered(url: string): Promise<Record<string, unknown[]>> {
  const client = new Client(url)
  await client.connect()
  const tables: Record<string, unknown[]> = {}
  const two = "state IN ('WI', 'TX')"
  for (const [table, columns] of Object.entries(OF_PARCELS)) {
    const { rows } = await client.query(
      `SELECT p.parcel_key AS own, p.fips AS own_fips, p.municipality AS own_municipality,
        ${columns} FROM platbook.${table} t JOIN platbook.parcels p USING (state, id)
      WHERE ${two} ORDER BY 2, 3, 1, to_jsonb(t) - 'id'`,
    )
    tables[table] = rows
  }
  for (const [table, columns] of Object.entries(OF_STATES)) {
    const text = `SELECT ${columns} FROM platbook.${table} WHERE ${two} ORDER BY ${columns}`
    tables[table] = (await client.query(text)).rows
  }
  const order = `SELECT state, parcel_key FROM platbook.parcels WHERE ${two} ORDER BY state, id`
  tables.order = (await client.query(order)).rows
  await client.end()
  return tables
}

const OF_PARCELS = {
  parcels: "to_jsonb(t) - 'id' AS own_row",
  records: 't.loaded_at, t.field_values, t.keys, t.owner',
  geometries: 't.geojson',
  shapes: 't.bounds::text',
  alternate_ids: 't.fips, t.key',
  situs: 't.key, t.unit, t.kind, t.own_key',
  owner_heads: 't.head, t.slot, t.kind, t.fips, t.rest',
  owner_words: 't.word, t.slot, t.fips',
}
const OF_STATES = {
  loose_situs: 'state, loose_key, key',
  owner_deletions: 'state, deletion, word',
  owner_counts: 'state, owner, parcels, residential, other',
  point_counts: 'state, cell, parcels',
  place_cells: 'state, x, y',
  scopes: 'state, fips, municipality, parcels, roll_year, loaded_at, filled',
  changes: 'state, sequence, what, fips, municipality, parcels',
  change_heads: 'state, last',
  state_versions: 'state, version',
}

/** The statements that are sent meanwhile. */
async function textsOf(work: () => Promise<void>): Promise<string[]> {
  const texts: string[] = []
  const query = Client.prototype.query
  Client.prototype.query = function (this: Client, ...asked: unknown[]) {
    texts.push(String((asked[0] as { text?: string }).text ?? asked[0]))
    return (query as (...all: unknown[]) => unknown).apply(this, asked)
  } as unknown as typeof query
  await work().finally(() => {
    Client.prototype.query = query
  })
  return texts
}

const missing = whyNoServer()
if (missing !== undefined) test('a load of an empty database', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
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
      return (await writer.apply()).change
    } finally {
      await writer.discard()
    }
  }
  const read = async (url: string) => {
    const source = await openCopySource(url)
    const tables: Record<string, unknown[]> = {}
    for (const table of COMPARED) {
      tables[table.name] = []
      for await (const rows of source.rows(table, 'WI')) {
        const compared = table.name === 'facts' ? rows.map((row) => row.toSpliced(STAMP, 1)) : rows
        tables[table.name]?.push(...compared)
      }
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
    const taking = await textsOf(async () => {
      assert.equal((await load(empty, PARCELS)).loaded, COUNT)
    })
    assert.ok(taking.some((text) => text.startsWith('DROP INDEX')))
    const comparing = await textsOf(async () => {
      assert.equal((await load(filled, PARCELS)).loaded, COUNT - 1)
    })
    assert.ok(!comparing.some((text) => text.startsWith('DROP INDEX')))
    const unfolding = comparing.filter((text) => text.includes('p.keys::jsonb'))
    assert.equal(unfolding.length, 1, 'keys are read once, whatever the number of tables')
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

  /** Counties of two states, with repeated rows that are settled, and keys of all kinds. */
  const WIDE: StagedParcel[] = Array.from({ length: COUNT }, (_, at) => ({
    ...stage({
      parcelId: `W-${at % 150}`,
      ...(at % 3 === 0 ? { state: 'TX', fips: 48453 } : { fips: at % 5 === 0 ? 55079 : 55025 }),
      municipality: at % 4 === 0 ? 'TROY' : '',
      owners: [`AARVIK${'ABCDEFG'[at % 7]} MOSS, ANN`, at % 3 === 0 ? 'MOSS AARVIKA LLC' : null],
      address: at % 6 === 0 ? '' : `${at % 90} ${at % 2 === 0 ? 'N OAK ST' : 'US HIGHWAY 12'}`,
      alternateIds: at % 8 === 0 ? [`ALT ${at}`, `ALT ${at}`, 'ALT'] : [],
      point: [-89.4 + at / 1e5, 43],
      geometry: at % 5 === 0 ? squareAt(-89.4 + at / 1e5) : null,
      city: 'MADISON',
    }),
    row: at + 1,
  }))
  /** Settles repeats as an import does: the last row of each group remains, with another owner. */
  const settle = async (url: string, parcels: StagedParcel[]) => {
    const writer = await openWriter(url)
    try {
      for (let from = 0; from < parcels.length; from += 70) {
        await writer.stage(parcels.slice(from, from + 70))
      }
      const groups: number[][] = []
      for await (const group of writer.repeats()) groups.push(group.map(({ row }) => row))
      for (const rows of groups) {
        await writer.drop(rows)
        const last = parcels.find(({ row }) => row === rows.at(-1)) as StagedParcel
        const owners: [string, null] = ['SETTLED, ANN', null]
        const { keys, owner } = stage({ parcelId: 'S', fips: last.fips, owners })
        await writer.stage([{ ...last, row: rows[0] as number, keys, owner }])
      }
      const { scopes, ...counts } = await writer.compare()
      const { change, ids: placed } = await writer.apply()
      assert.deepEqual(change, counts)
      const ids: [number, number][] = []
      for await (const { row, id } of placed) ids.push([row, id])
      const named = ids.sort((a, b) => a[0] - b[0])
      return { groups: groups.sort(), scopes: scopes.sort(byScope), change, named }
    } finally {
      await writer.discard()
    }
  }

  test('new counties, compared or not, become the same rows in the same order', async () => {
    const names = ['taken', 'added', 'compared']
    const [taken, added, compared] = (await Promise.all(
      names.map((name) => server.createDatabase(name)),
    )) as [string, string, string]
    // Another state makes a database that is not empty; a parcel of each scope is compared.
    await load(added, [stage({ parcelId: 'Z', state: 'NE', fips: 31109 })])
    const scopes = [...Map.groupBy(WIDE, nameScope).values()]
    await load(
      compared,
      scopes.map(([first]) => ({ ...(first as StagedParcel), row: 1, fieldValues: '' })),
    )
    const told = []
    for (const url of [taken, added, compared]) told.push(await settle(url, WIDE))
    const [one, other, third] = told as [(typeof told)[0], (typeof told)[0], (typeof told)[0]]
    assert.ok(one.groups.length > 20)
    assert.deepEqual(one.groups, other.groups)
    assert.deepEqual(one.groups, third.groups)
    assert.deepEqual([one.scopes, one.change], [other.scopes, other.change])
    assert.equal(one.change.loaded, third.change.loaded + third.change.updated)
    const rows = await Promise.all([taken, added, compared].map(readRenumbered))
    assert.deepEqual(rows[1], rows[0])
    assert.deepEqual(rows[2]?.situs, rows[0]?.situs)
  })

  test('a first load that is refused leaves nothing, not even used ids', async () => {
    const url = await server.createDatabase('refused')
    const writer = await openWriter(url)
    await writer.stage(PARCELS)
    assert.equal((await writer.compare()).loaded, COUNT)
    await writer.discard()
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query(`SELECT pg_total_relation_size('platbook.records') AS bytes,
      (SELECT count(*) FROM platbook.parcels) AS parcels`)
    await client.end()
    assert.deepEqual(rows, [{ bytes: '16384', parcels: '0' }])
    assert.equal((await load(url, PARCELS)).loaded, COUNT)
    const first = (await read(url)).shapes.map(({ id }) => Number(id))
    assert.deepEqual(first.slice(0, 2), [1, 6])
  })

  test('a second import is compared after one that has taken the tables', async () => {
    const url = await server.createDatabase('two')
    const first = await openWriter(url)
    await first.stage(PARCELS)
    const second = await openWriter(url)
    const texas = PARCELS.map((one) => ({ ...one, state: 'TX', fips: 48453 }))
    await second.stage(texas)
    const compared = second.compare()
    assert.equal((await first.apply()).change.loaded, COUNT)
    assert.equal((await compared).loaded, COUNT)
    assert.equal((await second.apply()).change.loaded, COUNT)
    await Promise.all([first.discard(), second.discard()])
    assert.equal((await load(url, [...PARCELS, ...texas])).unchanged, 2 * COUNT)
  })

  test('a dry run takes no table from its readers', async () => {
    const url = await server.createDatabase('dry')
    const writer = await openWriter(url, true)
    await writer.stage(PARCELS)
    const reader = new Client(url)
    await reader.connect()
    await reader.query("SET lock_timeout = '5s'; SELECT 1 FROM platbook.parcels")
    await reader.end()
    assert.equal((await writer.compare()).loaded, COUNT)
    await writer.discard()
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
