/** The changes between the Parquet files of two releases. */
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { type Described, GROUP_MAX, type GroupReader, isSame, type Part } from './compare.ts'
import { inTurns, openComparison } from './comparison.ts'
import type { Digests } from './row-groups.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'change', type: 'text' },
  { name: 'fields', type: 'texts' },
  { name: 'old', type: 'json' },
  { name: 'new', type: 'json' },
  { name: 'lineage', type: 'texts' },
]

/** Changes in memory at a time, of each reader, and of a group of the file. */
const PART_ROWS = 4_000

/** What became of a row of the new file, instead of its place in the old one. */
const [ADDED, SAME] = [-1, -2]

/**
 * Writes the changes in the order of the new file, and then what was removed in that of the old
 * one. Columns whose bytes are the same in both are not decoded to find what differs. Where the
 * rows of a group are not those of the group before, the ID and the digest of each are in memory.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
): Promise<ChangeCounts> {
  const { groups, readers, close } = await openComparison({ old: oldPath, now: newPath })
  const counts = { added: 0, changed: 0, removed: 0 }
  const writer = openParquet(file, COLUMNS)
  const write = async (changes: Described[]) => {
    for (const { change } of changes) counts[change] += 1
    const rows = changes.map(({ propertyId, change, fields, old, now, lineage }) => {
      const values = [propertyId, change, fields, old, now, lineage]
      return { values, shape: undefined, polygon: null, record: () => ({}) }
    })
    await writer.write(rows)
  }
  try {
    const parts = await findChanges(groups, readers)
    let waiting: Described[] = []
    for await (const some of inTurns(parts, readers, (part, reader) => reader.describe(part))) {
      waiting.push(...some)
      if (waiting.length < PART_ROWS) continue
      await write(waiting)
      waiting = []
    }
    if (waiting.length > 0) await write(waiting)
    await writer.end()
    return counts
  } finally {
    await close()
  }
}

/** Finds the places of what differs, in the order of the file of changes. */
async function findChanges(groups: number, readers: readonly GroupReader[]): Promise<Part[]> {
  const parts: Part[] = []
  const moved: number[] = []
  const all = Array.from({ length: groups }, (_, at) => at)
  let group = 0
  for await (const found of inTurns(all, readers, (at, reader) => reader.compare(at))) {
    if (found === undefined) moved.push(group)
    else {
      const rows = found.indexes.map((index) => ({ index, from: group * GROUP_MAX + index }))
      parts.push(...divide({ group, rows, columns: found.columns }))
    }
    group += 1
  }
  const { changed, removed } = await findMoved(moved, readers)
  return [...[...parts, ...changed].sort((a, b) => a.group - b.group), ...removed]
}

/** Compares groups whose rows may be in others now. */
async function findMoved(moved: readonly number[], readers: readonly GroupReader[]) {
  // A number for each row, of its group and its index there: objects need more memory.
  const places = new Map<string, number>()
  const digests = new Map<number, Digests>()
  const origins = new Map<number, Float64Array>()
  const read = (which: 'old' | 'now') =>
    inTurns(moved, readers, async (group, reader) => ({
      group,
      ...(await reader.digest(which, group)),
    }))
  for await (const { group, ids, digests: own } of read('now')) {
    for (const [at, id] of ids.entries()) places.set(id, group * GROUP_MAX + at)
    digests.set(group, own)
    origins.set(group, new Float64Array(ids.length).fill(ADDED))
  }
  const removed: Part[] = []
  for await (const { group, ids, digests: own } of read('old')) {
    const rows: Part['rows'][number][] = []
    for (const [at, id] of ids.entries()) {
      const place = places.get(id)
      const there = Math.floor((place ?? Number.NaN) / GROUP_MAX)
      const now = digests.get(there)
      if (place === undefined || now === undefined) {
        rows.push({ index: undefined, from: group * GROUP_MAX + at })
        continue
      }
      const index = place % GROUP_MAX
      const origin = isSame(own, at, now, index) ? SAME : group * GROUP_MAX + at
      ;(origins.get(there) as Float64Array)[index] = origin
    }
    removed.push(...divide({ group, rows, columns: undefined }))
  }
  const changed = [...origins].flatMap(([group, own]) => {
    const rows = Array.from(own).flatMap((from, index) =>
      from === SAME ? [] : [{ index, from: from === ADDED ? undefined : from }],
    )
    return divide({ group, rows, columns: undefined })
  })
  return { changed, removed }
}

function divide({ rows, ...part }: Part): Part[] {
  return Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, at) => ({
    ...part,
    rows: rows.slice(at * PART_ROWS, (at + 1) * PART_ROWS),
  }))
}
