/**
 * Mapping documents: how one publisher's columns become our fields. Data, not code;
 * `mappings/schema.json` says what one may hold, and docs/import.md teaches it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CommandError } from '../../errors.ts'
import type { NameOrder } from '../../model/owner.ts'
import type { LineKind } from '../batch.ts'
import type { DateForm } from './clean.ts'
import { explainFaults, explainJson, suggest } from './mapping-faults.ts'

/** A constant in a mapping. */
export type Scalar = string | number | boolean | null

/**
 * Where a value comes from and what is done to it, in the order of these properties. A bare text is
 * a column.
 */
export type Value = string | ValueRule

/** Where a value comes from, and what is done to it; applied in a fixed order. */
export type ValueRule = {
  /** A column, or several names of which the first that the file has is meant. */
  column?: string | string[]
  /** Values joined by `with` (default a blank); those that say nothing are left out. */
  join?: Value[]
  with?: string
  /** The first value that says something. */
  first?: Value[]
  /** Numbers added up; those that say nothing are left out. */
  sum?: Value[]
  constant?: string | number | boolean
  /** The name of the file or layer that a row stands in, with the entry of an archive. */
  file?: true
  /** Of `join` and `sum`: unknown unless every part says something. */
  all?: true
  /** Unknown unless this says something. */
  when?: Value
  /** Words that mean unknown here, beside the mapping's own. */
  nulls?: string[]
  /**
   * A pattern: its first group, or the whole of what it matches, is the value; no match: unknown.
   */
  cut?: string
  replace?: { pattern: string; with: string }[]
  /** Code → meaning. Case and leading zeros of a code do not count. */
  codes?: Record<string, Scalar>
  /** The first pattern that matches gives the value. */
  cases?: { pattern: string; gives: Scalar }[]
  /** What a code outside of `codes` and `cases` gives; default: the code itself. */
  otherwise?: Scalar
  /** Numbers: multiplied by this. */
  times?: number
  date?: DateForm
  /** The unit of an area, or the column that tells it. */
  unit?: string | Value
}

/** A value of a column as a mapping names it. Case and blanks around it do not count. */
type Preferred = string | number | boolean

/** What rows of one parcel may differ in and still be merged. */
export type MergeKind = 'owners' | 'buildings' | 'transfers' | 'addresses'

/**
 * A file that has the columns `needs`: its `key` is the `to` of the rows that it belongs to.
 * `optional`: it may be missing.
 */
export type JoinRule = { needs: string[]; key: Value; to: Value; optional?: boolean }

/** A mapping as it stands in its file, remarks dropped. */
export type MappingDocument = {
  $schema?: string
  name: string
  title: string
  about?: string
  /** Two letters, when all rows are of one state. */
  state?: string
  /** Name or FIPS code, when all rows are of one county. */
  county?: string
  source?: {
    name?: string
    license?: string
    url?: string
    rollYear?: number
    /**
     * `YYYY-MM` or `YYYY-MM-DD`: when the columns were read at the publisher or in a description.
     */
    read?: string
    /** Parcels of the publication by its publisher, or as estimated. */
    parcels?: number
  }
  /** `false`: made from a published list of columns, and not tried with a file. */
  tried?: boolean
  /** Words that mean unknown in any column, beside the built-in ones. */
  nulls?: string[]
  nameOrder?: NameOrder
  scope?: 'county' | 'municipality'
  /** Columns that a file may lack; `"*"`: all but those of state, county and parcelId. */
  optional?: '*' | string[]
  fields: Record<string, Value>
  alternateParcelIds?: Value[]
  /** Further situs lines of a parcel. */
  furtherAddresses?: Value[]
  buildings?: Record<string, Value>[]
  transfers?: Record<string, Value>[]
  /** Planar coordinates of a point of the parcel, in the projection with this EPSG code. */
  point?: { epsg: number; x: Value; y: Value }
  /** Projection of the file's shapes, where it has no .prj. */
  epsg?: number
  /** Rows that are no parcels: they are skipped. */
  skip?: { value: Value; is: string[] }[]
  /** Columns kept in `extra`; `unmapped`: all that no field uses. */
  extra?: 'unmapped' | string[]
  /** Columns that `unmapped` leaves out, since we know them and do not keep them. */
  ignore?: string[]
  /**
   * Rows of a file that `platbook export` wrote are taken as they are: nothing is cleaned or
   * derived.
   */
  exported?: true
  /** Differing rows of one parcel. */
  repeats?: {
    merge: MergeKind[]
    otherwise?: 'reject' | 'first'
    /**
     * The row whose column has this value (or one of them) comes before the others, whatever the
     * order of the file.
     */
    prefer?: { column: string; value: Preferred | Preferred[] }
  }
  /**
   * The largest share of a scope's parcels that a refresh may remove, and the smallest share of
   * filled owners and addresses that must stay.
   */
  guard?: { removed?: number; filled?: number }
  /** Shares that a roll must have, by flat names: `>= 95 %`, `20..95 %`. */
  expect?: Record<string, string>
  /** Further kinds of file, whose rows are joined to the first one's. */
  join?: JoinRule | JoinRule[]
  encoding?: string
  /** One character, or `fixed` for columns of fixed width; found where it is left out. */
  separator?: string
  /** Lines above the header; found where it is left out. */
  skipLines?: number
  /** The columns of text of fixed width, for each kind of line. */
  fixedWidth?: LineKind[]
  /** Names of the columns of files without a header line, from left to right. */
  columns?: string[]
}

/** Whether a value of the mapping reads the name of the file. */
export function usesFile(mapping: MappingDocument): boolean {
  return /"file":true/.test(JSON.stringify(mapping))
}

const FOLDER = fileURLToPath(new URL('../../../mappings/', import.meta.url))

/** The JSON Schema of mappings, for editors. */
export const SCHEMA_PATH = `${FOLDER}schema.json`

/** Names of the mappings in the box, in alphabetical order. */
export function listMappingNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
}

/**
 * Loads a mapping by its name in the box or by the path of a document.
 *
 * Throws `CommandError` with a sentence for an unknown name (the nearest are told), a file that is
 * no JSON, and a document that the schema refuses: each fault with its line, field and what was
 * expected.
 */
export function loadMapping(nameOrPath: string): MappingDocument {
  const path = findMapping(nameOrPath)
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  return readMapping(text, path === nameOrPath ? path : `the mapping ${nameOrPath}`)
}

/** The path of a mapping by its name or path. Throws `CommandError` when there is none. */
export function findMapping(nameOrPath: string): string {
  const boxed = `${FOLDER}${nameOrPath}.json`
  const isName = /^[\w-]+$/.test(nameOrPath)
  const path = isName && existsSync(boxed) ? boxed : nameOrPath
  if (!existsSync(path)) throw new CommandError(unknownMapping(nameOrPath, isName), 2)
  return path
}

/** Reads and checks the text of a mapping document; `where` names it in faults. */
export function readMapping(text: string, where: string): MappingDocument {
  let document: unknown
  try {
    document = JSON.parse(text, dropComments)
  } catch (error) {
    throw new CommandError(`${where} is not JSON: ${explainJson(error as Error, text)}`, 2, error)
  }
  const check = validator()
  if (check(document)) return document as MappingDocument
  const faults = explainFaults(check.errors ?? [], text)
  throw new CommandError(`${where} is not a mapping:\n  ${faults.join('\n  ')}`, 2)
}

/**
 * Properties whose name begins with `//` are remarks of a person, or what `inspect` doubts.
 * docs/decisions/inspect.md.
 */
function dropComments(this: unknown, key: string, value: unknown): unknown {
  return key.startsWith('//') ? undefined : value
}

let compiled: ReturnType<Ajv2020['compile']> | undefined

function validator(): ReturnType<Ajv2020['compile']> {
  if (compiled === undefined) {
    const schema = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8'))
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true })
    ajv.addFormat('regex', isPattern)
    compiled = ajv.compile(schema)
  }
  return compiled
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') !== undefined
  } catch {
    return false
  }
}

function unknownMapping(name: string, isName: boolean): string {
  if (!isName || name.endsWith('.json')) return `the mapping ${name} does not exist`
  const hint = suggest(name, listMappingNames())
  const all = `the mappings that come with Platbook: ${listMappingNames().join(', ')}`
  return `there is no mapping "${name}"${hint || `; ${all}`}`
}
