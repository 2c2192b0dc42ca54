/** Updates sources one after the other: look, download, load, record. */
import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { CommandError } from '../../base/errors.ts'
import { fetchRoll, type LoadWorld, loadFetched } from '../load-roll.ts'
import { loadMapping, type MappingDocument } from '../mapping/mapping.ts'
import { splitPath } from '../readers/container.ts'
import type { ImportReport } from '../report/import-report.ts'
import type { Source } from '../sources/catalogue.ts'
import { isSameLook, type Look, lookAt } from '../sources/look.ts'
import { showAddress } from '../sources/web.ts'
import { isDue } from './due.ts'
import { type Kept, readKept, writeKept } from './kept.ts'
import { lockSync } from './lock.ts'

export type SourceJob = {
  addresses: string[]
  mapping: MappingDocument
  state: string | undefined
  county: string | undefined
}

type SyncWorld = LoadWorld & {
  /** Identifies the store that is loaded; states of another store are ignored. */
  store: string
  /** Addresses of which the store still holds a load. */
  loads: ReadonlyMap<string, unknown>
  /** Only sources that are due by their `updates`. */
  due: boolean
  /** Loads polygons too; a source keeps that. */
  geometry: boolean
  /** Also loads sources that look unchanged. */
  again: boolean
  /** Skips the guard. */
  force: boolean
}

export type SourceReport = {
  id: string
  /** `waiting`: not due yet, or the person stopped the sync before it. */
  outcome: 'loaded' | 'unchanged' | 'waiting' | 'failed'
  error: string | null
  /** Only for a source that was loaded. */
  load: ImportReport | null
  seconds: number
}

/**
 * Syncs sources under the folder's lock; a failed one stops no other. `all`: the catalogue, for ids
 * in `join`. Throws `CommandError` when another sync has the lock.
 */
export async function* runSync(
  world: SyncWorld,
  chosen: Source[],
  all: Source[],
): AsyncGenerator<SourceReport> {
  const { web } = world
  const { data } = world.config
  const lock = lockSync(data, web.now())
  try {
    for (const source of chosen) {
      const start = web.now()
      lock.note(source.id)
      const kept = readKept(data, source.id)
      const result = web.isStopped()
        ? { outcome: 'waiting' as const, load: null }
        : await syncSource(world, source, all, kept)
      const error = 'error' in result ? result.error : null
      const seconds = Math.round(web.now() - start) / 1000
      yield { id: source.id, error, seconds, outcome: result.outcome, load: result.load }
    }
  } finally {
    lock.release()
  }
}

type Result = Pick<SourceReport, 'outcome' | 'load'> & { error?: string }

async function syncSource(
  world: SyncWorld,
  source: Source,
  all: Source[],
  kept: Kept,
): Promise<Result> {
  const { web, force } = world
  const { data: dataDir } = world.config
  try {
    const { addresses, ...job } = readJob(source, all)
    const shown = addresses.map(showAddress)
    const geometry = world.geometry || kept.geometry
    const setup = hash('sha256', JSON.stringify([world.store, geometry, job.mapping, shown]))
    const isHere = kept.setup === setup && shown.every((address) => world.loads.has(address))
    if (world.due && isHere && !isDue(source.updates, kept.checkedAt, web.now())) {
      return { outcome: 'waiting', load: null }
    }
    const known = isHere && !world.again ? kept : undefined
    const looks: Look[] = []
    for (const address of addresses) looks.push(await lookAt(web, address, false))
    const found = { checkedAt: web.now(), looks, setup, geometry, stopped: false }
    const settled = { ...kept, failedAt: null, error: null, ...found }
    if (known !== undefined && isSame(known.looks, looks)) {
      writeKept(dataDir, settled)
      return { outcome: 'unchanged', load: null }
    }
    const fetched = await fetchRoll(world, { ...job, sources: addresses, geometry, force })
    const digest = await digestFiles(fetched.files).catch((error) => {
      fetched.close(false)
      throw error
    })
    if (known !== undefined && digest === known.digest) {
      fetched.close(true)
      writeKept(dataDir, settled)
      return { outcome: 'unchanged', load: null }
    }
    const load = await loadFetched(world, fetched)
    writeKept(dataDir, { ...settled, digest, checkedAt: web.now(), loadedAt: web.now() })
    return { outcome: 'loaded', load }
  } catch (cause) {
    // A failure of one source must not stop the others. An unexpected error is reported as a
    // defect.
    const known = cause instanceof CommandError
    const error = known ? cause.message : `unexpected: ${(cause as Error).message}`
    writeKept(dataDir, { ...kept, failedAt: web.now(), error })
    return { outcome: 'failed', error, load: null }
  }
}

/** What to load for a source. Throws `CommandError` for an incomplete entry. */
export function readJob(source: Source, all: Source[]): SourceJob {
  const { id, url, mapping: name, state, counties } = source
  if (url === null) {
    throw new CommandError(`the catalogue has no address of ${id}; give one by sources add`)
  }
  if (name === null) {
    throw new CommandError(
      `no mapping reads ${id} yet; draft one with platbook inspect ${showAddress(url)} ` +
        'and name it by sources add',
    )
  }
  const mapping = loadMapping(name)
  const more = (source.join ?? []).map((other) => {
    if (/^https?:\/\//.test(other)) return other
    const found = all.find((one) => one.id === other)
    if (found?.url != null) return found.url
    throw new CommandError(`${id} is joined with ${other}, of which the catalogue has no address`)
  })
  const only = Array.isArray(counties) && counties.length === 1 ? counties[0] : undefined
  const namesCounty = mapping.county !== undefined || mapping.fields.county !== undefined
  return {
    addresses: [url, ...more],
    mapping,
    state: state === '*' ? undefined : state,
    county: namesCounty ? undefined : only?.slice(0, 5),
  }
}

function isSame(before: Look[], now: Look[]): boolean {
  return before.length === now.length && now.every((look, at) => isSameLook(before[at], look))
}

async function digestFiles(files: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    for await (const chunk of createReadStream(splitPath(file).file)) hash.update(chunk as Buffer)
    hash.update('\n')
  }
  return hash.digest('hex')
}
