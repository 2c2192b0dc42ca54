/** Tables of a test as rows of named columns. */
import { readSource } from '../../src/import/source.ts'

export type Row = Record<string, string>

/** Writes rows as CSV, with all columns that any of them has. */
export function writeTable(rows: Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (texts: string[]) => texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map(line)
    .join('\n')
}

/** All rows of a file, whatever its format. */
export async function readTable(path: string): Promise<Row[]> {
  const all: Row[] = []
  for await (const { columns, rows } of readSource([path], { geometry: false })) {
    for (const row of rows) {
      all.push(Object.fromEntries(columns.map((name, at) => [name, row[at] ?? ''])))
    }
  }
  return all
}
