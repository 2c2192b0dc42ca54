/** Groups files by their columns: files of one layout are one table. */
import { CommandError } from '../../base/errors.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import { listTables } from '../../import/readers/container.ts'
import { readSource } from '../../import/source.ts'
import type { SampleOptions } from '../sample/sample.ts'
import { sourceOf } from '../sample/sample.ts'

/** Files with the same columns. */
export type Layout = {
  /** `roll.zip!sales.csv` is one table of an archive. */
  paths: string[]
  columns: readonly string[]
  /** Columns that some of the files lack. */
  lacking: string[]
}

/** Smallest share of common columns for two files of one layout. */
const ALIKE = 0.8

/**
 * Reads the head of each file. An archive of several tables counts as several files.
 *
 * An unreadable file among several is passed to `onWarning` and left out. Throws `CommandError`
 * when none can be read.
 */
export async function groupByLayout(paths: string[], options: SampleOptions): Promise<Layout[]> {
  const tables: string[] = []
  for (const path of paths) tables.push(...(await listTables(path)))
  if (tables.length === 1) return [{ paths, columns: [], lacking: [] }]
  const layouts: Layout[] = []
  let failed: unknown
  for (const path of tables) {
    try {
      const columns = await readHead(path, options)
      const layout = layouts.find((one) => isAlike(one.columns, columns))
      if (layout === undefined) layouts.push({ paths: [path], columns, lacking: [] })
      else join(layout, path, columns)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      failed ??= error
      options.onWarning?.(`${error.message}; it is left out`)
    }
  }
  if (layouts.length === 0) throw failed
  return layouts
}

async function readHead(path: string, options: SampleOptions): Promise<readonly string[]> {
  for await (const { columns } of readSource([path], sourceOf(options))) {
    return columns
  }
  throw new CommandError(`${path} holds no rows`)
}

function isAlike(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [keysOf(one), keysOf(other)]
  // Without headers only the number of columns can be compared.
  if (a.has('COLUMN1') && b.has('COLUMN1') && a.size !== b.size) return false
  const common = [...a].filter((key) => b.has(key)).length
  return common > 0 && common >= ALIKE * (a.size + b.size - common)
}

function join(layout: Layout, path: string, columns: readonly string[]): void {
  const [known, added] = [keysOf(layout.columns), keysOf(columns)]
  const fresh = columns.filter((name) => !known.has(columnKey(name)))
  const gone = layout.columns.filter((name) => !added.has(columnKey(name)))
  layout.paths.push(path)
  layout.columns = [...layout.columns, ...fresh]
  layout.lacking = [...new Set([...layout.lacking, ...fresh, ...gone])]
}

const keysOf = (columns: readonly string[]) => new Set(columns.map(columnKey).filter(Boolean))
