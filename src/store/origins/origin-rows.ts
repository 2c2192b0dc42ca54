/** The stored origins of a state. */
import type { RollSql } from '../rolls/roll-sql.ts'
import {
  decodeOrigins,
  encodeOrigins,
  type OriginBlock,
  originBlockOf,
  packOrigin,
  type RowPlace,
  type StoredImport,
  type StoredRows,
  unpackChunk,
  type WrittenOrigins,
} from './origins.ts'

type ChunkPlace = Omit<StoredRows, 'data'>
type OriginRows = ReturnType<typeof openOriginRows>

/** Reads and writes the stored origins of a state, inside the caller's transaction. */
export function openOriginRows(sql: RollSql, state: string) {
  const { bytes, readBytes } = sql.dialect
  return {
    /** The history's number of the newest import of the state. */
    async newestImport() {
      const [newest] = await sql.ask<{ id: number | null }>(
        `SELECT max(s.import) AS id FROM import_scopes s
          JOIN imports i ON i.id = s.import WHERE s.state = $1 AND i.kind = 'import'`,
        [state],
      )
      return newest?.id ?? 0
    },
    /** The stored imports with their scopes, as JSON of `[fips, municipality]`. */
    imports: () =>
      sql.ask<{ number: number; import: number; scopes: string }>(
        'SELECT number, import, scopes FROM origin_imports WHERE state = $1',
        [state],
      ),
    async putImport(number: number, scopes: string, stored: StoredImport) {
      await sql.run('INSERT INTO origin_imports VALUES ($1, $2, $3, $4, $5)', [
        ...[state, number, stored.import, scopes, stored.document],
      ])
    },
    async forgetImport(number: number) {
      for (const table of ['origin_imports', 'origins', 'kept_rows']) {
        await sql.run(`DELETE FROM ${table} WHERE state = $1 AND number = $2`, [state, number])
      }
    },
    async blocks(block: number): Promise<OriginBlock[]> {
      const rows = await sql.ask<{ number: number; data: unknown }>(
        `SELECT number, ${bytes('data')} AS data FROM origins
          WHERE state = $1 AND block = $2 ORDER BY number DESC`,
        [state, block],
      )
      return rows.map(({ number, data }) => ({ number, data: readBytes(data) }))
    },
    /** `undefined` removes the block. */
    async putBlock(number: number, block: number, data: Uint8Array | undefined) {
      if (data === undefined) {
        const text = 'DELETE FROM origins WHERE state = $1 AND block = $2 AND number = $3'
        await sql.run(text, [state, block, number])
        return
      }
      const text = `INSERT INTO origins VALUES ($1, $2, $3, $4)
        ON CONFLICT (state, block, number) DO UPDATE SET data = excluded.data`
      await sql.run(text, [state, block, number, data])
    },
    async putRows({ number, part, line, data }: StoredRows) {
      const text = `INSERT INTO kept_rows VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (state, number, part, line) DO UPDATE SET data = excluded.data`
      await sql.run(text, [state, number, part, line, data])
    },
    /** Kept chunks by their numbers. */
    chunks: () =>
      sql.ask<ChunkPlace>('SELECT number, part, line FROM kept_rows WHERE state = $1', [state]),
    async chunk({ number, part, line }: ChunkPlace) {
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
 * Writes the origins of one import and state. Parcels that it names lose their earlier origin;
 * imports that have none left are forgotten, with their kept rows.
 */
export async function writeOrigins(rows: OriginRows, written: WrittenOrigins): Promise<void> {
  const earlier = await rows.imports()
  const number = Math.max(0, ...earlier.map((one) => one.number)) + 1
  const { document, scopes, isWhole, blocks, kept } = written
  for (const one of earlier) {
    if (isWhole && isReplaced(one.scopes, scopes)) await rows.forgetImport(one.number)
  }
  await rows.putImport(number, scopes, {
    import: await rows.newestImport(),
    document: packOrigin(document),
  })
  for (const { block, parcels } of blocks) {
    const ids = new Set(parcels.map(({ id }) => id))
    for (const other of await rows.blocks(block)) {
      const all = decodeOrigins(block, other.data)
      const left = all.filter(({ id }) => !ids.has(id))
      if (left.length === all.length) continue
      const data = left.length === 0 ? undefined : encodeOrigins(block, left)
      await rows.putBlock(other.number, block, data)
    }
    await rows.putBlock(number, block, encodeOrigins(block, parcels))
  }
  for (const one of kept) await rows.putRows({ number, ...one })
}

/** Whether an import replaces all that an earlier one of the state has brought. */
function isReplaced(earlier: string, scopes: string): boolean {
  const own = new Set((JSON.parse(scopes) as unknown[]).map((one) => JSON.stringify(one)))
  return (JSON.parse(earlier) as unknown[]).every((one) => own.has(JSON.stringify(one)))
}

/** In a transaction, forgets a state's imports whose scopes are all gone, and an undone one. */
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

/** Empties rows of these parcels, and those `isHidden`; returns the number of chunks written. */
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
