/** Writes a release: one folder with the data of a state, catalogues, and a signed manifest. */
import type { KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { nextTurn } from '../base/event-loop.ts'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { beginChange } from '../base/safe-files.ts'
import { beginFile, type NewFile } from '../export/new-file.ts'
import { runExport } from '../export/run.ts'
import { unite } from '../geo/sphere.ts'
import { listQuality } from '../operations/rolls/quality.ts'
import type { TileBuilder } from '../render/tiles/builder.ts'
import type { ExportReader } from '../store/export.ts'
import type { ImportEntry } from '../store/history.ts'
import type { CountyCoverage, ParcelReader } from '../store/store.ts'
import { describeDcat, describeStac, type Facts, writeReadme } from './catalog.ts'
import { type ChangeCounts, writeChanges } from './changes.ts'
import { publicOf, signBytes } from './keys.ts'
import {
  describeFile,
  hashOf,
  MANIFEST,
  type Manifest,
  SIGNATURE,
  writeManifest,
} from './manifest.ts'
import { summarize } from './row-groups.ts'
import { writeTiles } from './tiles.ts'
import { verifyFolder } from './verify.ts'

type ReleaseJob = {
  state: string
  out: string
  since: string | undefined
  privateKey: KeyObject
  reader: ExportReader
  parcels: ParcelReader
  /** Its thread ends when the tiles are written. */
  tiles: TileBuilder
  history: readonly ImportEntry[]
  loaded: readonly CountyCoverage[]
  /** The operator's mail or web address, for `data.json`. */
  contact: string | null
  /** Where callers will find the folder, with a slash at the end; '': unknown. */
  address: string
  /** Called between steps; may throw to stop. */
  onStep(text: string): void
  /** Whether it was stopped, so that the same build may continue. */
  isStopped(): boolean
}

/** Where nothing has coordinates. */
const WORLD: Facts['bounds'] = [-180, -85, 180, 85]

/** Throws `CommandError`; the folder then has no release, and what was there is kept. */
export async function buildRelease(job: ReleaseJob): Promise<Manifest> {
  const { out, state, since, loaded } = job
  if (loaded.length === 0) throw new CommandError(`nothing is loaded of ${state}`)
  if (existsSync(out) && readdirSync(out).some((name) => !name.startsWith('.'))) {
    throw new CommandError(`${out} is not empty: a release is never changed`)
  }
  const before = since === undefined ? undefined : await verifyFolder(since, undefined)
  if (before !== undefined && before.manifest.state !== state) {
    throw new CommandError(`${since} is a release of ${before.manifest.state}`)
  }
  mkdirSync(out, { recursive: true })
  const change = beginChange(out, await nameBuild(job))
  try {
    const manifest = await writeFiles(job, change.draft)
    change.commit()
    return manifest
  } finally {
    if (!job.isStopped()) change.discard()
  }
}

/** Identifies what a build reads: one that was killed is continued when it is the same. */
async function nameBuild({ state, since, parcels, history, loaded }: ReleaseJob): Promise<string> {
  const newest = Math.max(0, ...history.map(({ id }) => id))
  const previous = since === undefined ? null : describePrevious(since)
  const read = [PROGRAM_VERSION, state, previous, newest, await parcels.version(), loaded]
  return hashOf(JSON.stringify(read)).slice(0, 16)
}

async function writeFiles(job: ReleaseJob, draft: string): Promise<Manifest> {
  const { state, since, reader, loaded, onStep } = job
  const code = state.toLowerCase()
  const path = (name: string) => join(draft, name)
  const scope = { state, fips: undefined, changedSince: undefined }
  const whole = path(`parcels-${code}.parquet`)
  const bounds = unite(loaded) ?? WORLD
  const tiles = path(`parcels-${code}.pmtiles`)
  const makeTiles = async () => {
    onStep('tiles')
    await makeOnce(tiles, () =>
      writeNew(tiles, (file) =>
        writeTiles(file, { ...job, bounds, draft: path('.tiles'), onTile: () => onStep('') }),
      ),
    )
  }
  onStep('parcels')
  // Another thread builds the tiles.
  await allDone([
    makeOnce(whole, () =>
      runExport(reader, {
        ...{ scope, format: 'parquet', layout: 'flat', path: whole },
        ...{ overwrite: false, loaded, onProgress: () => onStep('') },
      }),
    ),
    makeTiles(),
  ])
  await job.tiles.close()
  onStep('changes')
  const changes =
    since === undefined
      ? undefined
      : await writeNew(path(`changes-${code}.parquet`), (file) =>
          writeChanges(file, join(since, `parcels-${code}.parquet`), whole),
        )
  onStep('catalogues')
  const facts = await readFacts(job, whole, changes)
  const { catalog, item } = describeStac(facts)
  const now = Date.parse(facts.dataAt)
  const scopes = await listQuality(
    { state, fips: undefined },
    { parcels: job.parcels, now, pause: nextTurn },
  )
  const texts = {
    'catalog.json': toText(catalog),
    'item.json': toText(item),
    'data.json': toText(describeDcat(facts, job)),
    'quality.json': toText({ scopes }),
    'README.md': writeReadme(facts),
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(path(name), text)
  return writeManifestOf(job, draft, facts.dataAt)
}

async function writeManifestOf(
  { state, since, privateKey, history }: ReleaseJob,
  draft: string,
  dataAt: string,
): Promise<Manifest> {
  const files = []
  const names = readdirSync(draft).filter(
    (name) => !name.startsWith('.') && name !== MANIFEST && name !== SIGNATURE,
  )
  for (const name of names.sort()) files.push(await describeFile(join(draft, name), name))
  const manifest: Manifest = {
    format: 1,
    state,
    dataAt,
    program: PROGRAM_VERSION,
    publicKey: publicOf(privateKey),
    previous: since === undefined ? null : describePrevious(since),
    files,
    sources: listSources(history, state),
  }
  signManifest(manifest, draft, privateKey)
  return manifest
}

function signManifest(manifest: Manifest, draft: string, privateKey: KeyObject): void {
  const text = writeManifest(manifest)
  writeFileSync(join(draft, MANIFEST), text)
  const signature = signBytes(Buffer.from(text), privateKey)
  writeFileSync(join(draft, SIGNATURE), signature)
}

function listSources(history: readonly ImportEntry[], state: string): Manifest['sources'] {
  return history
    .filter(({ scopes }) => scopes.some((one) => one.state === state))
    .sort((a, b) => a.id - b.id)
    .map(({ files, mapping, loadedAt, rows }) => ({
      // Folders of this machine are nobody's business.
      files: files.map((name) => basename(name)),
      ...{ mapping, loadedAt: isoOf(loadedAt), rows },
    }))
}

function describePrevious(since: string) {
  const sha256 = hashOf(readFileSync(join(since, MANIFEST)))
  return { name: basename(resolve(since)), sha256 }
}

/** Waits for all, so that none still writes when one has failed. */
async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) {
    if (ended.status === 'rejected') throw ended.reason
  }
}

/** A file that has its name is whole: a killed build has made it. */
async function makeOnce(path: string, make: () => Promise<unknown>): Promise<void> {
  if (!existsSync(path)) await make()
}

/** Writes a file that gets its name when it is whole. */
async function writeNew<Result>(path: string, work: (file: NewFile) => Promise<Result>) {
  rmSync(path, { force: true })
  const file = await beginFile(path, false)
  try {
    const result = await work(file)
    await file.finish()
    return result
  } finally {
    await file.discard()
  }
}

function toText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** `path`: the parcels' file, which says who published them. */
async function readFacts(
  { state, loaded }: ReleaseJob,
  path: string,
  changes: ChangeCounts | undefined,
): Promise<Facts> {
  const { rows, bounds, texts } = await summarize(path, ['sourceName', 'sourceLicense'])
  const years = loaded.flatMap(({ rollYear }) => rollYear ?? [])
  return {
    state,
    parcels: rows,
    counties: loaded.length,
    dataAt: isoOf(Math.max(...loaded.map(({ loadedAt }) => loadedAt))),
    years: years.length === 0 ? undefined : { first: Math.min(...years), last: Math.max(...years) },
    licences: texts.get('sourceLicense') ?? [],
    publishers: texts.get('sourceName') ?? [],
    bounds: bounds ?? WORLD,
    changes,
  }
}
