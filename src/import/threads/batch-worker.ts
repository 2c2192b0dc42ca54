/** A worker thread that turns batches into parcels; started by `pool.ts`. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type BatchRows, type BatchSetup, type BatchTally, makeBatchReader } from './batch.ts'
import { buffersOf, openRows, type PackedParcels, type PackedRows, ParcelPacker } from './pack.ts'

/** A batch sent to a reading thread. */
export type BatchTask = {
  id: number
  batch: Omit<BatchRows, 'rows'>
  rows: string[][] | PackedRows
  firstRow: number
  fresh: boolean[]
  /** The result of reading the rows' owners; without it this thread reads them. */
  owners?: PackedRows
}
/** A batch sent back: counts, and parcels as bytes. */
export type BatchDone = { id: number; tally: BatchTally; parcels: PackedParcels }
/** `tasks`: the port that delivers batches, when another thread handles them first. */
export type BatchWorkerData = { setup: BatchSetup; tasks?: MessagePort }

const { setup, tasks = parentPort } = workerData as BatchWorkerData
const reader = makeBatchReader(setup)

tasks?.on('message', ({ id, batch, rows, firstRow, fresh, owners }: BatchTask) => {
  const packer = new ParcelPacker()
  const tally = reader.read(
    { ...batch, rows: Array.isArray(rows) ? rows : openRows(rows) },
    firstRow,
    fresh,
    (parcel) => packer.add(parcel),
    owners && openRows(owners),
  )
  const parcels = packer.finish()
  const done: BatchDone = { id, tally, parcels }
  parentPort?.postMessage(done, buffersOf(parcels))
})
