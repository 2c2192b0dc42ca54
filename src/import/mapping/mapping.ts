/**
 * Mapping documents say how one publisher's columns become our fields. They are data, not code;
 * `mappings/schema.json` defines them, and docs/import.md explains them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { CommandError } from '../../base/errors.ts'
import type { NameOrder } from '../../base/model/owner.ts'
import type { LineKind } from '../batch.ts'
import type { DateForm } from './dates.ts'
import { explainFaults, explainJson, suggest } from './mapping-faults.ts'
import { explainPattern } from './pattern-check.ts'

/** A constant in a mapping. */
export type Scalar = string | number | boolean | null

/**
 * Where a value comes from and what is done to it, applied in the order of these properties. A
 * plain string is a column.
 */
export type Value = string | ValueRule

/** Where a value comes from and what is done to it, applied in a fixed order. */
export type ValueRule = {
  /** A column, or several names; the first that the file has is used. */
  column?: string | string[]
  /** Values joined by `with` (default: a blank); unknown ones are left out. */
  join?: Value[]
  with?: string
  /** The first known value. */
  first?: Value[]
  /** Sum of numbers; unknown ones are left out. */
  sum?: Value[]
  constant?: string | number | boolean
  /** The name of the row's file or layer, with the archive entry. */
  file?: true
  /** For `join` and `sum`: unknown unless every part is known. */
  all?: true
  /** Unknown unless this value is known. */
  when?: Value
  /** Beside `column`: line breaks within the value stay, as ` | `. */
  lines?: true
  /** Words that mean unknown here, in addition to the mapping's own. */
  nulls?: string[]
  /**
   * A regular expression: its first group, or else the whole match, is the value. Unknown without a
   * match.
   */
  cut?: string
  replace?: { pattern: string; with: string }[]
  /** Code → meaning. Case and leading zeros of a code are ignored. */
  codes?: Record<string, Scalar>
  /** The first pattern that matches sets the value. */
  cases?: { pattern: string; gives: Scalar }[]
  /** The value of a code outside `codes` and `cases`; default: the code itself. */
  otherwise?: Scalar
  /** Factor for numbers. */
  times?: number
  date?: DateForm
  /** The unit of an area, or the column that holds it. */
  unit?: string | Value
}

/** A column's value as a mapping writes it. Case and blanks around it are ignored. */
type Preferred = string | number | boolean

/** What may differ between rows of one parcel that are still merged. */
export type MergeKind = 'owners' | 'buildings' | 'transfers' | 'addresses'

/**
 * A further file, recognized by the columns `needs`. Its `key` equals the `to` of the rows that it
 * is joined to. `optional`: the file may be missing.
 */
export type JoinRule = { needs: string[]; key: Value; to: Value; optional?: boolean }

/** A mapping as its file has it, without comments. */
export type MappingDocument = {
  $schema?: string
  name: string
  title: string
  about?: string
  /** Two letters, when all rows are in one state. */
  state?: string
  /** Name or FIPS code, when all rows are in one county. */
  county?: string
  source?: {
    name?: string
    license?: string
    url?: string
    rollYear?: number
    /**
     * `YYYY-MM` or `YYYY-MM-DD`: when the columns were read from the publisher's file or
     * documentation.
     */
    read?: string
    /** Number of parcels, as the publisher states or as estimated. */
    parcels?: number
  }
  /** `false`: written from a published list of columns and never tried with a file. */
  tried?: boolean
  /** Words that mean unknown in any column, in addition to the built-in ones. */
  nulls?: string[]
  nameOrder?: NameOrder
  scope?: 'county' | 'municipality'
  /** The county's use codes are those of its whole state: drafts of other counties take them. */
  statewideCodes?: true
  /** Columns that a file may lack; `"*"`: all except those of state, county and parcelId. */
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
  /** Rows that are not parcels and are skipped. */
  skip?: { value: Value; is: string[] }[]
  /** Columns kept in `extra`; `unmapped`: all that no field uses. */
  extra?: 'unmapped' | string[]
  /** Columns that `unmapped` leaves out because they are known and not wanted. */
  ignore?: string[]
  /**
   * The rows come from `platbook export` and are stored unchanged: nothing is cleaned or derived.
   */
  exported?: true
  /** How to treat differing rows of one parcel. */
  repeats?: {
    merge: MergeKind[]
    otherwise?: 'reject' | 'first'
    /**
     * A row with one of these values in this column is taken before the parcel's other rows,
     * whatever the order of the file.
     */
    prefer?: { column: string; value: Preferred | Preferred[] }
  }
  /**
   * Limits of a refresh: the largest share of a scope's parcels that it may remove. The other is
   * the smallest share of filled owners and addresses that must stay.
   */
  guard?: { removed?: number; filled?: number }
  /** Shares that a roll must have, by flat field name: `>= 95 %`, `20..95 %`. */
  expect?: Record<string, string>
  /** Further kinds of file whose rows are joined to rows of the first kind. */
  join?: JoinRule | JoinRule[]
  encoding?: string
  /** One character, or `fixed` for fixed-width columns; detected when absent. */
  separator?: string
  /** Lines above the header; detected when absent. */
  skipLines?: number
  fixedWidth?: LineKind[]
  /** Column names, from left to right, for files without a header line. */
  columns?: string[]
}

/** Reports whether a value of the mapping reads the file's name. */
export function usesFile(mapping: MappingDocument): boolean {
  return /"file":true/.test(JSON.stringify(mapping))
}

const FOLDER = fileURLToPath(new URL('../../../mappings/', import.meta.url))

export const SCHEMA_PATH = `${FOLDER}schema.json`

/** Names of the built-in mappings, in alphabetical order. */
export function listMappingNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
}

/**
 * Loads a built-in mapping by name, or a document by path.
 *
 * Throws `CommandError` for an unknown name (suggesting the nearest), and for a document that is
 * not JSON or that the schema rejects. The message names each fault's line and field, and what was
 * expected.
 */
export function loadMapping(nameOrPath: string): MappingDocument {
  const path = findMapping(nameOrPath)
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  // Tests check the built-in ones: compiling the schema takes as long as 2,000 rows.
  return path === nameOrPath ? readMapping(text, path) : JSON.parse(text, dropComments)
}

/** Returns the path of a mapping by its name or path. Throws `CommandError` when there is none. */
export function findMapping(nameOrPath: string): string {
  const boxed = `${FOLDER}${nameOrPath}.json`
  const isName = /^[\w-]+$/.test(nameOrPath)
  const path = isName && existsSync(boxed) ? boxed : nameOrPath
  if (!existsSync(path)) throw new CommandError(unknownMapping(nameOrPath, isName), 2)
  return path
}

/** Parses and validates a mapping document; `where` names it in error messages. */
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
 * Drops properties whose name begins with `//`: comments by a person, or doubts noted by `inspect`.
 * See docs/decisions/inspect.md.
 */
function dropComments(this: unknown, key: string, value: unknown): unknown {
  return key.startsWith('//') ? undefined : value
}

let compiled: ReturnType<Ajv2020['compile']> | undefined

function validator(): ReturnType<Ajv2020['compile']> {
  if (compiled === undefined) {
    const schema = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8'))
    // Loaded when first used: most processes validate no mapping.
    const ajvModule = createRequire(import.meta.url)('ajv/dist/2020.js')
    const ajv: Ajv2020 = new ajvModule.Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      verbose: true,
      // A test checks the schema itself; that took a quarter of the time of the first mapping.
      validateSchema: false,
      // Optimizing takes longer than the check of a mapping.
      code: { optimize: false },
    })
    ajv.addFormat('regex', (text: string) => explainPattern(text) === undefined)
    compiled = ajv.compile(schema)
  }
  return compiled
}

function unknownMapping(name: string, isName: boolean): string {
  if (!isName || name.endsWith('.json')) return `the mapping ${name} does not exist`
  const hint = suggest(name, listMappingNames())
  const all = `the mappings that come with Platbook: ${listMappingNames().join(', ')}`
  return `there is no mapping "${name}"${hint || `; ${all}`}`
}
