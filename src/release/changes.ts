/** The changes between the Parquet files of two releases. */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { hashOf } from './manifest.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

type Row = Record<string, unknown>
type Change = { what: 'added' | 'changed' | 'removed'; old: Row | undefined; now: Row | undefined }

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'change', type: 'text' },
  { name: 'fields', type: 'texts' },
  { name: 'old', type: 'json' },
  { name: 'new', type: 'json' },
  { name: 'lineage', type: 'texts' },
]

/** It follows from the shape. */
const UNCOMPARED = new Set(['bbox'])

/**
 * Writes the changes in the order of property IDs. A row of either file is in memory once as a
 * hash, and whole only when it has changed.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
): Promise<ChangeCounts> {
  const before = new Map<string, string>()
  for await (const row of readRows(oldPath)) before.set(idOf(row), digest(row))
  const changes = new Map<string, Change>()
  for await (const row of readRows(newPath)) {
    const id = idOf(row)
    const known = before.get(id)
    before.delete(id)
    if (known === digest(row)) continue
    const what = known === undefined ? 'added' : 'changed'
    changes.set(id, { what, old: undefined, now: row })
  }
  for await (const row of readRows(oldPath)) {
    const id = idOf(row)
    const change = changes.get(id)
    if (change !== undefined) change.old = row
    else if (before.has(id)) changes.set(id, { what: 'removed', old: row, now: undefined })
  }
  const writer = openParquet(file, COLUMNS)
  const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
  const counts = { added: 0, changed: 0, removed: 0 }
  for (let at = 0; at < sorted.length; at += writer.batchRows) {
    const rows = sorted.slice(at, at + writer.batchRows).map(([id, change]) => {
      counts[change.what] += 1
      return { values: describe(id, change), shape: undefined, polygon: null, record: () => ({}) }
    })
    await writer.write(rows)
  }
  await writer.end()
  return counts
}

function describe(id: string, { what, old = {}, now = {} }: Change): unknown[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !UNCOMPARED.has(name) && show(old[name]) !== show(now[name]))
    .sort()
  const pick = (row: Row, of: readonly string[]) =>
    Object.fromEntries(of.map((name) => [name, JSON.parse(show(row[name]))]))
  // Whole, so that a follower needs nothing else.
  const known = (row: Row) => Object.keys(row).filter((name) => isKnown(name, row[name]))
  const lineage = now.formerParcelIds as string[] | null | undefined
  const isRemoved = what === 'removed'
  return [
    ...[id, what, what === 'changed' ? names : []],
    ...[what === 'added' ? null : pick(old, names), isRemoved ? null : pick(now, known(now))],
    lineage ?? [],
  ]
}

function isKnown(name: string, value: unknown): boolean {
  return !UNCOMPARED.has(name) && value !== null && value !== undefined
}

function idOf(row: Row): string {
  return String(row.propertyId)
}

function digest(row: Row): string {
  const compared = Object.entries(row).filter(([name]) => !UNCOMPARED.has(name))
  return hashOf(compared.map(([name, value]) => `${name}=${show(value)}`).join('\n')).slice(0, 32)
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null, (_, one) => {
    if (typeof one === 'bigint') return Number(one)
    return one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one
  })
}

/** Rows of a file, a row group at a time. */
async function* readRows(path: string): AsyncGenerator<Row> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    yield* await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd })
    rowStart = rowEnd
  }
}
