/** A thread that turns batches into parcels; `pool.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BatchRows, type BatchSetup, type BatchTally, makeBatchReader } from './batch.ts'
import { buffersOf, openRows, type PackedParcels, type PackedRows, ParcelPacker } from './pack.ts'

export type BatchTask = {
  id: number
  batch: Omit<BatchRows, 'rows'>
  rows: string[][] | PackedRows
  firstRow: number
  fresh: boolean[]
}
export type BatchDone = { id: number; tally: BatchTally; parcels: PackedParcels }

const reader = makeBatchReader(workerData as BatchSetup)

parentPort?.on('message', ({ id, batch, rows, firstRow, fresh }: BatchTask) => {
  const all = Array.isArray(rows) ? rows : openRows(rows)
  const packer = new ParcelPacker()
  const tally = reader.read({ ...batch, rows: all }, firstRow, fresh, (parcel) =>
    packer.add(parcel),
  )
  const parcels = packer.finish()
  const done: BatchDone = { id, tally, parcels }
  parentPort?.postMessage(done, buffersOf(parcels))
})
