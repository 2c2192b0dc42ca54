/** Reads the row groups of a release in a thread, a group ahead of who asks. */
import { Worker } from 'node:worker_threads'
import type { Groups, Keys, Row } from './row-groups.ts'

/** Without a group it asks how many there are; without indexes for the keys of a group. */
export type ToGroupsThread = { job: number; at?: number; indexes?: readonly number[] }

export type FromGroupsThread = { job: number } & Partial<Answer> & { error?: unknown }

type Answer = { count: number; keys: Keys; rows: Row[] }

const PROGRAM = new URL('groups-thread.ts', import.meta.url)
/** What a thread makes lives outside its heap, which would grow by 60 MB for nothing. */
const YOUNG_MB = 12

export async function openGroupsInThread(path: string): Promise<Groups> {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB }
  const thread = new Worker(PROGRAM, { workerData: path, resourceLimits })
  const waiting = new Map<number, PromiseWithResolvers<Partial<Answer>>>()
  let failure: { error: unknown } | undefined
  let jobs = 0
  const fail = (error: unknown) => {
    failure ??= { error }
    for (const { reject } of waiting.values()) reject(failure.error)
    waiting.clear()
  }
  thread.on('message', ({ job, error, ...answer }: FromGroupsThread) => {
    if (error === undefined) waiting.get(job)?.resolve(answer)
    else waiting.get(job)?.reject(error)
    waiting.delete(job)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('the thread that reads row groups has ended')))
  const ask = (asked: Omit<ToGroupsThread, 'job'>) => {
    // A thread that has ended sends no answer.
    if (failure !== undefined) return Promise.reject(failure.error)
    const own = Promise.withResolvers<Partial<Answer>>()
    waiting.set(jobs, own)
    thread.postMessage({ ...asked, job: jobs } satisfies ToGroupsThread)
    jobs += 1
    return own.promise
  }
  const close = () => thread.terminate()
  const { count = 0 } = await ask({}).catch(async (error) => {
    await close()
    throw error
  })
  let next: { at: number; keys: Promise<Partial<Answer>> } | undefined
  return {
    ...{ count, close },
    async read(at) {
      const keys = next?.at === at ? next.keys : ask({ at })
      next = { at: at + 1, keys: ask({ at: at + 1 }) }
      // It may fail when nobody asks any more.
      next.keys.catch(() => undefined)
      return (await keys).keys as Keys
    },
    pick: async (at, indexes) => (await ask({ at, indexes })).rows as Row[],
  }
}
