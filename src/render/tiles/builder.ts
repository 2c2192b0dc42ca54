/** Builds map tiles in a thread of this process, which starts with the first tile. */
import { Worker } from 'node:worker_threads'
import { atEnd } from '../../base/at-end.ts'
import type { Tile } from '../../geo/tile.ts'
import { RecentBytes } from '../../store/keep-recent.ts'
import { Line } from '../../store/walk/line.ts'
import { joinRows, type TileCount, type TileRow } from './layers.ts'
import type { FromTileThread, ToTileThread } from './messages.ts'

const PROGRAM = new URL('thread.ts', import.meta.url)

/** Most tiles read at a time; the thread builds one after the other. */
const READING_MAX = 2

/** Those of several maps opened at once may wait. */
const WAITING = { most: 128, full: 'Too many map tiles at once; try again shortly' }

/** Memory for built tiles, and the overhead of each. */
const KEPT_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 200

export type TilePart = { rows: TileRow[] } | { counts: TileCount[] }

export type TileBuilder = {
  /**
   * Returns a tile's gzip bytes; `undefined` for an empty one. Recent ones are cached by version.
   * Throws what reading throws, and *unavailable* when too many wait.
   */
  build(tile: Tile, version: string, parts: () => AsyncIterable<TilePart>): Promise<TileBytes>
  close(): Promise<void>
}

type TileBytes = Buffer<ArrayBuffer> | undefined

type Settle = { resolve(bytes: Uint8Array<ArrayBuffer> | null): void; reject(error: Error): void }

/** Creates the builder of vector tiles. It builds one at a time, because it reuses its buffers. */
export function createTileBuilder(): TileBuilder {
  const pending = new Map<number, Settle>()
  const kept = new RecentBytes<{ bytes: number; tile: TileBytes }>(KEPT_BYTES)
  let thread: Worker | undefined
  const line = new Line(READING_MAX, WAITING)
  let jobs = 0

  function start(): Worker {
    const started = new Worker(PROGRAM)
    started.on('message', (message: FromTileThread) => {
      const settle = pending.get(message.job)
      pending.delete(message.job)
      if (pending.size === 0) started.unref()
      if ('failed' in message) settle?.reject(new Error(message.failed))
      else settle?.resolve(message.bytes)
    })
    started.on('error', (error: Error) => fail(error))
    started.on('exit', () => fail(new Error('the thread that builds tiles has ended')))
    started.unref()
    return started
  }

  /** The next tile starts another thread. */
  function fail(error: Error): void {
    thread = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    async build(tile, version, parts) {
      const name = `${version}/${tile.z}/${tile.x}/${tile.y}`
      const known = kept.get(name)
      if (known !== undefined) return known.tile
      await line.enter()
      using _end = atEnd(() => line.leave())
      thread ??= start()
      const own = thread
      const job = ++jobs
      const send = (message: ToTileThread) => own.postMessage(message)
      try {
        send({ job, tile })
        for await (const part of parts()) {
          send('rows' in part ? { job, rows: joinRows(part.rows) } : { job, ...part })
        }
      } catch (error) {
        send({ job, dropped: true })
        throw error
      }
      const built = new Promise<Uint8Array<ArrayBuffer> | null>((resolve, reject) => {
        if (thread !== own) reject(new Error('the thread that builds tiles has ended'))
        else pending.set(job, { resolve, reject })
      })
      // Only a tile under way keeps the process alive; a message listener alone would do so
      // forever.
      own.ref()
      send({ job, ended: true })
      const bytes = await built
      const made = bytes === null ? undefined : Buffer.from(bytes.buffer)
      kept.set(name, { tile: made, bytes: (made?.length ?? 0) + ENTRY_BYTES })
      return made
    },
    async close() {
      await thread?.terminate()
    },
  }
}
