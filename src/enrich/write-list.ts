/** Writes rows with the added values as CSV, TSV or NDJSON. */
import { CommandError } from '../base/errors.ts'
import { type ListRow, showValue } from './read-list.ts'

export type ListWriter = {
  /** The line of column names; `''`: there is none. */
  header: string
  /** Returns a row with its line end. `values`: of the added columns in order. */
  row(row: ListRow, values: readonly unknown[]): string
}

/** Returns the writer for a file's extension. Throws `CommandError` for an unsupported one. */
export function makeWriter(
  file: string,
  columns: readonly string[],
  added: readonly string[],
): ListWriter {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  if (ending === 'ndjson' || ending === 'jsonl') return writeLines(columns, added)
  const separator = { csv: ',', tsv: '\t' }[ending]
  if (separator === undefined) {
    throw new CommandError(`--out ${file}: the ending is none of .csv, .tsv, .ndjson and .jsonl`, 2)
  }
  const row: ListWriter['row'] = ({ cells }, values) => {
    let line = ''
    for (const cell of cells) line += quote(cell, separator) + separator
    for (const value of values) line += quote(showValue(value), separator) + separator
    return `${line.slice(0, -1)}\n`
  }
  return { header: row({ cells: [...columns, ...added] }, []), row }
}

function writeLines(columns: readonly string[], added: readonly string[]): ListWriter {
  return {
    header: '',
    row({ cells, object }, values) {
      const own = object ?? Object.fromEntries(columns.map((name, at) => [name, cells[at]]))
      const more = Object.fromEntries(added.map((name, at) => [name, values[at]]))
      return `${JSON.stringify({ ...own, ...more })}\n`
    },
  }
}

/** Cells that need quotes with any separator: a quote, a line end, a blank at either end. */
const NOT_PLAIN = /["\r\n]|^\s|\s$/

/** RFC 4180. Cells with outer blanks are quoted too, because some readers trim others. */
function quote(cell: string, separator: string): string {
  if (cell === '') return cell
  const isPlain = !cell.includes(separator) && !NOT_PLAIN.test(cell)
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`
}
