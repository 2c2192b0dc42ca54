/**
 * A worker thread that reads the owners of batches before other threads read the rest; started by
 * `pool.ts`.
 *
 * Half of the time goes to owner names. In a thread of its own that code is optimized by the JIT
 * compiler earlier, after half the rows (docs/decisions/imports.md).
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readNames } from '../rows/normalize.ts'
import { ownerReader, writeOwners } from '../rows/owners.ts'
import { type BatchSetup, planCache } from './batch.ts'
import type { BatchTask } from './batch-worker.ts'
import { openRows, packRows } from './pack.ts'

/** `readers`: the threads that read the rest, used in turn. */
export type OwnersWorkerData = { setup: BatchSetup; readers: MessagePort[] }

const { setup, readers } = workerData as OwnersWorkerData
const planFor = planCache(setup)
const read = ownerReader(setup.evidence)
const mappingOrder = setup.mapping.nameOrder ?? 'mixed'

parentPort?.on('message', (task: BatchTask) => {
  const owners = packRows(readBatch(task))
  const packs = [task.rows, owners].filter((pack) => pack !== undefined && 'ends' in pack)
  readers[task.id % readers.length]?.postMessage(
    { ...task, ...(owners && { owners }) } satisfies BatchTask,
    packs.map(({ ends }) => ends.buffer),
  )
})

function readBatch({ batch, rows, fresh }: BatchTask): string[][] {
  const plan = planFor(batch)
  const all = Array.isArray(rows) ? rows : openRows(rows)
  return fresh.map((isFresh, at) => {
    const row = isFresh ? all.at(at) : undefined
    if (row === undefined) return UNREAD
    const { slot1, slot2, order } = readNames(row, plan, mappingOrder, setup.forcedOrder)
    return writeOwners(read(slot1, slot2, order))
  })
}

/** Placeholder for a row whose owners are not needed. */
const UNREAD = ['', '', '', '']
