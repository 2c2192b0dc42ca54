/** Ends the process when reading a file hangs. A thread watches: the event loop may be blocked. */
import { Worker } from 'node:worker_threads'
import type { ReadingNotes } from './batch.ts'

/** Seconds without a row or a byte. The largest row groups of Parquet take some 20 s. */
const STILL_MAX_S = 120

const WATCHER = `
  const { workerData: { cells, still } } = require('node:worker_threads')
  let [last, seconds] = [-1, 0]
  setInterval(() => {
    const now = Atomics.load(cells, 0)
    seconds = now === last && Atomics.load(cells, 1) > 0 ? seconds + 1 : 0
    last = now
    if (seconds < still) return
    require('node:fs').writeSync(2, 'platbook: no row was read for ' + still + ' s: the file is ' +
      'damaged, or made to take for ever; nothing was loaded\\n')
    process.kill(process.pid, 'SIGKILL')
  }, 1000)`

let cells: Int32Array | undefined

/** Starts the watch of this process, once. `stillMax`: seconds, for tests. */
function startWatch(stillMax: number): Int32Array {
  const own = new Int32Array(new SharedArrayBuffer(8))
  const workerData = { cells: own, still: stillMax }
  new Worker(WATCHER, { eval: true, workerData, stdout: false }).unref()
  return own
}

/** Notes that a reader got on, by some bytes of a file. */
export function noteReading(notes?: ReadingNotes, bytes = 0): void {
  if (cells !== undefined) Atomics.add(cells, 0, 1)
  if (notes !== undefined) notes.bytes += bytes
}

/** Passes the items of a reader on, and watches the time in which it makes the next one. */
export async function* watchReading<Item>(
  items: AsyncIterable<Item>,
  stillMax = STILL_MAX_S,
): AsyncGenerator<Item> {
  cells ??= startWatch(stillMax)
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      Atomics.add(cells, 1, 1)
      const { value, done } = await iterator.next().finally(() => {
        if (cells !== undefined) Atomics.sub(cells, 1, 1)
        noteReading()
      })
      if (done === true) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
