/** A thread that turns batches into parcels; `pool.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BatchResult, type BatchRows, type BatchSetup, makeBatchReader } from './batch.ts'
import { buffersOf, type PackedParcels, type PackedRows, packParcels, unpackRows } from './pack.ts'

export type BatchTask = {
  id: number
  batch: Omit<BatchRows, 'rows'>
  rows: string[][] | PackedRows
  firstRow: number
  fresh: boolean[]
}
export type BatchDone = {
  id: number
  result: Omit<BatchResult, 'parcels'>
  parcels: PackedParcels
}

const reader = makeBatchReader(workerData as BatchSetup)

parentPort?.on('message', ({ id, batch, rows, firstRow, fresh }: BatchTask) => {
  const all = Array.isArray(rows) ? rows : unpackRows(rows)
  const { parcels, ...result } = reader.read({ ...batch, rows: all }, firstRow, fresh)
  const packed = packParcels(parcels)
  const done: BatchDone = { id, result, parcels: packed }
  parentPort?.postMessage(done, buffersOf(packed))
})
