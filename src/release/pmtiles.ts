/**
 * Writes a PMTiles archive, version 3: https://github.com/protomaps/PMTiles, spec/v3. Tiles come by
 * ascending id and are written at once; each needs 30 bytes of memory. Equal ones are stored once.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'
import { replaceFile } from '../base/safe-files.ts'
import type { NewFile } from '../export/new-file.ts'
import type { Tile } from '../geo/tile.ts'

type Entry = { id: number; offset: number; length: number; run: number }

type Archive = {
  /** The last zoom that `keep` was called for, and what it was given; none in a new archive. */
  kept: { zoom: number; full: readonly Tile[] } | undefined
  add(tile: Tile, bytes: Uint8Array): Promise<void>
  /** Writes down that all tiles of a zoom are there: a killed build continues after it. */
  keep(zoom: number, full: readonly Tile[]): Promise<void>
  /** Writes the archive and removes the draft. */
  finish(file: NewFile, about: About): Promise<void>
  /** Closes the draft, which stays unless the archive was finished. */
  close(): Promise<void>
}

type About = {
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  metadata: object
}

const HEADER_BYTES = 127
/** The header and the first directory are read together, in 16 KiB. */
const ROOT_BYTES_MAX = 16_384 - HEADER_BYTES
const LEAF_ENTRIES = 4096
const GZIP = 2
const MVT = 1

/** Returns the number of a tile: those of lower zooms first, then along a Hilbert curve. */
export function tileIdOf({ z, x, y }: Tile): number {
  return zxyToTileId(z, x, y)
}

type Kept = { zoom: number; full: Tile[]; size: number; tiles: number }

/** `draft`: a file for the tiles. One that a killed build left is continued after its last zoom. */
export async function beginArchive(draft: string): Promise<Archive> {
  const note = `${draft}.json`
  const known = existsSync(note) && existsSync(draft) ? readNote(note) : undefined
  const entries: Entry[] = known?.entries ?? []
  const places = new Map<string, Entry>(
    known?.places.map(([key, at]) => [key, entries[at] as Entry]),
  )
  let { size, tiles } = known?.kept ?? { size: 0, tiles: 0 }
  const out = await open(draft, 'a')
  await out.truncate(size)
  return {
    kept: known?.kept,
    async keep(zoom, full) {
      // The note must not outlive what it is about.
      await out.sync()
      const at = new Map(entries.map((entry, index) => [entry, index]))
      replaceFile(
        note,
        JSON.stringify({
          kept: { zoom, full, size, tiles },
          entries,
          places: [...places].map(([key, entry]) => [key, at.get(entry)]),
        }),
      )
    },
    async add(tile, bytes) {
      const id = tileIdOf(tile)
      const last = entries.at(-1)
      if (last !== undefined && id < last.id + last.run) throw new Error('tiles out of order')
      tiles += 1
      const digest = createHash('sha256').update(bytes).digest('base64')
      const known = places.get(digest)
      const length = bytes.length
      const offset = known?.offset ?? size
      if (known === undefined) {
        await out.appendFile(bytes)
        size += length
      }
      if (last !== undefined && last.offset === offset && last.id + last.run === id) last.run += 1
      else entries.push({ id, offset, length, run: 1 })
      if (known === undefined) places.set(digest, entries.at(-1) as Entry)
    },
    async finish(file, about) {
      await out.close()
      const { root, leaves } = makeDirectories(entries)
      const metadata = gzipSync(JSON.stringify(about.metadata))
      const lengths = [root.length, metadata.length, leaves.length, size] as const
      const counts = [tiles, entries.length, places.size] as const
      await file.write(makeHeader(lengths, counts, about))
      for (const part of [root, metadata, leaves]) await file.write(part)
      for await (const chunk of createReadStream(draft)) await file.write(chunk as Buffer)
      await rm(draft)
      await rm(note, { force: true })
    },
    close: () => out.close(),
  }
}

function readNote(path: string) {
  const { kept, entries, places } = JSON.parse(readFileSync(path, 'utf8'))
  return { kept: kept as Kept, entries: entries as Entry[], places: places as [string, number][] }
}

function makeDirectories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const single = gzipSync(makeDirectory(entries))
  if (single.length <= ROOT_BYTES_MAX) return { root: single, leaves: Buffer.alloc(0) }
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const parts: Buffer[] = []
    const root: Entry[] = []
    let offset = 0
    for (let at = 0; at < entries.length; at += size) {
      const own = entries.slice(at, at + size)
      const bytes = gzipSync(makeDirectory(own))
      // A run of 0 leads to a leaf.
      root.push({ id: (own[0] as Entry).id, offset, length: bytes.length, run: 0 })
      parts.push(bytes)
      offset += bytes.length
    }
    const packed = gzipSync(makeDirectory(root))
    if (packed.length <= ROOT_BYTES_MAX) return { root: packed, leaves: Buffer.concat(parts) }
  }
}

function makeDirectory(entries: readonly Entry[]): Buffer {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  put(entries.length)
  for (const [at, { id }] of entries.entries()) put(id - (entries[at - 1]?.id ?? 0))
  for (const { run } of entries) put(run)
  for (const { length } of entries) put(length)
  for (const [at, { offset }] of entries.entries()) {
    const before = entries[at - 1]
    const follows = before !== undefined && before.offset + before.length === offset
    put(follows ? 0 : offset + 1)
  }
  return Buffer.from(bytes)
}

function makeHeader(
  [root, metadata, leaves, data]: readonly [number, number, number, number],
  counts: readonly [tiles: number, entries: number, contents: number],
  { bounds, minZoom, maxZoom }: About,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  let offset = HEADER_BYTES
  let at = 8
  const put = (value: number) => {
    header.writeBigUInt64LE(BigInt(value), at)
    at += 8
  }
  for (const length of [root, metadata, leaves, data]) {
    put(offset)
    put(length)
    offset += length
  }
  for (const count of counts) put(count)
  header.set([1, GZIP, GZIP, MVT, minZoom, maxZoom], at)
  const units = bounds.map((degrees) => Math.round(degrees * 1e7))
  const [west = 0, south = 0, east = 0, north = 0] = units
  for (const [index, unit] of units.entries()) header.writeInt32LE(unit, at + 6 + 4 * index)
  header[at + 22] = minZoom
  header.writeInt32LE(Math.round((west + east) / 2), at + 23)
  header.writeInt32LE(Math.round((south + north) / 2), at + 27)
  return header
}
