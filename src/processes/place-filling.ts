/**
 * Starts a thread that fills in the places of older parcels while the service runs, if any are
 * missing.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openPlaceFiller } from '../store/open-rolls.ts'

const PROGRAM = new URL('place-filling-thread.ts', import.meta.url)

/** Longer than a slice takes. */
const STOP_MS = 5000

export type PlaceFilling = {
  /** Stops it after the current slice; the next start continues. */
  stop(): Promise<void>
}

/**
 * `place`: a data folder, or the address of a database. `report` is called when it begins, ends or
 * fails.
 */
export async function startPlaceFilling(
  place: string,
  report: (line: string) => void,
): Promise<PlaceFilling> {
  const filler = await openPlaceFiller(place)
  const isDone = await filler.isDone().finally(() => filler.close())
  if (isDone) return { stop: async () => undefined }
  report('searches by place answer 503 until the places of older parcels are indexed')
  const thread = new Worker(PROGRAM, { workerData: place })
  thread.on('message', (line: string) => report(line))
  thread.on('error', (error: Error) => report(`indexing places failed: ${error.message}`))
  const ended = once(thread, 'exit').catch(() => undefined)
  return {
    async stop() {
      thread.postMessage('stop')
      const killing = setTimeout(() => void thread.terminate(), STOP_MS)
      await ended
      clearTimeout(killing)
    },
  }
}
