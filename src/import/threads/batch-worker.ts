/** A worker thread that turns batches into parcels; started by `pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { CommandError } from '../../base/errors.ts'
import { type listChecked, takeChecked } from '../mapping/pattern-check.ts'
import { type BatchRows, type BatchSetup, type BatchTally, makeBatchReader } from './batch.ts'
import { buffersOf, openRows, type PackedParcels, type PackedRows, ParcelPacker } from './pack.ts'

/** A batch sent to a reading thread. */
export type BatchTask = {
  id: number
  batch: Omit<BatchRows, 'rows'>
  rows: string[][] | PackedRows
  firstRow: number
  fresh: boolean[]
}
/** A batch sent back: counts, and parcels as bytes. */
export type BatchDone = { id: number; tally: BatchTally; parcels: PackedParcels }
export type BatchRefused = { id: number; refused: string }
export type BatchWorkerData = { setup: BatchSetup; checked: ReturnType<typeof listChecked> }

const { setup, checked } = workerData as BatchWorkerData
takeChecked(checked)
const reader = makeBatchReader(setup)

parentPort?.on('message', ({ id, batch, rows, firstRow, fresh }: BatchTask) => {
  const packer = new ParcelPacker(fresh.length)
  try {
    const tally = reader.read(
      { ...batch, rows: Array.isArray(rows) ? rows : openRows(rows) },
      firstRow,
      fresh,
      (parcel) => packer.add(parcel),
    )
    const parcels = packer.finish()
    const done: BatchDone = { id, tally, parcels }
    parentPort?.postMessage(done, buffersOf(parcels))
  } catch (error) {
    // An error that is thrown arrives without its class.
    if (!(error instanceof CommandError)) throw error
    parentPort?.postMessage({ id, refused: error.message } satisfies BatchRefused)
  }
})
