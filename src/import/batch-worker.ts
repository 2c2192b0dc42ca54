/** A thread that turns batches into parcels; `pool.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type BatchRows, type BatchSetup, makeBatchReader } from './batch.ts'

export type BatchTask = { id: number; batch: BatchRows; firstRow: number; fresh: boolean[] }

const reader = makeBatchReader(workerData as BatchSetup)

parentPort?.on('message', ({ id, batch, firstRow, fresh }: BatchTask) => {
  parentPort?.postMessage({ id, result: reader.read(batch, firstRow, fresh) })
})
