/** Writes rows with what was added to them, as CSV, TSV or NDJSON. */
import { CommandError } from '../errors.ts'
import { type ListRow, showValue } from './read-list.ts'

/** Values by name, in the order of the added columns. */
export type Added = Record<string, unknown>

export type ListWriter = {
  /** The line of column names; `''`: there is none. */
  header: string
  /** A row with its line end. */
  row(row: ListRow, added: Added): string
}

/** The writer for a file by its ending. Throws `CommandError` for an ending that is not written. */
export function makeWriter(
  file: string,
  columns: readonly string[],
  added: readonly string[],
): ListWriter {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  if (ending === 'ndjson' || ending === 'jsonl') return writeLines(columns)
  const separator = { csv: ',', tsv: '\t' }[ending]
  if (separator === undefined) {
    throw new CommandError(`--out ${file}: the ending is none of .csv, .tsv, .ndjson and .jsonl`, 2)
  }
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => quote(cell, separator)).join(separator)}\n`
  return {
    header: line([...columns, ...added]),
    row: ({ cells }, values) => line([...cells, ...Object.values(values).map(showValue)]),
  }
}

function writeLines(columns: readonly string[]): ListWriter {
  return {
    header: '',
    row({ cells, object }, added) {
      const own = object ?? Object.fromEntries(columns.map((name, at) => [name, cells[at]]))
      return `${JSON.stringify({ ...own, ...added })}\n`
    },
  }
}

/** RFC 4180. A cell with blanks at its ends is quoted too, because some readers trim others. */
function quote(cell: string, separator: string): string {
  const plain = !/["\r\n]/.test(cell) && !cell.includes(separator) && cell.trim() === cell
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`
}
