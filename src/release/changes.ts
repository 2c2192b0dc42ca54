/** The changes between the Parquet files of two releases. */
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { isSame, type ReleasePaths } from './compare.ts'
import { openComparison, type Share } from './comparison.ts'
import type { Digests, Row } from './row-groups.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

type Change = { what: 'added' | 'changed' | 'removed'; old: Row | undefined; now: Row | undefined }

type Changes = Map<string, Change>

/** More rows than a group of a release has. */
const GROUP_MAX = 1_000_000

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'change', type: 'text' },
  { name: 'fields', type: 'texts' },
  { name: 'old', type: 'json' },
  { name: 'new', type: 'json' },
  { name: 'lineage', type: 'texts' },
]

/**
 * Writes the changes in the order of property IDs. Columns whose bytes are the same in both files
 * are not decoded. Where the rows of a group are not those of the group before, the ID and the
 * digest of each are in memory.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
): Promise<ChangeCounts> {
  const changes = await findChanges({ old: oldPath, now: newPath })
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

async function findChanges(paths: ReleasePaths): Promise<Changes> {
  const changes: Changes = new Map()
  const moved: number[] = []
  const { groups, share, close } = await openComparison(paths)
  try {
    await share(groups, async (at, reader) => {
      const rows = await reader.compare(at)
      if (rows === undefined) moved.push(at)
      for (const { id, old, now } of rows ?? []) changes.set(id, { what: 'changed', old, now })
    })
    await compareMoved(moved, share, changes)
    return changes
  } finally {
    await close()
  }
}

/** Compares groups whose rows may be in others now. */
async function compareMoved(
  moved: readonly number[],
  share: Share,
  changes: Changes,
): Promise<void> {
  // A number for each row, of its group and its index there: objects need more memory.
  const places = new Map<string, number>()
  const digests = new Map<number, Digests>()
  await share(moved, async (group, reader) => {
    const now = await reader.digest('now', group)
    for (const [at, id] of now.ids.entries()) places.set(id, group * GROUP_MAX + at)
    digests.set(group, now.digests)
  })
  await share(moved, async (group, reader) => {
    const old = await reader.digest('old', group)
    const differing: { id: string; at: number; what: 'removed' | 'changed' }[] = []
    for (const [at, id] of old.ids.entries()) {
      const place = places.get(id)
      places.delete(id)
      const there = digests.get(Math.floor((place ?? Number.NaN) / GROUP_MAX))
      if (there !== undefined && isSame(old.digests, at, there, (place ?? 0) % GROUP_MAX)) continue
      differing.push({ id, at, what: place === undefined ? 'removed' : 'changed' })
    }
    const indexes = differing.map(({ at }) => at)
    const rows = await reader.rows('old', group, indexes)
    for (const [index, { id, what }] of differing.entries()) {
      changes.set(id, { what, old: rows[index], now: undefined })
    }
  })
  for (const id of places.keys()) changes.set(id, { what: 'added', old: undefined, now: undefined })
  await share(moved, async (group, reader) => {
    const own = (await reader.ids(group)).flatMap((id, at) => {
      const change = changes.get(id)
      return change === undefined || change.what === 'removed' ? [] : [{ change, at }]
    })
    const indexes = own.map(({ at }) => at)
    const rows = await reader.rows('now', group, indexes)
    for (const [index, { change }] of own.entries()) change.now = rows[index]
  })
}

function describe(id: string, { what, old = {}, now = {} }: Change): unknown[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name] && show(old[name]) !== show(now[name]))
    .sort()
  const pick = (row: Row, of: readonly string[]) =>
    Object.fromEntries(of.map((name) => [name, JSON.parse(show(row[name]))]))
  // Whole, so that a follower needs nothing else.
  const known = (row: Row) => Object.keys(row).filter((name) => isKnown(row[name]))
  const lineage = now.formerParcelIds as string[] | null | undefined
  const isRemoved = what === 'removed'
  return [
    ...[id, what, what === 'changed' ? names : []],
    ...[what === 'added' ? null : pick(old, names), isRemoved ? null : pick(now, known(now))],
    lineage ?? [],
  ]
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null, (_, one) => {
    if (typeof one === 'bigint') return Number(one)
    return one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one
  })
}
