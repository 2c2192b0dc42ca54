/** CSV, TSV and other delimited text. */
import { CommandError } from '../../errors.ts'
import type { Batch, SourceOptions } from '../source.ts'
import type { Part } from './container.ts'
import { CsvSplitter, detectSeparator } from './csv.ts'
import { decodeText } from './text.ts'

/** How much text tells the separator, characters. */
const SAMPLE = 65_536

/** Reads delimited text with a header line from the bytes of a part; throws `CommandError` for what is none. */
export async function* readDelimited(
  part: Part,
  bytes: AsyncIterable<Buffer>,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  let splitter: CsvSplitter | undefined
  let columns: string[] | undefined
  let pending = ''
  let told = false
  const batch = (): Batch | undefined => {
    if (splitter === undefined) return undefined
    const { rows, lines, broken } = splitter.drain()
    if (columns === undefined) {
      const at = rows.findIndex((row) => row.some((text) => text.trim() !== ''))
      if (at < 0) return undefined
      columns = rows[at]?.map((name) => name.trim()) ?? []
      rows.splice(0, at + 1)
      lines.splice(0, at + 1)
    }
    if (rows.length === 0 && broken.length === 0) return undefined
    return { file: part.shown, columns, rows, lines, broken }
  }
  for await (const text of decodeText(bytes, options.encoding)) {
    pending = pending === '' ? text : pending + text
    if (splitter === undefined) {
      if (pending.length < SAMPLE) continue
      splitter = start(pending, part, options)
    }
    splitter.push(pending)
    pending = ''
    const ready = batch()
    if (ready === undefined) continue
    told = true
    yield ready
  }
  splitter ??= start(pending, part, options)
  splitter.push(pending, true)
  const ready = batch()
  if (ready !== undefined) yield ready
  // A header without rows tells its columns all the same.
  else if (columns !== undefined && !told) {
    yield { file: part.shown, columns, rows: [], lines: [], broken: [] }
  }
  if (columns === undefined) throw new CommandError(`${part.shown} is empty`)
}

function start(sample: string, part: Part, options: SourceOptions): CsvSplitter {
  if (isBinary(sample)) {
    throw new CommandError(
      `${part.shown} is no text file of rows, nor of another format that import reads`,
    )
  }
  const separator = options.separator ?? detectSeparator(sample.slice(0, SAMPLE))
  return new CsvSplitter(separator)
}

/** Control characters that no text has, near its start. */
function isBinary(sample: string): boolean {
  for (let at = 0; at < Math.min(sample.length, 4096); at += 1) {
    if (sample.charCodeAt(at) < 9) return true
  }
  return false
}
