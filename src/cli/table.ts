/** What commands print: one JSON value with `--json`, or lines and tables for a person. */
import type { CommandIo } from './command.ts'

/** Prints the result of a command: the value with `--json`, else the lines. */
export function printResult(
  { json, print }: Pick<CommandIo, 'json' | 'print'>,
  value: unknown,
  lines: string | readonly string[],
): void {
  if (json) print(JSON.stringify(value))
  else for (const line of [lines].flat()) print(line)
}

/** Prints one JSON value row by row, because an account can have millions: `head`, then `name`. */
export async function printRows<Row>(
  { print }: Pick<CommandIo, 'print'>,
  head: object,
  { name, rows }: { name: string; rows: AsyncIterable<Row> },
  show: (row: Row) => object,
): Promise<void> {
  let line = `${JSON.stringify(head).slice(0, -1)},"${name}":[`
  let isFirst = true
  for await (const row of rows) {
    print(isFirst ? line : `${line},`)
    line = JSON.stringify(show(row))
    isFirst = false
  }
  print(`${line}]}`)
}

/** Formats a table with aligned columns; those named in `right` are right-aligned. */
export function formatTable(
  headings: string[],
  rows: string[][],
  right: readonly string[] = [],
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows].map((cells) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return right.includes(headings[column] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** `2026-05-20 12:00Z`, or a dash. */
export function formatTime(at: number | null): string {
  return at === null ? '-' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
