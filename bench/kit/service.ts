/** Starts the measured service with generated data and a key, and lists its processes by kind. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ROOT,
  type RunningService,
  type StartOptions,
  startRunning as startPatient,
} from '../../test/ledger/running-service.ts'

export { ROOT, type RunningService }

/** Runs a command of the command line and returns its output. */
export function platbook(words: string[], data: string, root = ROOT): string {
  const args = [join(root, 'src/cli/main.ts'), ...words, '--data', data]
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export type Customer = { account: string; key: string }

/** An account with a key. `root`: the checkout whose data it is. */
export function makeCustomer(data: string, settings: string[] = [], root = ROOT): Customer {
  const account = JSON.parse(
    platbook(['account', 'create', 'Test', ...settings, '--json'], data, root),
  ).id
  const key = JSON.parse(platbook(['key', 'create', account, '--json'], data, root)).key
  return { account, key }
}

/** Uses the default patience, which tests raise. All load comes from one address. */
export function startRunning(options: StartOptions): Promise<RunningService> {
  return startPatient({
    ...options,
    env: { PLATBOOK_PATIENCE_MS: '100', PLATBOOK_ADDRESS_SHARE: '100', ...options.env },
  })
}

/** Makes generated parcels where the folder holds none, and an account with a key. */
export function prepareData(data: string, parcels: number): { key: string } {
  if (!existsSync(join(data, 'parcels.db'))) {
    platbook(['sample', '--parcels', String(parcels), '--json'], data)
  }
  return makeCustomer(data)
}

/** Makes the same generated parcels in a store of each checkout, whose own `import` loads them. */
export function prepareAlike(folder: string, parcels: number, roots: readonly string[]) {
  const csv = join(folder, 'parcels.csv')
  platbook(['sample', '--parcels', String(parcels), '--out', csv], folder)
  const prepared = roots.map((root, at) => {
    const data = join(folder, `data-${at}`)
    platbook(['import', csv, '--mapping', 'platbook'], data, root)
    return { data, key: makeCustomer(data, [], root).key, root }
  })
  rmSync(csv)
  return prepared
}

/** Runs with a folder that is deleted afterwards. */
export async function withScratch<Result>(
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-bench-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The process id of the only worker. */
export function workerOf(service: RunningService): number {
  const [pid] = service.pids('worker')
  if (pid === undefined) throw new Error('no worker runs')
  return pid
}
