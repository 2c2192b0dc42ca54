/** Writes rows with the added values as CSV, TSV or NDJSON. */
import { CommandError } from '../base/errors.ts'
import { guardFormula } from '../render/formulas.ts'
import { type ListRow, showValue } from './read-list.ts'

export type ListWriter = {
  /** The line of column names; `''`: there is none. */
  header: string
  /** Returns a row with its line end. `values`: of the added columns in order. */
  row(row: Omit<ListRow, 'line'>, values: readonly unknown[]): string
}

/**
 * Returns the writer for a file's extension. Without `keepsFormulas`, an added text that a
 * spreadsheet would run begins with an apostrophe; own cells are untouched. Throws `CommandError`
 * for an unsupported extension.
 */
export function makeWriter(
  file: string,
  columns: readonly string[],
  added: readonly string[],
  keepsFormulas: boolean,
): ListWriter {
  const [, ending = ''] = /\.(\w+)$/.exec(file.toLowerCase()) ?? []
  if (ending === 'ndjson' || ending === 'jsonl') return writeLines(columns, added)
  const separator = { csv: ',', tsv: '\t' }[ending]
  if (separator === undefined) {
    throw new CommandError(`--out ${file}: the ending is none of .csv, .tsv, .ndjson and .jsonl`, 2)
  }
  const guard = keepsFormulas ? (cell: string) => cell : guardFormula
  const row: ListWriter['row'] = ({ cells }, values) => {
    let line = ''
    for (const cell of cells) line += quote(cell, separator) + separator
    for (const value of values) line += quote(guard(showValue(value)), separator) + separator
    return `${line.slice(0, -1)}\n`
  }
  return { header: row({ cells: [...columns, ...added] }, []), row }
}

function writeLines(columns: readonly string[], added: readonly string[]): ListWriter {
  return {
    header: '',
    row({ cells, object, text }, values) {
      const own = object ?? Object.fromEntries(columns.map((name, at) => [name, cells[at]]))
      const more = Object.fromEntries(added.map((name, at) => [name, values[at]]))
      if (text === undefined) return `${JSON.stringify({ ...own, ...more })}\n`
      const comma = Object.keys(own).length > 0 ? ',' : ''
      return `${text.slice(0, -1)}${comma}${JSON.stringify(more).slice(1)}\n`
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
