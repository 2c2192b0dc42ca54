/** Computes a digest of everything except the row that determines the stored parcel. */
import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchSetup } from '../threads/batch.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const TABLES = join(ROOT, '..', 'tables')
/** Folders with the code that turns rows into stored parcels. */
const FOLDERS = [
  'address',
  'base',
  'geo',
  'import',
  'owner',
  'privacy',
  'record',
  'regions',
  'sales',
  'settings',
  'store',
]

let program: string | undefined

/**
 * Returns the digest of mapping, options, learned cities, suppressions and program. Two imports
 * with the same digest make the same parcel from the same row, except for dates ahead of `today`.
 * `expected`: the fields whose shares are counted.
 */
export function digestContext(setup: BatchSetup, expected: readonly string[]): string {
  const { mapping, state, county, forcedOrder, rollYear, geometry, cities, suppress } = setup
  const hidden = suppress && [Buffer.from(suppress.secret).toString('hex'), suppress.rules]
  const settings = {
    mapping,
    state,
    county,
    forcedOrder,
    rollYear,
    geometry,
    cities,
    hidden,
    expected,
  }
  return createHash('sha256').update(digestProgram()).update(JSON.stringify(settings)).digest('hex')
}

function digestProgram(): string {
  if (program !== undefined) return program
  const hash = createHash('sha256').update(process.version)
  hash.update(readFileSync(join(ROOT, '..', 'package.json')))
  for (const name of readdirSync(TABLES).sort())
    hash.update(name).update(readFileSync(join(TABLES, name)))
  for (const folder of FOLDERS) addFolder(hash, join(ROOT, folder))
  program = hash.digest('hex')
  return program
}

function addFolder(hash: Hash, folder: string): void {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) addFolder(hash, path)
    else if (/(?<!\.test)\.[jt]s$/.test(path))
      hash.update(path.slice(ROOT.length)).update(readFileSync(path))
  }
}
