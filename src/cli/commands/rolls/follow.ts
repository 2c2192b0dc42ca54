/** `platbook sync ADDRESS`: follows the releases of another Platbook. Source: docs/releases.md. */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { replaceFile } from '../../../base/safe-files.ts'
import { type LoadWorld, loadRoll } from '../../../import/load-roll.ts'
import { loadMapping } from '../../../import/mapping/mapping.ts'
import type { ImportReport } from '../../../import/report/import-report.ts'
import type { Web } from '../../../import/sources/web.ts'
import { downloadFile } from '../../../import/sources/web-file.ts'
import { lockSync } from '../../../import/sync/lock.ts'
import { findOtherState, writeDelta } from '../../../release/delta.ts'
import { isSigned } from '../../../release/keys.ts'
import {
  describeFile,
  hashOf,
  MANIFEST,
  type Manifest,
  readManifest,
  SIGNATURE,
} from '../../../release/manifest.ts'
import type { LeavingParcel } from '../../../store/store.ts'
import type { CommandArgs, CommandIo } from '../../command.ts'
import { withHistory } from '../../rolls.ts'
import { printResult } from '../../table.ts'
import { showImport } from './import.ts'

/** Most bytes of a manifest and of a signature. */
const MANIFEST_MAX = 16_777_216

/** What was followed last of a state, and whose signature counts. `load`: the newest one of it. */
type Followed = { sha256: string; dataAt: string; key: string; store: string; load: number }

type Following = {
  io: CommandIo
  world: LoadWorld
  root: string
  folder: string
  manifest: Manifest
  known: Followed | undefined
  values: CommandArgs['values']
}

/** Throws `CommandError`; what was loaded before is kept then. */
export async function followRelease(
  { values, positionals }: CommandArgs,
  io: CommandIo,
  world: LoadWorld,
): Promise<void> {
  const [address = '', ...more] = positionals
  if (more.length > 0 || values.all === true) {
    throw new CommandError('sync of a release needs its address alone', 2)
  }
  const root = address.replace(/\/(?:manifest\.json)?$/, '')
  const lock = lockSync(io.config.data, io.now())
  lock.note(root)
  using _end = atEnd(() => lock.release())
  await followLocked(root, values, io, world)
}

async function followLocked(
  root: string,
  values: CommandArgs['values'],
  io: CommandIo,
  world: LoadWorld,
): Promise<void> {
  const states = join(io.config.data, 'follow')
  // Files of two publishers may have one name and one time.
  const folder = join(states, hash('sha256', root).slice(0, 16))
  for (const path of [states, folder]) makePrivateFolder(path)
  const small = { ...world.web, fileMax: MANIFEST_MAX }
  const text = await fetchFile(small, root, MANIFEST, folder)
  const signature = readFileSync(await fetchFile(small, root, SIGNATURE, folder), 'latin1')
  const bytes = readFileSync(text)
  const manifest = readManifest(bytes.toString())
  const kept = join(states, `${manifest.state}.json`)
  const known = readFollowed(kept, storeOf(io))
  const key = (values.key as string | undefined) ?? known?.key ?? manifest.publicKey
  if (!isSigned(bytes, signature, key)) {
    throw new CommandError(`${root} is not signed by the key that is followed; nothing was changed`)
  }
  const sha256 = hashOf(bytes)
  if (known !== undefined && manifest.dataAt < known.dataAt && values.force !== true) {
    throw new CommandError(`${root} is older than what was followed; nothing was changed`)
  }
  const isSame = known?.sha256 === sha256 && values.again !== true
  const done = isSame
    ? { how: 'unchanged' as const, reason: null, load: null }
    : await loadRelease({ io, world, root, folder, manifest, known, values })
  const { dataAt, state } = manifest
  // A load made here since then is not of the release.
  const load = isSame ? known.load : await readNewestLoad(io, state)
  const followed: Followed = { sha256, dataAt, key, store: storeOf(io), load }
  replaceFile(kept, JSON.stringify(followed))
  report(manifest, done, io)
}

type Done = {
  how: 'whole' | 'changes' | 'unchanged'
  reason: string | null
  load: ImportReport | null
}

function report({ state, dataAt }: Manifest, { how, reason, load: made }: Done, io: CommandIo) {
  const load = made === null ? null : showImport(made)
  printResult(
    io,
    { state, dataAt, how, reason, load },
    `${state} of ${dataAt}: ${how}${reason === null ? '' : `, because ${reason}`}`,
  )
}

async function loadRelease(following: Following): Promise<Done> {
  const { io, world, root, folder, manifest, known } = following
  const code = manifest.state.toLowerCase()
  const changes = manifest.files.find(({ name }) => name === `changes-${code}.parquet`)
  let reason = 'nothing was followed before'
  if (known !== undefined) reason = 'its changes are not those since the last one followed'
  const isNext = known !== undefined && manifest.previous?.sha256 === known.sha256
  const isKept = (await readNewestLoad(io, manifest.state)) === known?.load
  if (isNext && !isKept) reason = `${manifest.state} was changed here since the last one followed`
  if (isNext && isKept && changes !== undefined) {
    const path = await fetchVerified(following, changes.name)
    const delta = join(folder, `delta-${code}.parquet`)
    const { rows, leaving } = await writeDelta(path, delta)
    const isEmpty = rows + leaving.length === 0
    const made = isEmpty ? null : await loadFile(following, delta, leaving)
    return { how: 'changes', reason: null, load: made }
  }
  io.report(`loading ${root} whole: ${reason}`)
  const path = await fetchVerified(following, `parcels-${code}.parquet`)
  if (world.web.isStopped()) throw new CommandError('stopped: nothing was changed')
  return { how: 'whole', reason, load: await loadFile(following, path, undefined) }
}

async function fetchVerified(following: Following, name: string): Promise<string> {
  const { world, root, folder, manifest } = following
  const said = manifest.files.find((one) => one.name === name)
  if (said === undefined) throw new CommandError(`${root} has no ${name}`)
  const path = await fetchFile({ ...world.web, fileMax: said.size }, root, name, folder)
  const own = await describeFile(path, name)
  if (own.sha256 === said.sha256 && own.size === said.size) return path
  throw new CommandError(`${name} is not what the manifest says; nothing was changed`)
}

async function fetchFile(web: Web, root: string, name: string, folder: string): Promise<string> {
  return downloadFile(web, `${root}/${name}`, join(folder, name))
}

/** `leaving`: the parcels that leave, when the file has changes. */
async function loadFile(
  { world, root, manifest, values }: Following,
  path: string,
  leaving: readonly LeavingParcel[] | undefined,
) {
  const { state } = manifest
  const other = await findOtherState(path, leaving ?? [], state)
  if (other !== undefined) {
    throw new CommandError(
      `${root} is a release of ${state} and has a parcel of ${other}; nothing was changed`,
    )
  }
  return loadRoll(world, {
    ...{ sources: [path], mapping: loadMapping('platbook'), state, county: undefined },
    ...{ geometry: true, force: values.force === true },
    ...(leaving !== undefined && { partial: true, leaving }),
  })
}

/** Returns the number of the newest load, undo or unload of a state; 0 without one. */
async function readNewestLoad(io: CommandIo, state: string): Promise<number> {
  const entries = await withHistory(io, (history) => history.list(), [])
  const own = entries.filter(({ scopes }) => scopes.some((scope) => scope.state === state))
  return Math.max(0, ...own.map(({ id }) => id))
}

/** A load into one store says nothing about another. */
function storeOf({ config: { databaseUrl } }: CommandIo): string {
  return databaseUrl === null ? '' : hash('sha256', databaseUrl)
}

function readFollowed(path: string, store: string): Followed | undefined {
  if (!existsSync(path)) return undefined
  const followed = JSON.parse(readFileSync(path, 'utf8')) as Followed
  return followed.store === store ? followed : undefined
}
