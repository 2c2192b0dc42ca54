/** The thread that compares groups: see `comparison.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from './compare.ts'
import type { FromThread, ToThread } from './comparison.ts'

const reader = openReader(workerData)

parentPort?.on('message', async ({ name, words }: ToThread) => {
  const reply = (message: FromThread) => parentPort?.postMessage(message)
  try {
    const answer = (await reader)[name] as (...words: unknown[]) => Promise<unknown>
    reply({ answer: await answer(...words) })
  } catch (error) {
    reply({ failed: error instanceof Error ? error.message : String(error) })
  }
})
