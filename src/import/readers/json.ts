/** Streams NDJSON, JSON arrays of objects, and GeoJSON, object by object. */
import { CommandError } from '../../base/errors.ts'
import type { Batch, SourceOptions } from '../batch.ts'
import { BATCH_ROWS, BATCH_SIZE, OBJECT_MAX } from '../bounds.ts'
import type { Placing } from '../geo/place-shapes.ts'
import { type CodedColumn, findEsriFields } from './coded.ts'
import type { Part } from './container.ts'
import * as shapes from './json-shapes.ts'
import { Table } from './json-values.ts'
import { decodeText } from './text.ts'

type Json = { [key: string]: unknown }

/**
 * Reads rows from JSON in three forms. A new key starts a new batch with one more column. Nested
 * objects get dotted names; lists are joined by `; `.
 */
export async function* readJson(
  part: Part,
  bytes: AsyncIterable<Buffer>,
  options: SourceOptions,
): AsyncGenerator<Batch> {
  const scanner = new ObjectScanner()
  let table = new Table(part.shown)
  let placing: Placing | undefined
  const late = await shapes.readLateHead(part, options)
  let coded: CodedColumn[] = []
  const take = function* (found: Iterable<{ json: string; line: number }>) {
    for (const { json, line } of found) {
      if (placing === undefined) {
        const project =
          shapes.readProjection(scanner.head, options) ?? shapes.findProjection(late, options)
        placing = { ...options, project }
        coded = findEsriFields(scanner.head).filter(({ codes }) => codes.size > 0)
      }
      if (!table.add(json, line, placing, coded)) {
        yield table.batch()
        table = table.widened()
        table.add(json, line, placing, coded)
      }
      if (table.rows.length < BATCH_ROWS && table.size < BATCH_SIZE) continue
      yield table.batch()
      table = table.widened()
    }
  }
  for await (const text of decodeText(bytes, options, part.shown)) {
    yield* take(scanner.push(text))
    scanner.refuseEndless(part.shown)
  }
  yield* take(scanner.finish())
  if (scanner.count === 0) throw new CommandError(`${part.shown} holds no JSON objects of rows`)
  if (/"exceededTransferLimit"\s*:\s*true/.test(scanner.outside())) {
    options.notes?.warn(
      `${part.shown} is marked exceededTransferLimit: rows are missing. Download them ` +
        'page by page, or load it with --partial.',
    )
  }
  if (late === '' && shapes.readProjection(scanner.head, options) === undefined) {
    shapes.warnOfLateHead(part, scanner.outside(), options)
  }
  if (scanner.isOpen()) throw new CommandError(`${part.shown} is cut short: its JSON does not end`)
  if (table.rows.length > 0 || table.broken.length > 0) yield table.batch()
}

class ObjectScanner {
  /** Text before the first object; at most HEAD_MAX characters after the first piece. */
  head = ''
  count = 0
  #text = ''
  #at = 0
  /** For each open bracket, whether it is an array. */
  #lists: boolean[] = []
  #start = -1
  #line = 1
  /** Line of the newest object or list; an object's number where the first is on its list's. */
  #startLine = 1
  #areOnOneLine: boolean | undefined
  #inString = false
  #escaped = false
  /** Whether the open array at row depth holds rows, not the columns of an ArcGIS answer. */
  #isRows = false
  /** Where the text after the newest object begins. */
  #behind = 0
  #tail = ''
  #form: 'lines' | 'sequence' | 'list' | 'features' | undefined;

  *push(text: string): Generator<{ json: string; line: number }> {
    this.#text += text
    this.#form ??= findForm(this.#text)
    if (this.#form === undefined) return
    if (this.#form === 'lines') yield* this.#takeLines()
    else if (this.#form === 'sequence') yield* this.#takeSequence(false)
    else yield* this.#takeObjects(this.#form === 'list' ? 1 : 2)
  }

  /** Yields the rest at the end of the file: a last line without a line end. */
  *finish(): Generator<{ json: string; line: number }> {
    if (this.#form === undefined && this.#text.trim() !== '') this.#form = 'lines'
    if (this.#form === 'sequence') yield* this.#takeSequence(true)
    if (this.#form !== 'lines' || this.#text === '') return
    this.#text += '\n'
    yield* this.#takeLines()
  }

  outside(): string {
    return this.head + this.#tail
  }

  /** Throws `CommandError` for an object that does not end, or nests without an end. */
  refuseEndless(shown: string): void {
    if (this.#text.length > OBJECT_MAX) {
      throw new CommandError(`${shown}: an object of more than 32 MB, at line ${this.#line}`)
    }
    if (this.#lists.length > BRACKETS_MAX) {
      throw new CommandError(`${shown} is nested more than ${BRACKETS_MAX} deep`)
    }
  }

  isOpen(): boolean {
    return this.#lists.length > 0 || this.#inString
  }

  *#takeLines(): Generator<{ json: string; line: number }> {
    let at = 0
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n', at)) {
      const json = this.#text.slice(at, end).trim()
      at = end + 1
      if (json !== '') {
        this.count += 1
        yield { json, line: this.#line }
      }
      this.#line += 1
    }
    this.#text = this.#text.slice(at)
  }

  /** Yields the texts of a JSON text sequence, each after a record separator. Source: RFC 8142. */
  *#takeSequence(isEnd: boolean): Generator<{ json: string; line: number }> {
    const texts = this.#text.split(SEPARATOR)
    this.#text = isEnd ? '' : (texts.pop() ?? '')
    for (const text of texts) {
      const json = text.trim()
      if (json !== '') {
        this.count += 1
        yield { json, line: this.#line }
      }
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line += 1
    }
  }

  *#takeObjects(depth: number): Generator<{ json: string; line: number }> {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (this.#inString) this.#readString(code)
      else if (code === 34) this.#inString = true
      else if (code === 10) this.#line += 1
      else if (code === 123 || code === 91) this.#open(code, depth)
      else if (code === 125 || code === 93) {
        this.#lists.pop()
        if (this.#start >= 0 && this.#lists.length === depth) {
          yield { json: this.#text.slice(this.#start, this.#at + 1), line: this.#startLine }
          this.#start = -1
          this.count += 1
          this.#behind = this.#at + 1
          this.#tail = ''
        }
      }
    }
    // The name of a list may end this piece, and its bracket start the next.
    const keep = this.#start < 0 ? Math.max(0, this.#at - NAME_MAX) : this.#start
    if (this.count > 0 && this.#start < 0) {
      this.#tail = (this.#tail + this.#text.slice(this.#behind, this.#at)).slice(0, HEAD_MAX)
      this.#behind = this.#at
    } else if (this.#start < 0 && this.head.length < HEAD_MAX) {
      this.head += this.#text.slice(0, keep)
    }
    this.#text = this.#text.slice(keep)
    this.#behind -= keep
    this.#at -= keep
    if (this.#start >= 0) this.#start = 0
  }

  #readString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === 92) this.#escaped = true
    else if (code === 34) this.#inString = false
  }

  #open(code: number, depth: number): void {
    if (code === 91 && this.#lists.length === depth - 1) {
      const before = this.#text.slice(Math.max(0, this.#at - NAME_MAX), this.#at)
      this.#isRows = depth === 1 || ROWS_BEFORE.test(before)
      this.#startLine = this.#line
    }
    const inList = this.#lists.length === depth && this.#lists.at(-1) === true
    if (code === 123 && inList && this.#isRows && this.#start < 0) {
      if (this.count === 0) this.head += this.#text.slice(0, this.#at)
      this.#start = this.#at
      this.#areOnOneLine ??= this.#line === this.#startLine
      this.#startLine = this.#areOnOneLine ? this.count + 1 : this.#line
    }
    this.#lists.push(code === 91)
  }
}

const BRACKETS_MAX = 10_000

/** Record separator of GeoJSON text sequences. */
export const SEPARATOR = '\u001e'

/** Characters kept of the text around the rows; code tables may be long. */
const HEAD_MAX = 1_048_576
/** Longer than any name of a list of rows, with its quotes and blanks. */
const NAME_MAX = 64
const ROWS = /"(?:features|rows|records|results|data)"\s*:\s*\[/
const ROWS_BEFORE = /"(?:features|rows|records|results|data)"\s*:\s*$/
/** Characters searched for the array of rows; an ArcGIS answer lists its columns first. */
const FORM_MAX = 1_048_576

function findForm(text: string): 'lines' | 'sequence' | 'list' | 'features' | undefined {
  const start = text.trimStart()
  if (start === '') return undefined
  if (start.startsWith(SEPARATOR)) return 'sequence'
  if (start.startsWith('[')) return 'list'
  const end = start.indexOf('\n')
  const line = end < 0 ? start : start.slice(0, end)
  const hasList = ROWS.test(start.slice(0, FORM_MAX))
  try {
    const object = JSON.parse(line) as Json
    return hasList && Object.values(object).some(Array.isArray) && object.type !== 'Feature'
      ? 'features'
      : 'lines'
  } catch {
    if (hasList) return 'features'
    // The object spans several lines, and its array of rows may still come.
    return start.length < FORM_MAX ? undefined : 'lines'
  }
}
