/** The basemaps of a data folder: an archive of tiles a state, and reading a tile from one. */
import { existsSync, mkdirSync, readdirSync, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findTile, PMTiles, SharedPromiseCache, type Source, zxyToTileId } from 'pmtiles'
import type { Tile } from '../geo/tile.ts'

const FOLDER = 'basemap'
/** The archive of the sample's invented ground; the others are of states. */
export const SAMPLE_ARCHIVE = 'sample'
const NAME = /^([A-Z]{2}|sample)$/
/** A directory leads to another one at most this often. Source: PMTiles version 3. */
const DEPTH_MAX = 4

/** Returns the path of an archive, a state of two letters or the sample, and makes its folder. */
export function archivePath(data: string, state: string): string {
  mkdirSync(join(data, FOLDER), { recursive: true, mode: 0o700 })
  return join(data, FOLDER, `${state}.pmtiles`)
}

/** A state's basemap. `bounds`: west, south, east, north in degrees. `mark`: of this version. */
type BasemapHead = {
  state: string
  bounds: number[]
  maxZoom: number
  mark: string
  layers: string[]
}

export type Basemaps = {
  /** The archives that are there now; one that was written again has another mark. */
  list(): Promise<BasemapHead[]>
  /** Returns the gzip bytes of a tile; `undefined` when there is none. */
  tile(state: string, tile: Tile): Promise<Buffer | undefined>
  close(): Promise<void>
}

type Opened = { file: FileHandle; mark: string; source: Source; pmtiles: PMTiles }

/** Opens the basemaps of a data folder; archives are opened when they are first asked for. */
export function openBasemaps(data: string): Basemaps {
  const cache = new SharedPromiseCache()
  const opened = new Map<string, Promise<Opened>>()
  const states = () =>
    existsSync(join(data, FOLDER))
      ? readdirSync(join(data, FOLDER)).flatMap(
          (name) => NAME.exec(name.replace(/\.pmtiles$/, ''))?.[1] ?? [],
        )
      : []
  /** Replaced archives, of which tiles may still be read. */
  const former: FileHandle[] = []
  async function reach(state: string): Promise<Opened> {
    const path = join(data, FOLDER, `${state}.pmtiles`)
    const before = opened.get(path)
    const known = await before
    if (known !== undefined && known.mark === markOf(await stat(path))) return known
    // Another request has opened it meanwhile.
    const other = opened.get(path)
    if (other !== undefined && other !== before) return other
    if (known !== undefined) former.push(known.file)
    const now = openArchive(path, cache)
    opened.set(path, now)
    now.catch(() => {
      if (opened.get(path) === now) opened.delete(path)
    })
    return now
  }
  return {
    async list() {
      const heads: BasemapHead[] = []
      for (const state of states()) {
        const { pmtiles, mark } = await reach(state)
        const { minLon, minLat, maxLon, maxLat, maxZoom } = await pmtiles.getHeader()
        const about = (await pmtiles.getMetadata()) as { vector_layers: { id: string }[] }
        const layers = about.vector_layers.map(({ id }) => id)
        heads.push({ state, mark, maxZoom, layers, bounds: [minLon, minLat, maxLon, maxLat] })
      }
      return heads
    },
    async tile(state, tile) {
      const path = join(data, FOLDER, `${state}.pmtiles`)
      if (!NAME.test(state) || (!opened.has(path) && !existsSync(path))) return undefined
      const { pmtiles, source } = await (opened.get(path) ?? reach(state))
      return readTile(pmtiles, source, tile)
    },
    async close() {
      for (const one of opened.values()) former.push((await one).file)
      await Promise.all(former.map((file) => file.close()))
    },
  }
}

/** Differs after each time that a file was written. */
const markOf = ({ mtimeMs, size, ino }: Stats) =>
  [mtimeMs, size, ino].map((one) => Math.round(one).toString(36)).join('-')

async function openArchive(path: string, cache: SharedPromiseCache): Promise<Opened> {
  const file = await open(path)
  const mark = markOf(await file.stat())
  const source: Source = {
    getKey: () => `${path} ${mark}`,
    async getBytes(offset, length) {
      const bytes = new Uint8Array(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return { data: bytes.buffer.slice(0, bytesRead) }
    },
  }
  return { file, mark, source, pmtiles: new PMTiles(source, cache) }
}

/** As the package's `getZxy`, which would also decompress the tile. */
async function readTile({ cache }: PMTiles, source: Source, { z, x, y }: Tile) {
  const header = await cache.getHeader(source)
  if (z < header.minZoom || z > header.maxZoom) return undefined
  const id = zxyToTileId(z, x, y)
  let [offset, length] = [header.rootDirectoryOffset, header.rootDirectoryLength]
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const entry = findTile(await cache.getDirectory(source, offset, length, header), id)
    if (entry === null) return undefined
    if (entry.runLength > 0) {
      const { data } = await source.getBytes(header.tileDataOffset + entry.offset, entry.length)
      return Buffer.from(data)
    }
    ;[offset, length] = [header.leafDirectoryOffset + entry.offset, entry.length]
  }
  return undefined
}
