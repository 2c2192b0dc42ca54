/**
 * Checks that a killed enrichment neither pays for a row twice nor writes it twice. Kills it at
 * random moments and resumes it.
 *
 *   node bench/enrich-kills.ts [--kills 100] [--rows 6000] [--url yes|no] [--out FILE]
 *
 * Each found row costs a token. The first run is not killed. The output of each later run is
 * compared with its output byte by byte; runs are repeated until all kills are done. `owed`: the
 * tokens that as many runs without a kill would cost.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SAMPLE_COLUMNS } from '../src/sample/columns.ts'
import { generateSample } from '../src/sample/generate.ts'
import { csvRow } from '../src/sample/write.ts'
import { describeMachine } from './kit/machine.ts'
import { tellResult } from './kit/result.ts'
import { platbook, prepareData, startRunning, withScratch } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    rows: { type: 'string', default: '6000' },
    url: { type: 'string', default: 'yes' },
    out: { type: 'string' },
  },
})
const MAIN = new URL('../src/cli/main.ts', import.meta.url).pathname
const LEAD = ['address', 'unitNumberStripped', 'city', 'state', 'zipCode'] as const
/** A kill comes within this time after the start, so that it hits every part of a run. */
const WITHIN_MS = 6000

tellResult(await withScratch(run), values.out)

async function run(data: string) {
  const parcels = Number(values.rows)
  const { key } = prepareData(data, parcels)
  platbook(['price', 'set', 'batch', '1'], data)
  const leads = join(data, 'leads.csv')
  writeFileSync(leads, writeLeads(parcels))
  const service = await startRunning({ data, workers: 1 })
  const options = values.url === 'yes' ? ['--url', service.address, '--key', key] : ['--data', data]
  const whole = join(data, 'whole.csv')
  await enrich(leads, whole, options)
  const expected = readFileSync(whole)
  const each = readPaid(data)
  let [kills, finished, different] = [0, 0, 0]
  for (let at = 0; kills < Number(values.kills); at += 1) {
    const out = join(data, `out-${at}.csv`)
    while (!existsSync(out)) {
      const killed = await enrich(leads, out, options, kills < Number(values.kills))
      if (killed) kills += 1
    }
    finished += 1
    if (!readFileSync(out).equals(expected)) different += 1
  }
  await service.stop()
  const [owed, paid] = [each * (finished + 1), readPaid(data)]
  return { machine: describeMachine(), kills, finished, different, owed, paid }
}

/** Runs to the end or until a kill at a random moment; returns whether it was killed. */
async function enrich(
  leads: string,
  out: string,
  options: readonly string[],
  mayKill = false,
): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, 'enrich', leads, '--out', out, ...options], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  if (mayKill) {
    await Promise.race([ended, setTimeout(Math.random() * WITHIN_MS)])
    child.kill('SIGKILL')
  }
  const [code, signal] = (await ended) as [number | null, string | null]
  if (signal === null && code !== 0) throw new Error(`enrich ended with ${code}`)
  return signal === 'SIGKILL'
}

/** Tokens of the only account. */
function readPaid(data: string): number {
  return Number(/"used":\s*(\d+)/.exec(platbook(['usage', '--json'], data))?.[1])
}

function writeLeads(parcels: number): string {
  const places = LEAD.map((column) => SAMPLE_COLUMNS.indexOf(column))
  const rows = [...generateSample({ parcels, seed: 1 })].map((row) =>
    csvRow(places.map((at) => row[at] ?? '')),
  )
  return `Address,Unit,City,State,Zip\n${rows.join('')}`
}
