/** The changes between the Parquet files of two releases. */
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { type Row, readGroups } from './row-groups.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

type Change = { what: 'added' | 'changed' | 'removed'; old: Row | undefined; now: Row | undefined }

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
 * Writes the changes in the order of property IDs. Of a row that has not changed its ID and digest
 * are in memory. Both files are read column by column, and groups with changes a second time.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
): Promise<ChangeCounts> {
  const changes = await findChanges(oldPath, newPath)
  for await (const group of readGroups(newPath)) {
    const own = group.ids.flatMap((id, at) => {
      const change = changes.get(id)
      return change === undefined || change.what === 'removed' ? [] : [{ change, at }]
    })
    const rows = await group.rows(own.map(({ at }) => at))
    for (const [index, { change }] of own.entries()) change.now = rows[index]
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

/** Finds what differs, with the old rows. */
async function findChanges(oldPath: string, newPath: string): Promise<Map<string, Change>> {
  // A number for each row, of its group and its index there: objects need more memory.
  const places = new Map<string, number>()
  const groups: (readonly [Uint32Array, Uint32Array])[] = []
  for await (const { ids, digests } of readGroups(newPath)) {
    for (const [at, id] of ids.entries()) places.set(id, groups.length * GROUP_MAX + at)
    groups.push(digests)
  }
  const changes = new Map<string, Change>()
  for await (const { ids, digests: own, rows } of readGroups(oldPath)) {
    const differing = ids.flatMap((id, at) => {
      const place = places.get(id)
      places.delete(id)
      const now = groups[Math.floor((place ?? Number.NaN) / GROUP_MAX)]
      const there = (place ?? 0) % GROUP_MAX
      const isSame = own[0][at] === now?.[0][there] && own[1][at] === now?.[1][there]
      return isSame ? [] : [{ id, at, what: place === undefined ? 'removed' : 'changed' } as const]
    })
    const old = await rows(differing.map(({ at }) => at))
    for (const [index, { id, what }] of differing.entries()) {
      changes.set(id, { what, old: old[index], now: undefined })
    }
  }
  for (const id of places.keys()) changes.set(id, { what: 'added', old: undefined, now: undefined })
  return changes
}

function describe(id: string, { what, old = {}, now = {} }: Change): unknown[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => show(old[name]) !== show(now[name]))
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
