/** A PostgreSQL server with parcels of a test, and the plans of statements over them. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Client } from 'pg'
import { clientConfig, connect, READING } from '../../src/store/postgres/pool/connection.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { shareServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

export type PlanServer = {
  url: string
  client: Client
  /** Returns the generic plan of a statement; fails when it reads or joins a table whole. */
  plan(text: string): Promise<string>
}

/** Plans by parent and by child cost the same where nothing is known of a table. */
async function addLinks(url: string): Promise<void> {
  const client = await connect(clientConfig(url, 10_000, {}))
  await client.query(`INSERT INTO lineage
    (state, parent, child, day, import, fips, municipality, kind, evidence)
    SELECT 'WI', n, n + 1, 20_000, 1, 55025, '', 0, 1 FROM generate_series(1, 2_000) n;
    ANALYZE lineage`)
  await client.end()
}

/** Starts a server with the parcels loaded; it is stopped after the tests of the file. */
export async function startPlanServer(parcels: Parameters<typeof stage>[0][]): Promise<PlanServer> {
  const server = await shareServer()
  const url = await server.createDatabase('plans')
  const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
  await writer.stage(parcels.map((parcel) => stage(parcel)))
  await writer.apply()
  await writer.discard()
  await addLinks(url)
  const client = await connect(clientConfig(url, 10_000, READING))
  after(async () => {
    await client.end()
    await server.stop()
  })

  async function plan(text: string): Promise<string> {
    const places = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)), 0)
    const values = Array(places).fill('NULL').join(', ')
    await client.query(`PREPARE planned AS ${text}`)
    const { rows } = await client.query(
      `EXPLAIN EXECUTE planned${values === '' ? '' : `(${values})`}`,
    )
    await client.query('DEALLOCATE planned')
    const lines = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    assert.doesNotMatch(lines, /Seq Scan|Hash Join|Merge Join|Bitmap|Memoize/, `${text}\n${lines}`)
    return lines
  }

  return { url, client, plan }
}
