/**
 * A layout as a template. At start, its fields are turned once into fixed texts and holes between
 * them. For each shape of stored records (the set of present fields) this list is compiled to a
 * program. Nulls become fixed text, and joined values become several holes. Parcels of one roll
 * have a few dozen shapes; rendering one is a loop of copies (`render.wat`).
 */
import { positionsOf, slotOf } from '../record/stored.ts'
import type { Compose, FindField } from './compose.ts'
import { makeShared } from './derived.ts'
import { Spans, WORD, words } from './memory.ts'
import type { Output } from './output.ts'
import {
  type Callback,
  callbackAt,
  generation,
  HOLE,
  makeProgram,
  type Part,
  type Program,
  Programs,
  trimmed,
  whole,
} from './program.ts'
import type { StoredRecord } from './record.ts'

/** Writes a value's JSON. */
export type WriteValue = (record: StoredRecord, output: Output) => void
/** Derives the values that some fields of a record show. */
type Prepare = (record: StoredRecord) => void
/** The source of a shown value. */
export type Source =
  /** A stored field; `empty` is shown when it is absent. */
  | { stored: string; empty: string }
  /** Composed of stored fields and of values that `prepare` derives. */
  | { compose: Compose; prepare?: Prepare | undefined }
  /** Written by a function when the field `needs` is present, else `[]`. */
  | { write: WriteValue; needs: string }
  /** The same JSON for every record. */
  | { fixed: string }

/** A field of a layout: its path of keys, and where its value comes from. */
export type TemplateField = { path: readonly string[]; source: Source }

/** Writes records of one layout. `omit` leaves out nulls; lists and objects stay. */
export function buildTemplate(
  fields: readonly TemplateField[],
  omit = false,
): (record: StoredRecord, output: Output) => void {
  const keyed = fields.map((field, at) => keyField(field, fields[at - 1]?.path ?? []))
  const folded = new ShapePrograms<Folded>()
  const foldRecord = (record: StoredRecord) => fold(keyed, record, omit)
  return (record, output) => fill(folded.get(record, foldRecord), record, output)
}

function fill(template: Folded, record: StoredRecord, output: Output): void {
  const { program, writers, prepares } = template
  if (record.fieldCount !== template.fieldCount) throw new Error(`record ${record.id} is damaged`)
  record.positions = template.positions
  makeShared(record)
  for (const prepare of prepares) prepare(record)
  let hole = program.start
  for (;;) {
    hole = output.render(program, hole, record.length)
    const callback = callbackAt(hole)
    if (callback === -1) return
    const write = writers[callback] as WriteValue
    write(record, output)
    hole += HOLE
  }
}

/** A field with its key, and the objects that end and begin before it. */
type Keyed = { closed: number; opened: readonly string[]; key: string; source: Source }

type Folded = {
  program: Program
  /** The functions behind its callbacks. */
  writers: WriteValue[]
  prepares: Prepare[]
  positions: readonly number[]
  fieldCount: number
}

/** Fields of one group are consecutive. `before`: the path of the field before it. */
function keyField({ path, source }: TemplateField, before: readonly string[]): Keyed {
  const groups = path.slice(0, -1)
  const open = before.slice(0, -1)
  const differs = groups.findIndex((key, at) => key !== open[at])
  const common = Math.min(differs === -1 ? groups.length : differs, open.length)
  const [key, ...opened] = [path.at(-1), ...groups.slice(common)].map((one) => JSON.stringify(one))
  return { closed: open.length - common, opened, key: key as string, source }
}

/** Fields that every record has. */
const REQUIRED = ['fips', 'parcelId'] as const

function fold(fields: readonly Keyed[], record: StoredRecord, omit: boolean): Folded {
  const { id, parts } = record
  const positions = positionsOf(record.shape())
  const find: FindField = (name) => {
    const position = positions[slotOf(name)] ?? -1
    return position === -1 ? null : whole(parts.address(position))
  }
  if (REQUIRED.some((name) => find(name) === null)) throw new Error(`record ${id} is damaged`)
  const writers: WriteValue[] = []
  const prepares = new Set<Prepare>()
  const object = new ObjectBits(omit)
  for (const { closed, opened, key, source } of fields) {
    object.nest(closed, opened)
    object.add(key, bitsOf(source, find, writers))
    if ('compose' in source && source.prepare !== undefined) prepares.add(source.prepare)
  }
  return {
    program: makeProgram(object.end()),
    writers,
    prepares: [...prepares],
    positions,
    fieldCount: Math.max(0, ...positions),
  }
}

/** Returns how a value is composed for records of one shape. */
function bitsOf(source: Source, find: FindField, writers: WriteValue[]): Bit[] {
  if ('fixed' in source) return [source.fixed]
  if ('stored' in source) return [find(source.stored) ?? source.empty]
  if ('compose' in source) return source.compose(find) ?? ['null']
  return find(source.needs) === null ? ['[]'] : [{ callback: writers.push(source.write) - 1 }]
}

type Bit = string | Part | Callback

/** Writes nothing; ends the text before it. */
const NOTHING = trimmed(new Spans(1).address(0), 0, 0)

/** Joins keys and values to one JSON object with objects in it. */
class ObjectBits {
  readonly #bits: Bit[] = ['{']
  readonly #omit: boolean
  /** For each open object whether it surely has a key. */
  readonly #filled = [false]

  constructor(omit: boolean) {
    this.#omit = omit
  }

  /** Ends some objects, and begins others. */
  nest(closed: number, opened: readonly string[]): void {
    if (closed > 0) {
      this.#bits.push('}'.repeat(closed))
      this.#filled.length -= closed
    }
    for (const key of opened) {
      this.#bits.push(`${this.#next()}${key}:{`)
      this.#filled.push(false)
    }
  }

  add(key: string, value: readonly Bit[]): void {
    const [first, ...rest] = value
    if (this.#omit && first === 'null') return
    const isPart = typeof first === 'object' && 'nullable' in first && first.nullable
    // The text before an empty part is left out with it, so it is the key alone. The first key of
    // an object has no comma: where it may be left out, it keeps `null`.
    if (this.#omit && isPart && this.#filled.at(-1) === true) {
      if (typeof this.#bits.at(-1) === 'string') this.#bits.push(NOTHING)
      this.#bits.push(`,${key}:`, { ...first, omitted: true }, ...rest)
    } else this.#bits.push(`${this.#next()}${key}:`, ...value)
  }

  end(): Bit[] {
    return [...this.#bits, '}'.repeat(this.#filled.length)]
  }

  #next(): string {
    const isFirst = this.#filled.at(-1) === false
    this.#filled[this.#filled.length - 1] = true
    return isFirst ? '' : ','
  }
}

/**
 * A power of two. Of a million invented parcels, which have 1,271 shapes, one in a hundred meets
 * another shape in its place; with 1,024 places five.
 */
const RECENT_MAX = 8192
/** Odd 32-bit factor that mixes a word into all bits. */
const FACTOR = 0x9e3779b1

type Recent<Made> = { made: Made; shape: Int32Array; generation: number }

/**
 * What was made for each shape. Recent shapes are found by their words in the memory. A map needs a
 * text of each record's shape, which took a tenth of rendering.
 */
class ShapePrograms<Made> {
  readonly #all = new Programs<string, Made>()
  readonly #recent = new Array<Recent<Made> | undefined>(RECENT_MAX).fill(undefined)

  /** Returns what was made for the record's shape; `make` makes it the first time. */
  get(record: StoredRecord, make: (record: StoredRecord) => Made): Made {
    // A record begins with its shape, at a multiple of a word.
    const first = record.parts.from(0) / WORD
    const length = record.parts.to(0) - record.parts.from(0)
    const count = Math.floor(length / WORD)
    // The bytes of the last word that belong to the shape, and its length.
    const rest = (words[first + count] as number) & ((1 << (8 * (length % WORD))) - 1)
    let mixed = Math.imul(rest ^ length, FACTOR)
    for (let at = 0; at < count; at += 1) {
      mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (words[first + at] as number), FACTOR)
    }
    const place = (mixed ^ (mixed >>> 15)) & (RECENT_MAX - 1)
    const known = this.#recent[place]
    if (
      known !== undefined &&
      known.generation === generation &&
      isShape(known.shape, first, count, rest)
    ) {
      return known.made
    }
    const shape = record.shape()
    const made = this.#all.get(shape) ?? this.#all.set(shape, make(record))
    const copy = words.slice(first, first + count + 1)
    copy[count] = rest
    this.#recent[place] = { made, shape: copy, generation }
    return made
  }
}

function isShape(shape: Int32Array, first: number, count: number, rest: number): boolean {
  if (shape.length !== count + 1 || shape[count] !== rest) return false
  for (let at = 0; at < count; at += 1) {
    if (shape[at] !== words[first + at]) return false
  }
  return true
}
