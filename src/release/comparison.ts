/** Shares the groups of two releases among threads. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type GroupReader, openReader, type ReleasePaths } from './compare.ts'

const PROGRAM = new URL('comparison-thread.ts', import.meta.url)

/** Each keeps the bytes of two groups and the values of a column. */
const THREADS = Math.min(2, availableParallelism())
/** Fewer are compared before a thread has started. */
const GROUPS_MIN = 8

type Comparison = { groups: number; readers: readonly GroupReader[]; close(): Promise<void> }

export type ToThread = { name: keyof GroupReader; words: unknown[] }
export type FromThread = { answer: unknown } | { failed: string }

export async function openComparison(paths: ReleasePaths): Promise<Comparison> {
  const { groups, ...here } = await openReader(paths)
  const threads = groups < GROUPS_MIN ? [] : Array.from({ length: THREADS }, () => start(paths))
  const readers = threads.length === 0 ? [here] : threads.map(readThrough)
  return {
    groups,
    readers,
    async close() {
      for (const thread of threads) await thread.terminate()
    },
  }
}

/** Does some work for each of some items, one on each reader at a time, and keeps their order. */
export async function* inTurns<Item, Result>(
  items: readonly Item[],
  readers: readonly GroupReader[],
  work: (item: Item, reader: GroupReader) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let at = 0; at < items.length; at += readers.length) {
    const some = items.slice(at, at + readers.length)
    yield* await Promise.all(some.map((item, own) => work(item, readers[own] as GroupReader)))
  }
}

function start(paths: ReleasePaths): Worker {
  return new Worker(PROGRAM, {
    workerData: paths,
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 },
  })
}

/** One question at a time. */
function readThrough(thread: Worker): GroupReader {
  const ask = async (name: keyof GroupReader, ...words: unknown[]) => {
    const ended = new AbortController()
    const { signal } = ended
    try {
      const answered = once(thread, 'message', { signal })
      const exited = once(thread, 'exit', { signal })
      thread.postMessage({ name, words } satisfies ToThread)
      const [message] = (await Promise.race([answered, exited])) as [FromThread | number]
      if (typeof message === 'number') throw new Error('the thread that compares releases ended')
      if ('failed' in message) throw new Error(message.failed)
      return message.answer as never
    } finally {
      ended.abort()
    }
  }
  return {
    compare: (at) => ask('compare', at),
    digest: (which, at) => ask('digest', which, at),
    describe: (part) => ask('describe', part),
  }
}
