/** The stored origins of a state in PostgreSQL. */
import type { Client } from 'pg'
import type { OriginRows } from '../../origins/origins.ts'

const CHUNK = 'state = $1 AND number = $2 AND part = $3 AND line = $4'

/** Reads and writes inside the caller's transaction. */
export function openOriginRows(client: Client, state: string): OriginRows {
  const ask = async (text: string, values: unknown[] = []) =>
    (await client.query(text, [state, ...values])).rows
  return {
    async newestImport() {
      const text = `SELECT max(s.import) AS id FROM import_scopes s
        JOIN imports i ON i.id = s.import WHERE s.state = $1 AND i.kind = 'import'`
      return Number((await ask(text))[0]?.id ?? 0)
    },
    imports: () => ask('SELECT number, import, scopes FROM origin_imports WHERE state = $1'),
    async putImport(number, scopes, stored) {
      await ask('INSERT INTO origin_imports VALUES ($1, $2, $3, $4, $5)', [
        ...[number, stored.import, scopes, stored.document],
      ])
    },
    async forgetImport(number) {
      for (const table of ['origin_imports', 'origins', 'kept_rows']) {
        await ask(`DELETE FROM ${table} WHERE state = $1 AND number = $2`, [number])
      }
    },
    async blocks(block) {
      const text = `SELECT number, encode(data, 'base64') AS data FROM origins
        WHERE state = $1 AND block = $2 ORDER BY number DESC`
      const rows = await ask(text, [block])
      return rows.map(({ number, data }) => ({ number, data: Buffer.from(data, 'base64') }))
    },
    async putBlock(number, block, data) {
      if (data === undefined) {
        const text = 'DELETE FROM origins WHERE state = $1 AND block = $2 AND number = $3'
        await ask(text, [block, number])
        return
      }
      const text = `INSERT INTO origins VALUES ($1, $2, $3, $4)
        ON CONFLICT (state, block, number) DO UPDATE SET data = excluded.data`
      await ask(text, [block, number, data])
    },
    async putRows({ number, part, line, data }) {
      const text = `INSERT INTO kept_rows VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (state, number, part, line) DO UPDATE SET data = excluded.data`
      await ask(text, [number, part, line, data])
    },
    chunks: () => ask('SELECT number, part, line FROM kept_rows WHERE state = $1'),
    async chunk({ number, part, line }) {
      const text = `SELECT encode(data, 'base64') AS data FROM kept_rows WHERE ${CHUNK}`
      const [row] = await ask(text, [number, part, line])
      return Buffer.from(row?.data, 'base64')
    },
  }
}

/**
 * Forgets the imports of a state whose scopes are all gone, and one that was undone, inside the
 * caller's transaction.
 */
export async function forgetOrigins(
  client: Client,
  state: string,
  undone: number | null,
): Promise<void> {
  const { rows: scopes } = await client.query(
    'SELECT fips, municipality FROM scopes WHERE state = $1',
    [state],
  )
  const loaded = new Set(
    scopes.map(({ fips, municipality }) => JSON.stringify([fips, municipality])),
  )
  const rows = openOriginRows(client, state)
  for (const { number, import: id, scopes: own } of await rows.imports()) {
    const isLoaded = (JSON.parse(own) as unknown[]).some((one) => loaded.has(JSON.stringify(one)))
    if (!isLoaded || id === undone) await rows.forgetImport(number)
  }
}
