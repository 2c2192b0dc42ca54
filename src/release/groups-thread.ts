/** A thread that reads the row groups of a release; started by `groups-in-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FromGroupsThread, ToGroupsThread } from './groups-in-thread.ts'
import { openGroups } from './row-groups.ts'

const groups = openGroups(workerData)

parentPort?.on('message', async ({ job, at, indexes }: ToGroupsThread) => {
  try {
    const { count, read, pick } = await groups
    if (at === undefined) tell({ job, count })
    else if (indexes !== undefined) tell({ job, rows: await pick(at, indexes) })
    else {
      const keys = await read(at)
      tell({ job, keys }, [keys.digests.buffer])
    }
  } catch (error) {
    tell({ job, error })
  }
})

function tell(answer: FromGroupsThread, handed: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, handed)
}
