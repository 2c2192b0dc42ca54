/** Reads fixed-width text whose columns the mapping defines, with kinds of lines by prefix. */
import { CommandError } from '../../base/errors.ts'
import {
  type Batch,
  emptyBatch,
  type LineKind,
  type SourceOptions,
  type TableColumn,
} from '../batch.ts'
import { BATCH_ROWS } from '../bounds.ts'
import type { Part } from './container.ts'
import { decodeText } from './text.ts'

/** Longest line in characters; longer ones are not fixed-width text. */
const LINE_MAX = 1_048_576

/** Reads the lines of each kind and skips others. Throws `CommandError` without line ends. */
export async function* readColumnTable(
  part: Part,
  bytes: AsyncIterable<Buffer>,
  kinds: readonly LineKind[],
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const batches = kinds.map(({ columns }) =>
    emptyBatch(
      part.shown,
      columns.map(({ name }) => name),
    ),
  )
  let held = ''
  let line = 0
  const take = (text: string) => {
    line += 1
    if (line <= (options.skip ?? 0) || text.trim() === '') return
    const at = kinds.findIndex(({ prefix = '' }) => text.startsWith(prefix))
    const [kind, batch] = [kinds[at], batches[at]]
    if (kind === undefined || batch === undefined) return
    if (/[^\0]\0+[^\0\s]/.test(text)) {
      const reason = 'NUL character in the line: the file is damaged there'
      batch.broken.push({ line, reason, text })
      return
    }
    batch.rows.push(kind.columns.map((column) => cut(text, column)))
    batch.lines.push(line)
  }
  for await (const text of decodeText(bytes, options, part.shown)) {
    const lines = (held + text).split(/\r?\n/)
    held = lines.pop() ?? ''
    if (held.length > LINE_MAX) {
      throw new CommandError(
        `${part.shown} has a line of more than 1 MB: it is not text of fixed width`,
      )
    }
    for (const one of lines) take(one)
    for (const [at, batch] of batches.entries()) {
      if (batch.rows.length + batch.broken.length < BATCH_ROWS) continue
      yield batch
      batches[at] = emptyBatch(part.shown, batch.columns)
    }
  }
  if (held !== '') take(held.replace(/\r$/, ''))
  if (line === 0) throw new CommandError(`${part.shown} is empty`)
  yield* batches
}

/** Cuts a column: with two decimals `0001234567` is `12345.67`; a minus may be on either side. */
function cut(line: string, { start, length, decimals = 0 }: TableColumn): string {
  const text = line
    .slice(start - 1, start - 1 + length)
    .replaceAll('\0', ' ')
    .trim()
  if (decimals === 0) return text
  const [, before, digits, after] = /^([-+]?)(\d+)([-+]?)$/.exec(text) ?? []
  if (digits === undefined) return text
  const padded = digits.replace(/^0+/, '').padStart(decimals + 1, '0')
  const sign = before === '-' || after === '-' ? '-' : ''
  return `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}
