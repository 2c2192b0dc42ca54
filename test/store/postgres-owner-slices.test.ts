/**
 * How an owner search reads PostgreSQL: a common surname takes one statement, including the
 * records, and further slices examine what they need.
 */
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Client } from 'pg'
import { HEAD_KINDS } from '../../src/store/parcel-keys.ts'
import { TABLE_RULES } from '../../src/store/postgres/check/rules.ts'
import { clientConfig, connect } from '../../src/store/postgres/pool/connection.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { parcels, testOwnerSlices } from './owner-slices-suite.ts'
import { stage } from './staged.ts'

const PARCELS = 1500
/** The number of parcels that a premium search reads, and shows. */
const WANTED = 201
const SHOWN = 10

const missing = whyNoServer()
if (missing !== undefined) test('owner searches', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const url = await server.createDatabase('owners')
  const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
  // Couples of one surname, and among them firms that begin with it.
  await writer.stage(
    Array.from({ length: PARCELS }, (_, at) => {
      const couple = ['VAREK, JOHN', 'VAREK, MARA'] as const
      const owners = at % 7 === 0 ? (['VAREK HOLDINGS LLC', null] as const) : couple
      return stage({ parcelId: `P${at}`, fips: 55025, owners: [...owners] })
    }),
  )
  await writer.apply()
  await writer.discard()
  const reader = openParcelReader(url)
  // Before any test, because one watches the statements of all clients.
  const slicesReader = await readSlicesDatabase()
  const admin = await connect(clientConfig(url, 10_000, {}))
  after(async () => {
    await reader.close()
    await slicesReader.close()
    await admin.end()
    await server.stop()
  })

  async function readSlicesDatabase() {
    const other = await server.createDatabase('slices')
    const writer = await openRollWriter(other, { loadedAt: 1_750_000_000 })
    await writer.stage(parcels)
    await writer.apply()
    await writer.discard()
    return openParcelReader(other)
  }

  const search = (page = { from: 0, count: SHOWN }) =>
    reader.byOwner({
      state: 'WI',
      question: {
        lastName: {
          personHeads: ['VAREK'],
          organizationHeads: [{ head: 'VAREK', restStart: '' }],
        },
      },
      skip: 0,
      limit: WANTED,
      deadline: performance.now() + 60_000,
      page,
    })

  /** Returns what `work` returns, and the values of its statements over surnames. */
  async function watchSlices<Result>(work: () => Promise<Result>) {
    const slices: unknown[][] = []
    const query = Client.prototype.query
    Client.prototype.query = function (this: Client, ...asked: unknown[]) {
      const { text, values = [] } = asked[0] as { text?: string; values?: unknown[] }
      if (text?.includes('owner_heads')) slices.push(values)
      return (query as (...all: unknown[]) => unknown).apply(this, asked)
    } as unknown as typeof query
    const result = await work().finally(() => {
      Client.prototype.query = query
    })
    return { result, slices }
  }

  test('a common surname of couples and firms is one statement with its records', async () => {
    const { result, slices } = await watchSlices(search)
    const { hits, shown, complete } = result
    assert.equal(slices.length, 1)
    assert.ok(complete)
    const { rows } = await admin.query(
      `SELECT DISTINCT id FROM owner_heads WHERE state = 'WI' AND head = 'VAREK' ORDER BY id
      LIMIT ${WANTED}`,
    )
    assert.deepEqual(
      hits.map(({ id }) => id),
      rows.map(({ id }) => Number(id)),
    )
    assert.equal(shown?.length, SHOWN)
  })

  test('persons alone and firms alone are distinguished', async () => {
    const kinds = await admin.query(
      "SELECT kind, count(DISTINCT id) AS n FROM owner_heads WHERE head = 'VAREK' GROUP BY 1",
    )
    const countOf = (kind: number) =>
      Number(kinds.rows.find((row) => Number(row.kind) === kind)?.n ?? 0)
    const deadline = performance.now() + 60_000
    const ask = async (persons: string[], firms: { head: string; restStart: string }[]) => {
      const lastName = { personHeads: persons, organizationHeads: firms }
      const search = { state: 'WI', question: { lastName }, skip: 0, limit: PARCELS, deadline }
      return (await reader.byOwner(search)).hits.length
    }
    const firm = [{ head: 'VAREK', restStart: '' }]
    assert.ok(countOf(HEAD_KINDS.person) > 1000)
    assert.equal(await ask(['VAREK'], []), countOf(HEAD_KINDS.person))
    assert.equal(await ask([], firm), countOf(HEAD_KINDS.organization))
    assert.equal(await ask(['VAREK', 'VAREK'], []), countOf(HEAD_KINDS.person))
    assert.equal(await ask(['VAREK'], firm), PARCELS)
  })

  test('a further slice of couples examines what it needs', async () => {
    const lastName = { personHeads: ['VAREK'], organizationHeads: [] }
    const deadline = performance.now() + 60_000
    const asked = { state: 'WI', fips: 55025, question: { lastName }, skip: 0, deadline }
    const { result, slices } = await watchSlices(() => reader.byOwner({ ...asked, limit: 700 }))
    assert.equal(result.hits.length, 700)
    const [first, second, ...more] = slices.map(([, size]) => Number(size))
    // A firm among seven parcels is examined for nothing, and the others have two entries each.
    assert.equal(first, 1402)
    assert.ok(second !== undefined && second < 200, `${second} entries`)
    assert.deepEqual(more, [])
  })

  test('a record has its owner, and another one is reported by `check`', async () => {
    const owned = (await search()).shown?.map((shown) => shown.owned)
    assert.ok(owned?.every((one) => one !== null && one !== undefined))
    const rule = TABLE_RULES.find(({ says }) => /another owner/.test(says(1, '')))
    assert.ok(rule)
    const countBroken = async () => Number((await admin.query(rule.sql, ['WI'])).rows[0]?.n)
    assert.equal(await countBroken(), 0)
    await admin.query('UPDATE records SET owner = 5 WHERE id = 3')
    assert.equal(await countBroken(), 1, 'a wrong owner is told by `check`')
    await admin.query(
      'UPDATE records r SET owner = p.owner FROM parcels p WHERE p.state = r.state AND p.id = r.id',
    )
  })

  suite('in another database', () => testOwnerSlices(slicesReader))
}
