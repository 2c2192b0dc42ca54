/** Dropped files, a folder each, until they are imported or become a source that is followed. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError, WrongValue } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { replaceFile } from '../../../base/safe-files.ts'
import { listMappingNames, SCHEMA_PATH } from '../../../import/mapping/mapping.ts'
import { loadCatalogue, saveSources } from '../../../import/sources/catalogue.ts'
import { showAddress } from '../../../import/sources/web.ts'
import { countyByFips } from '../../../regions/counties.ts'

const MAPPING_MAX = 1_000_000

/** A file that an operator sent, stored until it is loaded or removed. */
export type Upload = {
  id: string
  /** Its name on the person's computer. */
  name: string
  bytes: number
  /** Its path, or its address on the web. */
  file: string
  isAddress: boolean
  /** Path of its mapping. */
  mapping: string
  /** The newest job that inspects or loads it. */
  job(): string | undefined
  noteJob(id: string): void
  /** The newest successful inspection, as JSON. */
  inspection(): string | undefined
  keepInspection(json: string): void
  /** State, county and flags as last filled in. */
  choices(): Record<string, string>
  keepChoices(choices: Record<string, string>): void
}

/** Stores a file. Throws `CommandError` for an invalid name. */
export async function keepUpload(dataDir: string, given: string, body: unknown): Promise<Upload> {
  const name = basename(decodeName(given))
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .slice(-120)
  if (!/[\p{L}\p{N}]/u.test(name) || !(body instanceof Readable)) {
    throw new CommandError('drop one file with a name', 2)
  }
  const id = randomBytes(12).toString('hex')
  const folder = folderOf(dataDir, id)
  const place = join(folder, 'file')
  makePrivateFolder(place)
  try {
    const file = join(place, name.replace(/^[.-]+/, ''))
    await pipeline(body, createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new CommandError('the upload is incomplete; drop the file again', 1, error)
  }
  return findUpload(dataDir, id)
}

/** Stores an address that is inspected and loaded like a file. Throws `CommandError`. */
export function keepAddress(dataDir: string, given: string): Upload {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new WrongValue('give an address that begins with https:// or http://', 'url')
  }
  const id = randomBytes(12).toString('hex')
  makePrivateFolder(folderOf(dataDir, id))
  replaceFile(join(folderOf(dataDir, id), 'address'), given)
  return findUpload(dataDir, id)
}

/** Returns `''` for a text that is not an encoded name. */
function decodeName(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return ''
  }
}

/** Throws `CommandError` when it does not exist, or no longer. */
export function findUpload(dataDir: string, id: string): Upload {
  const folder = folderOf(dataDir, id)
  const place = join(folder, 'file')
  const isId = /^[0-9a-f]{24}$/.test(id)
  const address = isId ? readText(join(folder, 'address')) : undefined
  const name = isId && existsSync(place) ? readdirSync(place)[0] : address && showAddress(address)
  if (name === undefined)
    throw new CommandError('this file was imported already, or is too old; drop it again')
  const file = address ?? join(place, name)
  const read = (name: string) => readText(join(folder, name))
  const write = (name: string, text: string) => replaceFile(join(folder, name), text)
  return {
    id,
    name,
    bytes: address === undefined ? statSync(file).size : 0,
    file,
    isAddress: address !== undefined,
    mapping: join(folder, 'mapping.json'),
    job: () => read('job'),
    noteJob: (jobId) => write('job', jobId),
    inspection: () => read('inspection.json'),
    keepInspection: (json) => write('inspection.json', json),
    choices: () => JSON.parse(read('choices.json') ?? '{}'),
    keepChoices: (choices) => write('choices.json', JSON.stringify(choices)),
  }
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Stores an edited mapping. Throws `CommandError` when it is not a JSON object. */
export function saveMapping({ mapping }: Upload, text: string): void {
  try {
    if (text.length > MAPPING_MAX) throw new Error(`it is longer than ${MAPPING_MAX} characters`)
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null) throw new Error('it is not an object')
    replaceFile(mapping, text)
  } catch (error) {
    throw new CommandError(`the mapping cannot be read: ${(error as Error).message}`, 2, error)
  }
}

/** Deletes an upload's folder with its mapping. */
export function dropUpload({ mapping }: Upload): void {
  rmSync(join(mapping, '..'), { recursive: true, force: true })
}

/** Lists what a column may feed, in groups: `city`, `buildings.yearBuilt`, `furtherAddresses`. */
export function listFieldNames(): Record<string, string[]> {
  const { properties } = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8'))
  const inner = (set: string) =>
    Object.keys(properties[set].items.properties).map((name) => `${set}.${name}`)
  return {
    Parcel: Object.keys(properties.fields.properties),
    'Further IDs and addresses': ['alternateParcelIds', 'furtherAddresses'],
    Building: inner('buildings'),
    'Last sale': inner('transfers'),
  }
}

function folderOf(dataDir: string, id: string): string {
  return join(dataDir, 'console', id)
}

/**
 * Saves the source and its mapping in the data folder and returns its id. `form`: `counties`, the
 * FIPS codes of the dry run. Throws `CommandError` when the dry run found no county.
 */
export function followUpload(dataDir: string, upload: Upload, form: URLSearchParams): string {
  const counties = (form.get('counties') ?? '').split(',').filter((fips) => /^\d{5}$/.test(fips))
  const states = new Set(counties.map((fips) => countyByFips(Number(fips))?.state))
  const [state] = states
  if (state === undefined) throw new CommandError('press Dry run first, so that its place is known')
  const catalogue = loadCatalogue(dataDir)
  const known = catalogue.find(({ id }) => id === upload.choices().source)
  const id = known?.id ?? makeId(upload.file, state)
  const source = { ...known, id, state: states.size > 1 ? '*' : state, counties, tried: true }
  const mapping = keepMapping(dataDir, id, readFileSync(upload.mapping, 'utf8'))
  saveSources(dataDir, [{ ...source, url: upload.file, mapping }])
  return id
}

/** `own/wi/gis.example.gov-parcels-0` */
function makeId(address: string, state: string): string {
  const { host, pathname } = new URL(address)
  const path = pathname.replace(/.*\/services\/|\/(?:Feature|Map)Server/g, ' ')
  const words = `${host} ${path}`.replace(/[^\w.]+/g, '-').replace(/^-|-$/g, '')
  return `own/${state.toLowerCase()}/${words.slice(0, 80)}`
}

/** Returns the name of a mapping that comes with Platbook, or the path of a kept one. */
function keepMapping(dataDir: string, id: string, text: string): string {
  const { name } = JSON.parse(text) as { name?: string }
  if (name !== undefined && listMappingNames().includes(name)) return name
  // Absolute, because a timer runs in another folder.
  const folder = resolve(dataDir, 'mappings')
  makePrivateFolder(folder)
  const path = join(folder, `${encodeURIComponent(id)}.json`)
  replaceFile(path, text)
  return path
}
