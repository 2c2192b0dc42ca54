/** The stored origins of a state. */
import type { RollSql } from '../rolls/roll-sql.ts'
import {
  decodeOrigins,
  type OriginRows,
  originBlockOf,
  packOrigin,
  type RowPlace,
  unpackChunk,
} from './origins.ts'

/** Reads and writes inside the caller's transaction. */
export function openOriginRows(sql: RollSql, state: string): OriginRows {
  const { bytes, readBytes } = sql.dialect
  return {
    async newestImport() {
      const [newest] = await sql.ask<{ id: number | null }>(
        `SELECT max(s.import) AS id FROM import_scopes s
          JOIN imports i ON i.id = s.import WHERE s.state = $1 AND i.kind = 'import'`,
        [state],
      )
      return newest?.id ?? 0
    },
    imports: () =>
      sql.ask('SELECT number, import, scopes FROM origin_imports WHERE state = $1', [state]),
    async putImport(number, scopes, stored) {
      await sql.run('INSERT INTO origin_imports VALUES ($1, $2, $3, $4, $5)', [
        ...[state, number, stored.import, scopes, stored.document],
      ])
    },
    async forgetImport(number) {
      for (const table of ['origin_imports', 'origins', 'kept_rows']) {
        await sql.run(`DELETE FROM ${table} WHERE state = $1 AND number = $2`, [state, number])
      }
    },
    async blocks(block) {
      const rows = await sql.ask<{ number: number; data: unknown }>(
        `SELECT number, ${bytes('data')} AS data FROM origins
          WHERE state = $1 AND block = $2 ORDER BY number DESC`,
        [state, block],
      )
      return rows.map(({ number, data }) => ({ number, data: readBytes(data) }))
    },
    async putBlock(number, block, data) {
      if (data === undefined) {
        const text = 'DELETE FROM origins WHERE state = $1 AND block = $2 AND number = $3'
        await sql.run(text, [state, block, number])
        return
      }
      const text = `INSERT INTO origins VALUES ($1, $2, $3, $4)
        ON CONFLICT (state, block, number) DO UPDATE SET data = excluded.data`
      await sql.run(text, [state, block, number, data])
    },
    async putRows({ number, part, line, data }) {
      const text = `INSERT INTO kept_rows VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (state, number, part, line) DO UPDATE SET data = excluded.data`
      await sql.run(text, [state, number, part, line, data])
    },
    chunks: () => sql.ask('SELECT number, part, line FROM kept_rows WHERE state = $1', [state]),
    async chunk({ number, part, line }) {
      const [row] = await sql.ask<{ data: unknown }>(
        `SELECT ${bytes('data')} AS data FROM kept_rows
          WHERE state = $1 AND number = $2 AND part = $3 AND line = $4`,
        [state, number, part, line],
      )
      return readBytes(row?.data)
    },
  }
}

/**
 * Forgets the imports of a state whose scopes are all gone, and one that was undone, inside the
 * caller's transaction.
 */
export async function forgetOrigins(
  sql: RollSql,
  state: string,
  undone: number | null,
): Promise<void> {
  const scopes = await sql.ask<{ fips: number; municipality: string }>(
    'SELECT fips, municipality FROM scopes WHERE state = $1',
    [state],
  )
  const loaded = new Set(
    scopes.map(({ fips, municipality }) => JSON.stringify([fips, municipality])),
  )
  const rows = openOriginRows(sql, state)
  for (const { number, import: id, scopes: own } of await rows.imports()) {
    const isLoaded = (JSON.parse(own) as unknown[]).some((one) => loaded.has(JSON.stringify(one)))
    if (!isLoaded || id === undone) await rows.forgetImport(number)
  }
}

const nameOf = (number: number, { part, line }: RowPlace) => `${number} ${part} ${line}`

/**
 * Empties the rows of these parcels, and those of which `isHidden` is true. Returns the number of
 * chunks that it wrote.
 */
export async function hideRows(
  rows: OriginRows,
  ids: readonly number[],
  isHidden: (row: readonly string[]) => boolean,
): Promise<number> {
  const chunks = await rows.chunks()
  if (chunks.length === 0) return 0
  const hidden = await listPlaces(rows, ids)
  let written = 0
  for (const asked of chunks) {
    const chunk = unpackChunk(await rows.chunk(asked))
    let isChanged = false
    chunk.rows.forEach((row, at) => {
      if (row === null) return
      const place = { part: asked.part, line: chunk.lines[at] ?? 0 }
      if (!hidden.has(nameOf(asked.number, place)) && !isHidden(row)) return
      chunk.rows[at] = null
      isChanged = true
    })
    if (!isChanged) continue
    await rows.putRows({ ...asked, data: packOrigin(chunk) })
    written += 1
  }
  return written
}

/** The places of some parcels' rows, and of those joined to them. */
async function listPlaces(rows: OriginRows, ids: readonly number[]): Promise<Set<string>> {
  const places = new Set<string>()
  for (const [block, own] of Map.groupBy(ids, originBlockOf)) {
    const wanted = new Set(own)
    for (const { number, data } of await rows.blocks(block)) {
      for (const { id, rows } of decodeOrigins(block, data)) {
        if (!wanted.has(id)) continue
        for (const { partners, ...row } of rows) {
          for (const one of [row, ...partners]) if (one !== null) places.add(nameOf(number, one))
        }
      }
    }
  }
  return places
}
