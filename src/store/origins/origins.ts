/**
 * Where parcels come from: file and line of their rows, by import, in blocks of record IDs with two
 * bytes a parcel or less; files, columns and mapping once per import. docs/provenance.md.
 */
import { deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { PbfWriter } from 'pbf'

export const BLOCK_IDS = 16_384

/** A line of one of the import's parts, counted from 1 in its file. */
export type RowPlace = { part: number; line: number }

/** A row of the roll, and the rows of further files that a mapping joined to it. */
export type JoinedPlace = RowPlace & { partners: readonly (RowPlace | null)[] }

/** A parcel and its rows, the first one first. */
export type ParcelOrigin = { id: number; rows: readonly JoinedPlace[] }

/** Rows of one file with the same columns. `file`: its name without folders. */
type OriginPart = { file: string; columns: readonly string[] }

/** What an import keeps of its source; `mapping` and `settings` make the values again. */
export type OriginDocument = {
  loadedAt: number
  parts: OriginPart[]
  /** The parts of the further files, in the order in which their columns follow. */
  joined: number[]
  mapping: unknown
  settings: Record<string, unknown>
  keepsRows: boolean
}

/** Lines of a part with their cells; `null` for a row that no parcel came from, or a hidden one. */
type KeptChunk = { lines: number[]; rows: (string[] | null)[] }

export type OriginReader = {
  /** The stored blocks of this number, those of the newest import first. */
  originBlocks(state: string, block: number): Promise<OriginBlock[]>
  /** The document of an import, and its number in the history. */
  originImport(state: string, number: number): Promise<StoredImport | undefined>
  /** The chunk of kept rows that may have a line. */
  keptRows(
    state: string,
    number: number,
    part: number,
    line: number,
  ): Promise<Uint8Array | undefined>
}

/** `number`: ascending among the imports of a state that have origins. */
export type OriginBlock = { number: number; data: Uint8Array }
export type StoredImport = { import: number; document: Uint8Array }
export type StoredRows = { number: number; part: number; line: number; data: Uint8Array }

export function originBlockOf(id: number): number {
  return Math.floor(id / BLOCK_IDS)
}

/** Encodes the parcels of a block, which are by ascending id. */
export function encodeOrigins(block: number, parcels: readonly ParcelOrigin[]): Uint8Array {
  const out = new PbfWriter()
  const last = new Map<number, number>()
  const place = ({ part, line }: RowPlace) => {
    out.writeVarint(part + 1)
    out.writeSVarint(line - (last.get(part) ?? 0))
    last.set(part, line)
  }
  let before = block * BLOCK_IDS - 1
  for (const { id, rows } of parcels) {
    out.writeVarint(id - before)
    before = id
    out.writeVarint(rows.length)
    for (const row of rows) {
      place(row)
      out.writeVarint(row.partners.length)
      for (const partner of row.partners) partner === null ? out.writeVarint(0) : place(partner)
    }
  }
  return deflateRawSync(out.finish(), { level: 1 })
}

/** Returns the parcels of a block by ascending id. */
export function decodeOrigins(block: number, data: Uint8Array): ParcelOrigin[] {
  return [...readOrigins(block, data)]
}

/** Returns the rows of one parcel; the rest of its block is read without being kept. */
function findRows(id: number, data: Uint8Array): readonly JoinedPlace[] | undefined {
  for (const one of readOrigins(originBlockOf(id), data)) {
    if (one.id >= id) return one.id === id ? one.rows : undefined
  }
  return undefined
}

function* readOrigins(block: number, data: Uint8Array): Generator<ParcelOrigin> {
  const next = readVarints(inflateRawSync(data))
  const last = new Map<number, number>()
  const place = (part: number): RowPlace => {
    const coded = next()
    const line = (last.get(part) ?? 0) + (coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2)
    last.set(part, line)
    return { part, line }
  }
  let id = block * BLOCK_IDS - 1
  for (let gap = next(); gap > 0; gap = next()) {
    id += gap
    const rows = Array.from({ length: next() }, () => {
      const own = place(next() - 1)
      const partners = Array.from({ length: next() }, () => {
        const part = next()
        return part === 0 ? null : place(part - 1)
      })
      return { ...own, partners }
    })
    yield { id, rows }
  }
}

/** Returns the reader of the next number; 0 at the end. Twice as fast as `PbfReader`. */
function readVarints(bytes: Uint8Array): () => number {
  let at = 0
  return () => {
    let value = 0
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] as number
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
}

export function packOrigin(value: OriginDocument | KeptChunk): Uint8Array {
  return zstdCompressSync(JSON.stringify(value))
}

export function unpackChunk(data: Uint8Array): KeptChunk {
  return JSON.parse(zstdDecompressSync(data).toString())
}

/** An import of a state as its origins are written. */
export type WrittenOrigins = {
  document: OriginDocument
  /** JSON of `[fips, municipality]`. */
  scopes: string
  /** Whether the files are the whole roll, so that earlier imports of it count no more. */
  isWhole: boolean
  blocks: Iterable<{ block: number; parcels: ParcelOrigin[] }>
  kept: Iterable<Omit<StoredRows, 'number'>>
}

/** A parcel's rows and what its import kept of its source. */
type FoundOrigin = StoredImport & { number: number; rows: readonly JoinedPlace[] }

/** Finds the origin of a parcel; `undefined` when none is recorded. */
export async function findOrigin(
  reader: OriginReader,
  state: string,
  id: number,
): Promise<FoundOrigin | undefined> {
  const block = originBlockOf(id)
  for (const { number, data } of await reader.originBlocks(state, block)) {
    const rows = findRows(id, data)
    const stored = rows && (await reader.originImport(state, number))
    if (rows !== undefined && stored !== undefined) return { ...stored, number, rows }
  }
  return undefined
}

/** Returns the kept cells of a row; `undefined` when they are not kept. */
export async function findCells(
  reader: OriginReader,
  { state, number }: { state: string; number: number },
  { part, line }: RowPlace,
): Promise<string[] | undefined> {
  const data = await reader.keptRows(state, number, part, line)
  if (data === undefined) return undefined
  const { lines, rows } = unpackChunk(data)
  return rows[lines.indexOf(line)] ?? undefined
}
