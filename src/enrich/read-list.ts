/** Reads a list row by row, whatever its format. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CommandError } from '../base/errors.ts'
import { parseJson } from '../base/long-numbers.ts'
import { readSource } from '../import/source.ts'

/** A row as text by column; of NDJSON also the object, and its text so that no number changes. */
export type ListRow = {
  /** Line or record of the file, counted from 1. */
  line: number
  cells: readonly string[]
  object?: Record<string, unknown>
  text?: string
  /** Why the row is unreadable; its text is in the first cell. */
  broken?: string
}

/** A list: its columns, and its rows as they are read. */
export type List = { columns: readonly string[]; rows: AsyncGenerator<ListRow> }

/** Rows of an NDJSON file that determine its columns. */
const SAMPLE_ROWS = 100

/** Opens a list: delimited text, NDJSON, Parquet and other formats of `import`. */
export async function openList(file: string): Promise<List> {
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return openLines(file)
  const batches = readSource([file], { geometry: false, padsShort: true })
  const first = await batches.next()
  if (first.done === true) throw new CommandError(`${file} has no rows`)
  const { columns } = first.value
  async function* rows(): AsyncGenerator<ListRow> {
    yield* rowsOf(first.value)
    for await (const batch of batches) yield* rowsOf(batch)
  }
  return { columns, rows: rows() }
}

type Readable = Awaited<ReturnType<ReturnType<typeof readSource>['next']>>['value']

/** Yields rows in the order of their lines, unreadable ones included. */
function* rowsOf({ rows, lines, broken, columns }: Readable): Generator<ListRow> {
  const refused = [...broken].sort((one, other) => one.line - other.line)
  const fill = (text: string) => columns.map((_: string, at: number) => (at === 0 ? text : ''))
  let next = 0
  for (const [at, cells] of rows.entries()) {
    for (let one = refused[next]; one !== undefined && one.line < lines[at]; one = refused[next]) {
      yield { line: one.line, cells: fill(one.text), broken: one.reason }
      next += 1
    }
    yield { line: lines[at] ?? 0, cells }
  }
  for (const { line, text, reason } of refused.slice(next)) {
    yield { line, cells: fill(text), broken: reason }
  }
}

async function openLines(file: string): Promise<List> {
  const objects = readObjects(file)
  const sample: (ReadObject | string)[] = []
  for await (const object of objects) {
    sample.push(object)
    if (sample.length === SAMPLE_ROWS) break
  }
  if (sample.length === 0) throw new CommandError(`${file} has no rows`)
  const known = sample.filter((one) => typeof one !== 'string')
  const columns = [...new Set(known.flatMap(({ value }) => Object.keys(value)))]
  // The first loop has consumed the file's iterator, so the file is opened again.
  async function* rows(): AsyncGenerator<ListRow> {
    let line = 0
    for await (const object of readObjects(file)) {
      line += 1
      if (typeof object === 'string') {
        const cells = columns.map((_, at) => (at === 0 ? object : ''))
        const whole = { text: object }
        yield { line, cells, object: whole, broken: 'The line is not a JSON object' }
      } else {
        const { value, text } = object
        yield { line, cells: columns.map((name) => showValue(value[name])), object: value, text }
      }
    }
  }
  return { columns, rows: rows() }
}

type ReadObject = { value: Record<string, unknown>; text: string }

/** Yields the object of each line, or the text of a line that is not one. */
async function* readObjects(file: string): AsyncGenerator<ReadObject | string> {
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    if (line.trim() === '') continue
    try {
      const value = parseJson(line)
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      yield isObject ? { value: value as Record<string, unknown>, text: line.trim() } : line
    } catch {
      yield line
    }
  }
}

export function showValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
