/**
 * What many suppressions cost an import: first loads of the same generated roll with and without
 * them, in turns, and the time to check one parcel that no suppression matches. Prints JSON.
 *
 *   npm run bench:suppress -- [--parcels 50000] [--suppressions 100000] [--turns 5]
 *
 * No suppressed person is on the roll, because that holds for nearly all parcels that an import
 * reads.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeSuppression } from '../src/privacy/suppress.ts'
import { openMatcher } from '../src/record/suppress.ts'
import { writeSampleFile } from '../src/sample/file.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { openAccounts, prepareData } from '../src/store/open.ts'
import { openRewriter } from '../src/store/open-rolls.ts'
import { rulesOf } from '../src/store/suppressions.ts'
import type { ImportCost, ImportTask } from './kit/import-run.ts'
import { describeMachine } from './kit/machine.ts'
import { median, round } from './kit/numbers.ts'
import { tellResult } from './kit/result.ts'
import { withScratch } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '50000' },
    suppressions: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
})
const RUN = new URL('./kit/import-run.ts', import.meta.url).pathname
const ROUNDS = 7

tellResult(await withScratch(measure), values.out)

async function measure(scratch: string) {
  const csv = join(scratch, 'roll.csv')
  await writeSampleFile({ parcels: Number(values.parcels), seed: 1 }, csv)
  const none = join(scratch, 'none')
  const many = join(scratch, 'many')
  mkdirSync(none)
  await prepareData({ ...readConfig({}), data: none })
  cpSync(none, many, { recursive: true })
  await suppress(many, Number(values.suppressions))
  const costs: Record<'none' | 'many', ImportCost[]> = { none: [], many: [] }
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    costs.none.push(await load(csv, none, join(scratch, 'run')))
    costs.many.push(await load(csv, many, join(scratch, 'run')))
  }
  const shares = costs.many.map(
    ({ cpuSeconds }, at) => cpuSeconds / (costs.none[at]?.cpuSeconds ?? Number.NaN),
  )
  const cpuOf = (list: ImportCost[]) => round(median(list.map(({ cpuSeconds }) => cpuSeconds)), 2)
  const passOver = await timeMatcher(many, csv, scratch)
  return {
    question: 'what suppressions cost an import',
    machine: describeMachine(),
    parcels: Number(values.parcels),
    suppressions: Number(values.suppressions),
    cpuSeconds: { none: cpuOf(costs.none), many: cpuOf(costs.many) },
    cpuShare: round(median(shares), 3),
    cpuShares: shares.map((share) => round(share, 3)),
    ...passOver,
    shareOfImport: round(
      (passOver.microsAParcel * Number(values.parcels)) / 1e6 / cpuOf(costs.none),
      4,
    ),
  }
}

async function suppress(data: string, count: number): Promise<void> {
  const made = Array.from({ length: count }, (_, at) =>
    makeSuppression(
      {
        kind: 'owner',
        text: `ZY${letters(at)}, QA${letters(at * 7)} J`,
        scope: 'owner',
        place: { state: 'WI', fips: 55025 },
        basis: 'bench',
        until: null,
        nameOrder: 'last-first',
      },
      { data, registryHash: null },
      0,
    ),
  )
  const accounts = await openAccounts({ ...readConfig({}), data })
  await accounts.admin.putSuppressions(made).finally(() => accounts.close())
}

function letters(number: number): string {
  return [...number.toString(26)]
    .map((digit) => digit.replace(/\d/, (one) => 'QRSTUVWXYZ'[Number(one)] ?? ''))
    .join('')
    .toUpperCase()
}

/** A first load into a copy of a prepared folder. */
async function load(csv: string, prepared: string, dataDir: string): Promise<ImportCost> {
  rmSync(dataDir, { recursive: true, force: true })
  cpSync(prepared, dataDir, { recursive: true })
  const child = fork(RUN, { execArgv: [] })
  child.send({ file: csv, mapping: 'platbook', dataDir, threads: 0 } satisfies ImportTask)
  const [cost] = (await once(child, 'message')) as [ImportCost]
  await once(child, 'exit')
  return cost
}

async function timeMatcher(prepared: string, csv: string, scratch: string) {
  const data = join(scratch, 'run')
  await load(csv, prepared, data)
  const accounts = await openAccounts({ ...readConfig({}), data })
  const all = await accounts.admin.suppressionRules().finally(() => accounts.close())
  const rules = rulesOf(all, { data, registryHash: null })
  if (rules === undefined) throw new Error('there are no suppressions')
  const rewriter = await openRewriter({ ...readConfig({}), data })
  const parcels: Parameters<ReturnType<typeof openMatcher>>[0][] = []
  await rewriter.scan((kept) => {
    const { s } = JSON.parse(kept.keys) as { s: [string, string, string][] }
    const situs = s.map(([key, , unitKey]) => ({ key, unitKey }))
    parcels.push({ ...kept, owners: kept.keys, situs })
    return false
  })
  await rewriter.close()
  const started = performance.now()
  const match = openMatcher(rules)
  const openMs = performance.now() - started
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (const parcel of parcels) match(parcel)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / parcels.length
  })
  return { openMs: Math.round(openMs), microsAParcel: round(median(rounds), 3) }
}
