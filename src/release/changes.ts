/** The changes between the Parquet files of two releases. */
import { statSync } from 'node:fs'
import type { ExportColumn } from '../export/columns.ts'
import type { NewFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import type { ExportRow } from '../export/text-files.ts'
import type { Row } from './row-groups.ts'
import { walkFiles } from './walk.ts'

export type ChangeCounts = { added: number; changed: number; removed: number }

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'change', type: 'text' },
  { name: 'fields', type: 'texts' },
  { name: 'old', type: 'json' },
  { name: 'new', type: 'json' },
  { name: 'lineage', type: 'texts' },
]

/** Up to here threads do not pay: about 20,000 parcels. */
const SMALL_BYTES = 10_000_000

const GROUP_ROWS = 4_000

/**
 * Writes first the changes of parcels that have the same neighbours in both files, then of others.
 * What was added and removed follows, each in the order of its file.
 */
export async function writeChanges(
  file: NewFile,
  oldPath: string,
  newPath: string,
  inThreads = statSync(newPath).size > SMALL_BYTES,
): Promise<ChangeCounts> {
  const counts = { added: 0, changed: 0, removed: 0 }
  const writer = openParquet(file, COLUMNS)
  let waiting: ExportRow[] = []
  const write = async () => {
    if (waiting.length > 0) await writer.write(waiting)
    waiting = []
  }
  for await (const pairs of walkFiles(oldPath, newPath, inThreads)) {
    for (const { old, now } of pairs) {
      const values = describe(old, now)
      if (values === undefined) continue
      counts[values[1] as keyof ChangeCounts] += 1
      waiting.push({ values, shape: undefined, polygon: null, record: () => ({}) })
    }
    if (waiting.length >= GROUP_ROWS) await write()
  }
  await write()
  await writer.end()
  return counts
}

/** The new row is whole, so that a follower needs nothing else. `undefined`: only types differ. */
function describe(old: Row | undefined, now: Row | undefined): unknown[] | undefined {
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
