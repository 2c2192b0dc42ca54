/** Turns batches into parcels in threads, which run this file too: an import uses all cores. */
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { CommandError } from '../../base/errors.ts'
import { listChecked, takeChecked } from '../mapping/pattern-check.ts'
import type { FreshBatch } from '../pick-fresh.ts'
import {
  type BatchReader,
  type BatchResult,
  type BatchRows,
  type BatchSetup,
  type BatchTally,
  makeBatchReader,
} from './batch.ts'
import * as pack from './pack.ts'

/**
 * A batch that was read. Its rows are dropped, except their number, unless a preview shows them
 * (docs/decisions/imports.md).
 */
export type ReadBatch = { batch: FreshBatch & { count: number }; result: BatchResult }

type Options = {
  setup: BatchSetup
  reader: BatchReader
  threads: BatchThreads | undefined
  keepsRows: boolean
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
 * Starts the threads for an input of some bytes. `count`: of threads; chosen by cores and size when
 * absent, and 0 reads in the calling thread. They load the program while the caller learns the
 * settings.
 */
export function startThreads(size: number, count?: number): BatchThreads | undefined {
  const chosen =
    count ?? (size < SMALL ? 0 : Math.min(Math.max(availableParallelism() - 1, 1), THREADS_MAX))
  return chosen === 0 ? undefined : workerThreads(chosen)
}

/**
 * Yields what batches make, in their order. Several batches are under way while later ones are
 * split and earlier ones are staged.
 */
export async function* readBatches(
  batches: AsyncIterable<FreshBatch>,
  { setup, reader, threads, keepsRows }: Options,
): AsyncGenerator<ReadBatch> {
  const pending: Promise<ReadBatch>[] = []
  const takeOldest = () => pending.shift() as Promise<ReadBatch>
  for await (const given of batches) {
    // Missing columns are reported here, and threads get the patterns that this has checked.
    reader.planFor(given)
    const rows = keepsRows ? given.rows : []
    const batch = { ...given, rows, toRead: [], count: given.rows.length }
    const reading = threads === undefined ? readHere(reader, given) : threads.read(setup, given)
    const read = reading.then((result) => ({ batch, result }))
    // A rejection is thrown when its batch is taken, not as an unhandled one.
    read.catch(() => {})
    pending.push(read)
    if (pending.length >= (threads?.width ?? 1)) yield takeOldest()
  }
  while (pending.length > 0) yield takeOldest()
}

type BatchThreads = AsyncDisposable & {
  /** Number of batches to keep under way. */
  readonly width: number
  /** Reads a batch. `setup`: the same for all; the threads get it with the first one. */
  read(setup: BatchSetup, batch: FreshBatch): Promise<BatchResult>
}

async function readHere(reader: BatchReader, given: FreshBatch): Promise<BatchResult> {
  const { toRead: rows, firstRow, fresh, ...batch } = given
  const parcels = [...reader.read({ ...batch, rows }, firstRow, fresh)]
  return { ...reader.take(), parcels: () => parcels }
}

/** A batch sent to a thread. */
type BatchTask = {
  id: number
  batch: Omit<BatchRows, 'rows'>
  rows: string[][] | pack.PackedRows
  firstRow: number
  fresh: boolean[]
}
/** A batch sent back: counts, and parcels as bytes. */
type BatchDone = { id: number; tally: BatchTally; parcels: pack.PackedParcels }
type BatchRefused = { id: number; refused: string }
/** Sent before the first batch. */
type BatchSettings = { setup: BatchSetup; checked: ReturnType<typeof listChecked> }

type Waiting = { resolve(result: BatchResult): void; reject(error: unknown): void }

function workerThreads(count: number): BatchThreads {
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
    waiting.get(id)?.resolve({ ...tally, parcels: () => pack.unpackParcels(parcels) })
    waiting.delete(id)
  }
  const workers = Array.from({ length: count }, startThread)
  for (const worker of workers) worker.on('message', take).on('error', fail)
  let next = 0
  const read = (setup: BatchSetup, given: FreshBatch): Promise<BatchResult> => {
    const { file, columns, toRead, points, polygons, firstRow, fresh } = given
    // A thread that has ended sends no answer.
    if (failure !== undefined) return Promise.reject(failure.error)
    const id = next
    next += 1
    if (id === 0) {
      const settings: BatchSettings = { setup, checked: listChecked() }
      for (const worker of workers) worker.postMessage(settings)
    }
    const batch = { file, columns, ...(points && { points }), ...(polygons && { polygons }) }
    const packed = pack.packRows(toRead)
    const task: BatchTask = { id, batch, rows: packed ?? toRead, firstRow, fresh }
    const handed = packed === undefined ? [] : [packed.ends.buffer]
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      workers[id % count]?.postMessage(task, handed)
    })
  }
  return {
    // Two more than are read: a thread must not wait while the caller collects garbage.
    width: count * 2 + 2,
    read,
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

function startThread(): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: { readsBatches: true },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
}

function answerTasks(): void {
  let reader: BatchReader | undefined
  parentPort?.on('message', (message: BatchSettings | BatchTask) => {
    if ('setup' in message) {
      takeChecked(message.checked)
      reader = makeBatchReader(message.setup)
    } else if (reader !== undefined) answer(message, reader)
  })
}

function answer({ id, batch, rows, firstRow, fresh }: BatchTask, reader: BatchReader): void {
  const packer = new pack.ParcelPacker(fresh.length)
  try {
    const given = { ...batch, rows: Array.isArray(rows) ? rows : pack.openRows(rows) }
    for (const parcel of reader.read(given, firstRow, fresh)) packer.add(parcel)
    const parcels = packer.finish()
    const done: BatchDone = { id, tally: reader.take(), parcels }
    parentPort?.postMessage(done, pack.buffersOf(parcels))
  } catch (error) {
    // An error that is thrown arrives without its class.
    if (!(error instanceof CommandError)) throw error
    parentPort?.postMessage({ id, refused: error.message } satisfies BatchRefused)
  }
}

if (workerData?.readsBatches === true) answerTasks()
