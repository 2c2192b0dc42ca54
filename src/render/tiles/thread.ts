/**
 * The thread of `builder.ts`: clips, encodes and compresses, so that the event loop of a worker
 * does not.
 */
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { writeVectorTile } from '../../geo/vector-tile.ts'
import { addCounts, addRows, emptyLayers, type TileLayers } from './layers.ts'
import type { FromTileThread, ToTileThread } from './messages.ts'

type Job = { layers: TileLayers; drawn: Set<string>; failed: string | undefined }

const jobs = new Map<number, Job>()

parentPort?.on('message', (message: ToTileThread) => {
  const { job } = message
  const state = jobs.get(job) ?? { layers: emptyLayers(), drawn: new Set(), failed: undefined }
  jobs.set(job, state)
  try {
    if ('rows' in message) addRows(state.layers, message.rows, state.drawn)
    else if ('counts' in message) addCounts(state.layers, message.counts)
    else jobs.delete(job)
    if ('tile' in message) finish(job, message.tile, state)
  } catch (error) {
    state.failed = (error as Error).message
    if ('tile' in message) answer({ job, failed: state.failed })
  }
})

function finish(job: number, tile: Parameters<typeof writeVectorTile>[0], { layers, failed }: Job) {
  if (failed !== undefined) {
    answer({ job, failed })
    return
  }
  const plain = writeVectorTile(tile, layers)
  if (plain === undefined) answer({ job, bytes: null })
  else answer({ job, bytes: new Uint8Array(gzipSync(plain, { level: GZIP_LEVEL })) })
}

/** A tile is a fifth larger than at level 6 and takes half of the time. */
const GZIP_LEVEL = 3

function answer(message: FromTileThread): void {
  const transfer = 'bytes' in message && message.bytes !== null ? [message.bytes.buffer] : []
  parentPort?.postMessage(message, transfer)
}
