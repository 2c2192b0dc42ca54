/**
 * Runs test files one after the other in this process: `node test/pool.ts FILE…`. Each file is a
 * suite, so its hooks are its own and end with it. `run.ts` starts one process for each pool.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import './light-hooks.ts'
import { readProcessorMs, usedAt } from './processor-time.ts'
import { endShared } from './shared.ts'

// After the hooks are replaced: built-in modules are loaded before any other.
const { suite } = await import('node:test')

/** A process whose tests have ended ends by itself within this time. */
const ENDING_MS = 20_000

// A test may wait for a timer that does not hold its process.
const holds = setInterval(() => {}, 60_000)
const folder = process.env.TEST_POOL
for (const file of process.argv.slice(2)) {
  // Where the process ends early, the runner reads which file it was in.
  if (folder !== undefined) writeFileSync(join(folder, 'file'), file)
  await suite(file, async () => {
    await import(pathToFileURL(file).href)
  })
  usedAt.set(file, readProcessorMs())
}
await endShared()
clearInterval(holds)
// A test that timed out may still wait for what never comes; the run would wait with it.
setTimeout(() => {
  console.error(`its tests have ended, but these hold it: ${process.getActiveResourcesInfo()}`)
  process.exit(1)
}, ENDING_MS).unref()
