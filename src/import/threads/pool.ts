/** A pool of threads that turn batches into parcels, so that an import uses all cores. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../base/errors.ts'
import type { StagedParcel } from '../../store/store.ts'
import { listChecked } from '../mapping/pattern-check.ts'
import { type BatchResult, type BatchRows, type BatchSetup, makeBatchReader } from './batch.ts'
import type { BatchDone, BatchRefused, BatchTask, BatchWorkerData } from './batch-worker.ts'
import { packRows, unpackParcels } from './pack.ts'

/** A batch whose rows are in memory. */
type ListedRows = BatchRows & { rows: string[][] }

/** Reads batches in threads, or in the calling thread for a small input. */
export type BatchPool = {
  /** Number of batches to keep under way. */
  readonly width: number
  read(batch: ListedRows, firstRow: number, fresh: boolean[]): Promise<BatchResult>
  close(): Promise<void>
}

/**
 * Inputs below this size in bytes, packed or not, are read in the calling thread. Starting threads
 * takes as long as 10,000 rows.
 */
const SMALL = 2_000_000
/**
 * More threads would only wait for the one that writes. Each uses up to 150 MB, and compiles all
 * functions for itself.
 */
const THREADS_MAX = 2
const HEAP_MB = 160

/**
 * Starts a pool for the size of an input, or with a given number of threads; 0 reads in the calling
 * thread.
 */
export function openPool(setup: BatchSetup, inputBytes: number, threads?: number): BatchPool {
  const count =
    threads ??
    (inputBytes < SMALL ? 0 : Math.min(Math.max(availableParallelism() - 1, 1), THREADS_MAX))
  return count === 0 ? ownThread(setup) : workerThreads(setup, count)
}

function ownThread(setup: BatchSetup): BatchPool {
  const reader = makeBatchReader(setup)
  return {
    width: 1,
    async read(batch, firstRow, fresh) {
      const parcels: StagedParcel[] = []
      const tally = reader.read(batch, firstRow, fresh, (parcel) => parcels.push(parcel))
      return { ...tally, parcels: () => parcels }
    },
    close: async () => {},
  }
}

type Waiting = { resolve(result: BatchResult): void; reject(error: unknown): void }

function workerThreads(setup: BatchSetup, count: number): BatchPool {
  const waiting = new Map<number, Waiting>()
  let failure: { error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const take = (answer: BatchDone | BatchRefused) => {
    if ('refused' in answer) return fail(new CommandError(answer.refused))
    const { id, tally, parcels } = answer
    waiting.get(id)?.resolve({ ...tally, parcels: () => unpackParcels(parcels) })
    waiting.delete(id)
  }
  const workers = Array.from({ length: count }, () => startThread(setup))
  for (const worker of workers) worker.on('message', take).on('error', fail)
  let next = 0
  return {
    width: count * 2,
    read({ file, columns, rows, points, polygons }, firstRow, fresh) {
      // A thread that has ended sends no answer.
      if (failure !== undefined) return Promise.reject(failure.error)
      const id = next
      next += 1
      const batch = { file, columns, ...(points && { points }), ...(polygons && { polygons }) }
      const packed = packRows(rows)
      const task: BatchTask = { id, batch, rows: packed ?? rows, firstRow, fresh }
      const handed = packed === undefined ? [] : [packed.ends.buffer]
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        workers[id % count]?.postMessage(task, handed)
      })
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

function startThread(setup: BatchSetup): Worker {
  return new Worker(new URL('batch-worker.ts', import.meta.url), {
    workerData: { setup, checked: listChecked() } satisfies BatchWorkerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
}
