/**
 * The thread of `place-filling.ts`: fills slice after slice, with pauses in which imports may
 * write.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../base/errors.ts'
import { fillPlaces } from '../import/fill-places.ts'
import { sqliteCode } from '../store/sqlite/connection.ts'

/** Leaves half of the time to other writers. */
const PAUSE_MS = 100

/** Milliseconds after a failed write, for example while an import applies a roll. */
const RETRY_MS = 5000

let stopping = false
parentPort?.on('message', () => {
  stopping = true
  parentPort?.close()
})

while (!stopping) {
  try {
    await fillPlaces(String(workerData), async () => {
      await wait(PAUSE_MS)
      return !stopping
    })
    if (!stopping) parentPort?.postMessage('the places of all parcels are indexed')
    break
  } catch (error) {
    if (!(error instanceof Refusal) && sqliteCode(error) === undefined) throw error
    await wait(RETRY_MS, undefined, { ref: false })
  }
}
parentPort?.close()
