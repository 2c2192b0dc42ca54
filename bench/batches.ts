/**
 * Measures how long concurrent large batches block a worker's event loop. The app runs in this
 * process; a thread sends the batches.
 *
 *   node bench/batches.ts [--parcels 20000] [--batches 8] [--rows 1000] [--rounds 5] [--out FILE]
 *
 * Prints JSON: turns of the event loop by kind of row, the longest and the p99, in milliseconds of
 * this thread's processor time, so that other programs do not count.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { startService } from '../test/service.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { platbook, withScratch } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    batches: { type: 'string', default: '8' },
    rows: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
})

/** Sends the same body on all connections at once, and reads all answers. */
const SENDER = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.on('message', async ({ body, batches }) => {
  const { url, key } = workerData
  const send = async () => {
    const headers = { authorization: key, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  parentPort.postMessage(await Promise.all(Array.from({ length: batches }, send)))
})`

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const roll = join(scratch, 'roll.csv')
  platbook(['sample', '--parcels', values.parcels, '--out', roll], scratch)
  const service = await startService(readFileSync(roll, 'utf8'), { audit: 'off' })
  const key = await service.keyFor()
  const workerData = { url: `${service.address}/public/batch/`, key }
  const sender = new Worker(SENDER, { eval: true, workerData })
  try {
    const lists = await makeQueries(service.config.data, Number(values.rows))
    const results: Record<string, unknown> = {}
    for (const kind of ['parcelId', 'address'] as const) {
      const rows = lists[kind].map(({ path }) =>
        Object.fromEntries(new URL(path, service.address).searchParams),
      )
      results[kind] = await measure(sender, JSON.stringify(rows))
    }
    return { machine: describeMachine(), batches: Number(values.batches), results }
  } finally {
    await sender.terminate()
    await service.close()
  }
}

async function measure(sender: Worker, body: string) {
  const rounds = []
  // The first is a warm-up, in which the code is compiled.
  for (let at = 0; at <= Number(values.rounds); at += 1) rounds.push(await sendOnce(sender, body))
  const warm = rounds.slice(1)
  const each = (of: (one: (typeof warm)[number]) => number) => round(median(warm.map(of)), 1)
  return {
    bytes: body.length,
    statuses: warm.at(-1)?.statuses,
    turns: each(({ turns }) => turns.length),
    allMs: each(({ turns }) => turns.reduce((sum, ms) => sum + ms, 0)),
    p99Ms: each(({ turns }) => turns[Math.floor(turns.length * 0.99)] ?? 0),
    longestMs: each(({ turns }) => turns.at(-1) ?? 0),
  }
}

async function sendOnce(sender: Worker, body: string) {
  const turns: number[] = []
  let isOver = false
  let before = process.threadCpuUsage()
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before)
    turns.push((user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  sender.postMessage({ body, batches: Number(values.batches) })
  const [statuses] = (await once(sender, 'message')) as [number[]]
  isOver = true
  return { statuses, turns: turns.filter((ms) => ms > 0.05).sort((a, b) => a - b) }
}
