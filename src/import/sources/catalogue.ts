/** The catalogue of published rolls: built-in documents, and those that an operator adds. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { makePrivateFolder } from '../../base/private-files.ts'
import { replaceFile } from '../../base/safe-files.ts'
import { findState } from '../../regions/states.ts'
import { listMappingNames } from '../mapping/mapping.ts'

/** One published roll. Absent properties are unknown. */
export type Source = {
  id: string
  /** Two letters; `*`: any state. */
  state: string
  /** `all`, a text, or five-digit FIPS codes, some followed by a comment. */
  counties?: string | string[]
  publisher?: string
  title?: string
  /** `null`: the publisher has no single address. */
  url: string | null
  /** The form of publication, in words. */
  form?: string
  /** The mapping that reads it; `null`: none yet. */
  mapping: string | null
  /** Sources or addresses that are downloaded with it and joined by the mapping. */
  join?: string[]
  /** Further information about its addresses. */
  about?: string
  parcelIdColumn?: string
  license?: string
  /** How often it is published: `weekly`, `quarterly`, `10 days`. */
  updates?: string
  parcels?: number
  has?: Record<string, boolean>
  /** Where the entry's information comes from. */
  source?: string
  /** Whether it was ever loaded. */
  tried: boolean
  /** Whether the operator added it to the data folder. */
  isOwn?: boolean
}

const FOLDER = new URL('../../../sources/', import.meta.url).pathname
const ID = /^[\w:./-]{1,100}$/

/** All sources by state and id. One in the data folder replaces the built-in one. */
export function loadCatalogue(dataDir: string): Source[] {
  const mappings = new Set(listMappingNames())
  const byId = new Map<string, Source>()
  const own = join(dataDir, 'sources')
  for (const folder of [FOLDER, own]) {
    const names = existsSync(folder) ? readdirSync(folder).sort() : []
    for (const name of names.filter((one) => one.endsWith('.json'))) {
      for (const source of readSources(join(folder, name))) {
        byId.set(source.id, folder === own ? { ...source, isOwn: true } : source)
      }
    }
  }
  const named = [...byId.values()].map((source) => {
    const { id, mapping } = source
    return { ...source, mapping: mapping ?? (mappings.has(id) ? id : null) }
  })
  return named.sort((a, b) => a.state.localeCompare(b.state) || a.id.localeCompare(b.id))
}

/** Reads one source, a list, or `{"sources": […]}`. Throws `CommandError` that names a fault. */
export function readSources(path: string): Source[] {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    throw new CommandError(`${path} is not JSON: ${(error as Error).message}`)
  }
  const { sources = value, id } = (value ?? {}) as { sources?: unknown; id?: unknown }
  const listed = [id === undefined ? sources : value].flat()
  const read = listed.map((one, at) => checkSource(one, `${path}, source ${at + 1}`))
  if (read.length === 0) throw new CommandError(`${path} has no source`)
  const ids = new Set(read.map((source) => source.id))
  const twice = read.find((source) => !ids.delete(source.id))?.id
  if (twice !== undefined) throw new CommandError(`${path} has the id ${twice} twice`)
  return read
}

/** Saves sources in the data folder, one file each, replacing those of the same id. */
export function saveSources(dataDir: string, sources: Source[]): void {
  const folder = join(dataDir, 'sources')
  makePrivateFolder(folder)
  for (const source of sources) {
    const path = join(folder, `${encodeURIComponent(source.id)}.json`)
    replaceFile(path, `${JSON.stringify(source, null, 2)}\n`)
  }
}

export function forgetSource(dataDir: string, id: string): void {
  const folder = join(dataDir, 'sources')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (!name.endsWith('.json') || !readSources(path).some((source) => source.id === id)) continue
    const others = readSources(path).filter((source) => source.id !== id)
    if (others.length === 0) rmSync(path)
    else replaceFile(path, `${JSON.stringify(others, null, 2)}\n`)
  }
}

/** A source as `platbook sources --json` lists it has all properties, the unknown ones as null. */
function checkSource(value: unknown, where: string): Source {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${where} is not an object with an id and a state`)
  }
  const known = Object.entries(value).filter(([, one]) => one !== null)
  const { loadedAt: _, ...read } = Object.fromEntries(known)
  for (const [name, isRight, says] of RULES) {
    if (!isRight(read[name])) throw new CommandError(`${where}: ${name} has to be ${says}`)
  }
  return { url: null, mapping: null, tried: false, ...read } as Source
}

type Rule = [name: string, isRight: (value: unknown) => boolean, says: string]
const isText = (value: unknown) => typeof value === 'string'
const isIn = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value)

const RULES: Rule[] = [
  ['id', (id) => isIn(id, ID), '1 to 100 letters, digits, or any of - _ . : /'],
  ['state', isState, 'two capital letters of a state'],
  optional(
    'url',
    (value) => isIn(value, /^https?:\/\//) && URL.canParse(String(value)),
    'an http or https address',
  ),
  optional('mapping', (value) => isIn(value, /\S/), 'a name or a path'),
  optional('join', isTexts, 'a list of ids or addresses'),
  optional('counties', (value) => isText(value) || isTexts(value), 'a text, or a list of texts'),
  optional('parcels', (value) => Number.isSafeInteger(value), 'a whole number'),
  optional('has', (value) => typeof value === 'object', 'an object'),
  optional('updates', isText, 'a text, such as weekly'),
]

function optional(name: string, isRight: (value: unknown) => boolean, says: string): Rule {
  return [name, (value) => value === undefined || isRight(value), says]
}

function isState(value: unknown): boolean {
  return value === '*' || (isIn(value, /^[A-Z]{2}$/) && findState(String(value)) !== undefined)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
