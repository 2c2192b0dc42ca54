/**
 * Reads an ArcGIS layer's description of its columns: aliases and code tables, as evidence for a
 * draft.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { atEnd } from '../../base/at-end.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import { type EsriField, findEsriFields, TEXT_PREFIX } from '../../import/readers/coded.ts'

/** Column descriptions by `columnKey` of their names. */
export type ColumnHints = ReadonlyMap<string, EsriField>

/** Bytes read of a description; enough for a layer with large code tables. */
const HEAD_BYTES = 4_000_000

/** Builds hints from fields; the first description of a field is kept. */
export function makeHints(fields: readonly EsriField[]): ColumnHints {
  return new Map(fields.map((field) => [columnKey(field.name), field] as const).reverse())
}

/**
 * Reads column descriptions from JSON files. `tables`: the other files, without those that describe
 * a layer and hold no rows, such as a saved `…/FeatureServer/0?f=json`.
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
 * Returns a column's alias if it says more than the name. A column of texts gets the alias of its
 * codes with the same prefix.
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
    // An unreadable file is reported when its rows are read.
    return ''
  }
  using _end = atEnd(() => closeSync(file))
  const bytes = Buffer.alloc(HEAD_BYTES)
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0))
}
