/** The changes between the Parquet files of two releases. */
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import type { ExportRow } from '../export/text-files.ts'
import type { Digests } from './digests.ts'
import { type Groups, openGroups, type Row } from './row-groups.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'change', type: 'text' },
  { name: 'fields', type: 'texts' },
  { name: 'old', type: 'json' },
  { name: 'new', type: 'json' },
  { name: 'lineage', type: 'texts' },
]

/** Changes in memory at a time, and in a group of the file. */
const PART_ROWS = 8_000

/** Where a row lies, with the digests of its group. */
type Place = { group: number; index: number; digests: Digests }

/** A row of the old file and of the new one; `undefined` where it is in one only. */
type Change = { old: Place | undefined; now: Place | undefined }

type Files = { old: Groups; now: Groups }

/**
 * Writes the changes in the order of the new file, and then what was removed in that of the old
 * one. A digest of each row is made of the bytes of both files; only rows that differ are made.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
): Promise<ChangeCounts> {
  const files = { old: await openGroups(oldPath), now: await openGroups(newPath) }
  const counts = { added: 0, changed: 0, removed: 0 }
  const writer = openParquet(file, COLUMNS)
  const changes = await findChanges(files)
  for (let at = 0; at < changes.length; at += PART_ROWS) {
    const rows = await describe(files, changes.slice(at, at + PART_ROWS))
    for (const { values } of rows) counts[values[1] as keyof ChangeCounts] += 1
    await writer.write(rows)
  }
  await writer.end()
  return counts
}

/** Reads both files side by side, and keeps the rows of one that the other has not shown yet. */
async function findChanges(files: Files): Promise<Change[]> {
  const waiting = { old: new Map<string, Place>(), now: new Map<string, Place>() }
  const changes: (Change & { now: Place })[] = []
  for (let group = 0; group < Math.max(files.old.count, files.now.count); group += 1) {
    for (const which of ['old', 'now'] as const) {
      const others = waiting[which === 'old' ? 'now' : 'old']
      for (const [id, place] of await listPlaces(files[which], group)) {
        const other = others.get(id)
        if (other === undefined) {
          waiting[which].set(id, place)
          continue
        }
        others.delete(id)
        const [old, now] = which === 'old' ? [place, other] : [other, place]
        if (!isSame(old, now)) changes.push({ old, now })
      }
    }
  }
  for (const now of waiting.now.values()) changes.push({ old: undefined, now })
  changes.sort((a, b) => a.now.group - b.now.group || a.now.index - b.now.index)
  return [...changes, ...waiting.old.values().map((old) => ({ old, now: undefined }))]
}

/** Returns the IDs and places of a group; none behind the last one. */
async function listPlaces({ count, load }: Groups, group: number): Promise<[string, Place][]> {
  if (group >= count) return []
  const read = await load(group)
  const digests = read.digest()
  return read.ids().map((id, index) => [id, { group, index, digests }])
}

function isSame(one: Place, other: Place): boolean {
  return one.digests.every((own, at) => own[one.index] === other.digests[at]?.[other.index])
}

/** Makes rows of the file of changes. */
async function describe(files: Files, changes: readonly Change[]): Promise<ExportRow[]> {
  const olds = await pick(
    files.old,
    changes.map(({ old }) => old),
  )
  const news = await pick(
    files.now,
    changes.map(({ now }) => now),
  )
  return changes.flatMap((_, at) => {
    const values = describeOne(olds[at], news[at])
    return values ? [{ values, shape: undefined, polygon: null, record: () => ({}) }] : []
  })
}

/** Makes the rows at some places of a file, reading each group once. */
async function pick(
  { load }: Groups,
  places: readonly (Place | undefined)[],
): Promise<(Row | undefined)[]> {
  const rows: (Row | undefined)[] = places.map(() => undefined)
  const known = [...places.entries()].filter(([, place]) => place !== undefined)
  for (const [group, some] of Map.groupBy(known, ([, place]) => place?.group as number)) {
    const made = (await load(group)).pick(some.map(([, place]) => place?.index as number))
    for (const [at, [to]] of some.entries()) rows[to] = made[at]
  }
  return rows
}

/**
 * Of an added or changed parcel the new row is whole, so that a follower needs nothing else.
 * `undefined`: only the types of its columns differ.
 */
function describeOne(old: Row | undefined, now: Row | undefined): unknown[] | undefined {
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
    .filter((name) => old?.[name] !== now?.[name] && show(old?.[name]) !== show(now?.[name]))
    .sort()
  if (names.length === 0) return undefined
  return [
    (now ?? old)?.propertyId,
    old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
    old === undefined || now === undefined ? [] : names,
    old === undefined ? null : Object.fromEntries(names.map((name) => [name, old[name] ?? null])),
    now ?? null,
    now?.formerParcelIds ?? [],
  ]
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null)
}
