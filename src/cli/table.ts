/** Plain tables for a terminal. */

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

/** Formats a time for JSON. */
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
