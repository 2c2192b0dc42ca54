/**
 * What does a request cost with two workers, compared with one? Processor time of the whole service
 * per request, in turns in one run.
 *
 *   node bench/workers.ts [--data DIR] [--parcels 20000] [--turns 5] [--seconds 3] [--connections
 *     64] [--out FILE]
 *
 * Prints JSON; the goal is a ratio of at most 1.15. Load and service share the cores, so the second
 * worker only gets the time that wrk leaves. Therefore processor time is compared, not rates.
 */

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { cpuSecondsOfTree } from './kit/process.ts'
import { type Kind, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, type RunningService, startRunning, withScratch } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parcels: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    out: { type: 'string' },
  },
})

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const data = values.data ?? join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  // A copy: one ledger process may write a folder's accounts, not two.
  const copy = join(scratch, 'copy')
  cpSync(data, copy, { recursive: true })
  const one = await startRunning({ data, workers: 1 })
  const two = await startRunning({ data: copy, workers: 2 })
  try {
    const queries = await keepAnswered(await makeQueries(data, 1000), one.address, key)
    const results: Record<string, unknown> = {}
    for (const kind of Object.keys(queries) as Kind[]) {
      const paths = queries[kind].map(({ path }) => path)
      // Each worker compiles its hot code itself.
      for (const service of [one, two]) await drive(service, paths, key)
      const turns: { one: number[]; two: number[] } = { one: [], two: [] }
      for (let turn = 0; turn < Number(values.turns); turn += 1) {
        turns.one.push(await drive(one, paths, key))
        turns.two.push(await drive(two, paths, key))
      }
      const [first, second] = [median(turns.one), median(turns.two)]
      results[kind] = { one: first, two: second, ratio: round(second / first, 3), turns }
    }
    return { question: 'two workers against one', machine: describeMachine(), results }
  } finally {
    await one.stop()
    await two.stop()
  }
}

async function drive(service: RunningService, paths: string[], key: string): Promise<number> {
  const used = cpuSecondsOfTree(service.pid)
  const { requests, notOk } = await runWrk({
    address: service.address,
    paths,
    key,
    connections: Number(values.connections),
    seconds: Number(values.seconds),
  })
  if (notOk > requests / 100) throw new Error(`${notOk} of ${requests} requests went wrong`)
  return round(((cpuSecondsOfTree(service.pid) - used) * 1e6) / requests, 1)
}
