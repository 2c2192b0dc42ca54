/** What an ArcGIS layer says of its columns: aliases and code tables, as evidence for a draft. */
import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { columnKey } from '../../import/mapping/expression.ts'
import { type EsriField, findEsriFields, TEXT_PREFIX } from '../../import/readers/coded.ts'

/** What is told of columns, by `columnKey` of their names. */
export type ColumnHints = ReadonlyMap<string, EsriField>

/** A layer with large code tables describes itself in less. */
const HEAD_BYTES = 4_000_000

/** Hints of fields; a field that several layers describe keeps the first description. */
export function makeHints(fields: readonly EsriField[]): ColumnHints {
  return new Map(fields.map((field) => [columnKey(field.name), field] as const).reverse())
}

/**
 * Reads what JSON files say of columns. `tables`: the files without those that describe a layer and
 * hold no rows, such as a saved `…/FeatureServer/0?f=json`.
 */
export function readHints(paths: readonly string[]): { tables: string[]; fields: EsriField[] } {
  const tables: string[] = []
  const fields: EsriField[] = []
  for (const path of paths) {
    const head = /^\.p?json$/i.test(extname(path)) ? readHead(path) : ''
    fields.push(...findEsriFields(head))
    if (!isDescription(head)) tables.push(path)
  }
  return { tables, fields }
}

/**
 * The alias of a column where it says more than the name; of a column of texts that of its codes,
 * with the same prefix.
 */
export function aliasOf(hints: ColumnHints | undefined, name: string): string | undefined {
  const own = readAlias(hints, name)
  if (own !== undefined || !name.startsWith(TEXT_PREFIX)) return own
  const codes = readAlias(hints, name.slice(TEXT_PREFIX.length))
  return codes === undefined ? undefined : TEXT_PREFIX + codes
}

function readAlias(hints: ColumnHints | undefined, name: string): string | undefined {
  const alias = hints?.get(columnKey(name))?.alias.trim() ?? ''
  return alias === '' || columnKey(alias) === columnKey(name) ? undefined : alias
}

function isDescription(head: string): boolean {
  return /"esriFieldType/.test(head) && !/"features"\s*:/.test(head)
}

function readHead(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // Reading its rows reports what is wrong with it.
    return ''
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(file)
  }
}
