import type { Tile } from '../../geo/tile.ts'
import type { TileCount } from './layers.ts'

/** The start of a tile, any number of its parts, its end. `rows`: see `joinRows`. */
export type ToTileThread =
  | { job: number; tile: Tile }
  | { job: number; rows: string }
  | { job: number; counts: TileCount[] }
  | { job: number; ended: true }
  | { job: number; dropped: true }

/** `bytes`: gzip; `null`: the tile is empty. */
export type FromTileThread =
  | { job: number; bytes: Uint8Array<ArrayBuffer> | null }
  | { job: number; failed: string }
