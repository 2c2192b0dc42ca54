/** What a process and the thread that builds its map tiles say to each other. */
import type { Tile } from '../../geo/tile.ts'
import type { TileCount, TileRow } from './layers.ts'

/** Parts of a tile come in any number, then its end. */
export type ToTileThread =
  | { job: number; rows: TileRow[] }
  | { job: number; counts: TileCount[] }
  | { job: number; tile: Tile }
  | { job: number; dropped: true }

/** `bytes`: gzip; `null`: the tile is empty. */
export type FromTileThread =
  | { job: number; bytes: Uint8Array<ArrayBuffer> | null }
  | { job: number; failed: string }
