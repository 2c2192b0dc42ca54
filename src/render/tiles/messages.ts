/** What a process and the thread that builds its map tiles say to each other. */
import type { Tile } from '../../geo/tile.ts'
import type { TileCount } from './layers.ts'

/** A tile begins, then its parts come in any number, then its end. `rows`: see `joinRows`. */
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
